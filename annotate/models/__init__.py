from annotate.models.annotations import Annotation, Answer, Coding, Failure, FailureCode
from annotate.models.codebook import Example
from annotate.models.history import Revision, Submission
from annotate.models.memos import ItemMemo
from annotate.models.projects import Membership, Project
from annotate.models.suggested import SuggestionEvent
from annotate.models.work import Assignment, Exposure, Item

__all__ = [
    "Annotation",
    "Answer",
    "Assignment",
    "Coding",
    "Example",
    "Exposure",
    "Failure",
    "FailureCode",
    "Item",
    "ItemMemo",
    "Membership",
    "Project",
    "Revision",
    "Submission",
    "SuggestionEvent",
]
