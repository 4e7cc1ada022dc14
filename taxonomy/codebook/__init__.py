"""The codebook as a fold of events: what marked codes have become, and which categories there are. Pure; no queries."""

from taxonomy.codebook.board import CATEGORY, CODE, GROUP, Board, Lost, Node, code_node, mark_of
from taxonomy.codebook.log import Event, effective, fold, touched
from taxonomy.codebook.refusal import Refused

__all__ = [
    "CATEGORY",
    "CODE",
    "GROUP",
    "Board",
    "Event",
    "Lost",
    "Node",
    "Refused",
    "code_node",
    "effective",
    "fold",
    "mark_of",
    "touched",
]
