"""What happens to taxonomies. Each action is one transaction and takes who acts as `by`."""

from taxonomy.actions.acting import Conflict, act, undo
from taxonomy.actions.freezing import NothingToFreeze, freeze_board
from taxonomy.actions.proposals import Answered, accept, decline, note, propose
from taxonomy.actions.taking import TakenIn, take_in
from taxonomy.actions.taxonomies import coin, create_taxonomy, freeze, spellings

__all__ = [
    "Answered",
    "Conflict",
    "NothingToFreeze",
    "TakenIn",
    "accept",
    "act",
    "coin",
    "create_taxonomy",
    "decline",
    "freeze",
    "freeze_board",
    "note",
    "propose",
    "spellings",
    "take_in",
    "undo",
]
