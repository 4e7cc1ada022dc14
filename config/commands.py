"""The edge between commands and the shell: exit codes and one-line reasons.

0 done, 1 refused, 2 nothing done, 70 unexpected, 130 interrupted, 141 no reader.
"""

import json
import os
import signal
import sys
import traceback
from difflib import get_close_matches

USAGE = 2
UNEXPECTED = 70
INTERRUPTED = 128 + signal.SIGINT
NO_READER = 128 + signal.SIGPIPE


def run(argv: list[str]) -> int:
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import CommandError
    from django.db.utils import OperationalError, ProgrammingError

    try:
        execute(argv)
        sys.stdout.flush()
    except (CommandError, ImproperlyConfigured) as error:
        return say(argv, str(error).removeprefix("Error: "))
    except ProgrammingError as error:
        if "does not exist" not in str(error):
            return unexpected(argv, error)
        return say(argv, "the database has no tables for this yet: run `manage.py migrate` first")
    except OperationalError as error:
        return say(argv, f"the database does not answer: {str(error).splitlines()[0]}")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except BrokenPipeError:
        stop_writing()
        return NO_READER
    except KeyboardInterrupt:
        say(argv, "interrupted; what was stored before stays")
        return INTERRUPTED
    except Exception as error:  # the outermost edge: say it, keep the exit code of the contract
        return unexpected(argv, error)
    return 0


def execute(argv: list[str]) -> None:
    """Django's own way, but for a command that does not exist: it is a reason like any other."""
    from django.core.management import CommandError, ManagementUtility, get_commands

    class Utility(ManagementUtility):
        def fetch_command(self, subcommand):
            known = get_commands()
            if subcommand not in known:
                near = get_close_matches(subcommand, known, 1)
                raise CommandError(
                    f"there is no command “{subcommand}”" + (f"; did you mean {near[0]}?" if near else "")
                )
            return super().fetch_command(subcommand)

    Utility(argv).execute()


def say(argv: list[str], reason: str) -> int:
    line = " ".join(reason.split())
    if "--json" in argv:
        print(json.dumps({"error": line}))
    print(line, file=sys.stderr)
    return USAGE


def stop_writing() -> None:
    """Nobody reads any more, as after `| head`, or the disk is full: what is buffered must not fail again at the exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def unexpected(argv: list[str], error: Exception) -> int:
    traceback.print_exc()
    try:
        if "--json" in argv:
            print(json.dumps({"error": f"unexpected: {type(error).__name__}"}))
        sys.stdout.flush()
    except OSError:
        stop_writing()
    return UNEXPECTED
