"""Constraints that need no model. To add one: its guard and check in the file of its idea, one entry in a tuple there."""

from suggestions.builtin.base import Builtin
from suggestions.builtin.failures import FAILURES
from suggestions.builtin.invocations import INVOCATIONS
from suggestions.builtin.promises import PROMISES
from suggestions.builtin.provenance import PROVENANCE
from suggestions.builtin.repetition import REPETITION

VERSION = 1  # raise it when what a constraint says changes: stored evaluations are then done again
BUILTINS: tuple[Builtin, ...] = (*INVOCATIONS, *PROVENANCE, *REPETITION, *FAILURES, *PROMISES)
