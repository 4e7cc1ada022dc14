"""The edge between commands and the shell: exit codes and one-line reasons (DESIGN: 0 done, 1 refused, 2 nothing done, 70 unexpected)."""

import json
import sys
import traceback

USAGE = 2
UNEXPECTED = 70


def run(argv: list[str]) -> int:
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import CommandError, ManagementUtility
    from django.db.utils import OperationalError, ProgrammingError

    try:
        ManagementUtility(argv).execute()
    except (CommandError, ImproperlyConfigured) as error:
        return say(argv, str(error))
    except ProgrammingError as error:
        if "does not exist" not in str(error):
            return unexpected(argv, error)
        return say(argv, "the database has no tables for this yet: run `manage.py migrate` first")
    except OperationalError as error:
        return say(argv, f"the database does not answer: {str(error).splitlines()[0]}")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    except Exception as error:  # the outermost edge: say it, keep the exit code of the contract
        return unexpected(argv, error)
    return 0


def say(argv: list[str], reason: str) -> int:
    line = " ".join(reason.split())
    if "--json" in argv:
        print(json.dumps({"error": line}))
    print(line, file=sys.stderr)
    return USAGE


def unexpected(argv: list[str], error: Exception) -> int:
    traceback.print_exc()
    if "--json" in argv:
        print(json.dumps({"error": f"unexpected: {type(error).__name__}"}))
    return UNEXPECTED
