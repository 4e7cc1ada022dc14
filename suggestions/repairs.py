"""Published checks with known faults, made to compile where the fault leaves no doubt about what was meant."""

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from suggestions.sandbox import compiles

HALF_DOCSTRING = re.compile(r'^([^\S\n]*)""([^"].*?)""$', re.MULTILINE)
TYPOGRAPHIC = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "\u00a0": " ", "–": "-"})


@dataclass(frozen=True, slots=True)
class Repaired:
    code: str
    repairs: tuple[str, ...]
    fault: str  # empty where the code compiles


def full_docstring_quotes(code: str) -> str:
    return HALF_DOCSTRING.sub(r'\1"""\2"""', code)


def plain_quotes(code: str) -> str:
    return code.translate(TYPOGRAPHIC)


def common_margin_removed(code: str) -> str:
    return textwrap.dedent(code)


REPAIRS: tuple[Callable[[str], str], ...] = (common_margin_removed, full_docstring_quotes, plain_quotes)


def repair(code: str) -> Repaired:
    """The code as given if it compiles; else with as few of the known repairs as make it compile."""
    fault = compiles(code)
    done: tuple[str, ...] = ()
    tried = code
    for mend in REPAIRS if fault else ():
        changed = mend(tried)
        if changed == tried:
            continue
        tried, done = changed, (*done, mend.__name__)
        if not compiles(tried):
            return Repaired(tried, done, "")
    return Repaired(code, (), fault)
