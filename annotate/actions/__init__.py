"""What happens when somebody does something. Each action is one transaction and takes who acts as `by` or `user`."""

from annotate.actions.close import close_project, open_project
from annotate.actions.codebook import GoesBack, adopt_version, freeze_version, recode_by_hand
from annotate.actions.imports import ImportReport, import_labels, import_traces
from annotate.actions.leaving import LastLead, take_role
from annotate.actions.memos import answer_memo, write_memo
from annotate.actions.projects import (
    ProjectExists,
    add_member,
    create_project,
    note_what_is_shown,
    note_who_could_see,
    put_items,
)
from annotate.actions.recoding import NotFrozen, OtherTaxonomy, Recoded, recode
from annotate.actions.recording import Recorded, record, reopen
from annotate.actions.reveal import ArmsWouldMix, set_reveal
from annotate.actions.suggested import open_suggestions, show_suggestions
from annotate.actions.work import Spent, claim, claim_next, heartbeat, skip

__all__ = [
    "ArmsWouldMix",
    "GoesBack",
    "NotFrozen",
    "OtherTaxonomy",
    "Recoded",
    "adopt_version",
    "freeze_version",
    "recode",
    "recode_by_hand",
    "ImportReport",
    "LastLead",
    "ProjectExists",
    "Recorded",
    "Spent",
    "add_member",
    "answer_memo",
    "claim",
    "claim_next",
    "close_project",
    "create_project",
    "heartbeat",
    "import_labels",
    "import_traces",
    "note_what_is_shown",
    "note_who_could_see",
    "open_project",
    "open_suggestions",
    "put_items",
    "record",
    "reopen",
    "set_reveal",
    "show_suggestions",
    "skip",
    "take_role",
    "write_memo",
]
