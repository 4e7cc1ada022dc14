"""What happens when somebody does something. Each action is one transaction and takes who acts as `by` or `user`."""

from annotate.actions.imports import ImportReport, import_labels, import_traces
from annotate.actions.projects import ProjectExists, add_member, create_project, put_items
from annotate.actions.recording import Recorded, record, reopen
from annotate.actions.work import claim, claim_next, heartbeat, skip

__all__ = [
    "ImportReport",
    "ProjectExists",
    "Recorded",
    "add_member",
    "claim",
    "claim_next",
    "create_project",
    "heartbeat",
    "import_labels",
    "import_traces",
    "put_items",
    "record",
    "reopen",
    "skip",
]
