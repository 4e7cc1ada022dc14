#!/usr/bin/env python3
"""Run a Django command; without DATABASE_URL it starts or joins the embedded servers first."""

import os
import sys

NEEDS_NO_SERVER = {"help", "--help", "-h", "--version", "version", "collectstatic", "spectacular", "startapp"}


def main() -> int | None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.commands import run, say

    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command not in NEEDS_NO_SERVER:
        from config.embedded import EmbeddedError, ensure_environment

        try:
            ensure_environment()
        except EmbeddedError as error:
            return say(sys.argv, str(error))
    return run(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
