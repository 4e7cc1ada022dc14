#!/usr/bin/env python3
"""Run a Django command; without DATABASE_URL it starts or joins the embedded servers first."""

import os
import sys

NEEDS_NO_SERVER = {"help", "--help", "-h", "--version", "version", "collectstatic", "spectacular", "startapp"}


def main() -> int | None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if command not in NEEDS_NO_SERVER:
        from config.embedded import EmbeddedError, ensure_environment

        try:
            ensure_environment()
        except EmbeddedError as error:
            print(error, file=sys.stderr)
            return 2
    from config.commands import run

    return run(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
