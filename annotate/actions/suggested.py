"""Suggestions shown and answered: every showing, acceptance and dismissal is kept."""

from typing import Any

from django.db import transaction

from annotate.models import Annotation, Exposure, Item, Project, SuggestionEvent
from annotate.operations import SUGGESTION, Refused
from annotate.queries import own_annotation
from annotate.reveal import REVEAL, is_revealed
from annotate.suggested import Suggestion, suggestions_for
from people.actions import audit
from people.models import User

ACCEPT, DISMISS = "accept", "dismiss"
Kind = SuggestionEvent.Kind


@transaction.atomic
def show_suggestions(*, item: Item, user: User) -> list[Suggestion]:
    """What this annotator may see, noted before it is sent. Looking at none counts as help, too: it says "none found"."""
    annotation = own_annotation(user, item)
    if annotation is None or not is_revealed(annotation):
        return []
    found = suggestions_for(user, item)
    if not annotation.is_submitted:
        note_shown(found, item=item, user=user, annotation=annotation)
    return found


@transaction.atomic
def open_suggestions(*, item: Item, user: User) -> list[Suggestion]:
    """For an adjudicator who asks for them; the caller has checked that the item is a case of hers."""
    Exposure.objects.get_or_create(item=item, user=user, to=Exposure.SUGGESTIONS)
    note_shown([], item=item, user=user)
    found = suggestions_for(user, item)
    note_shown(found, item=item, user=user)
    audit("suggestions opened", item, by=user, project=item.project.slug, n=len(found))
    return found


def note_shown(found: list[Suggestion], *, item: Item, user: User, annotation: Annotation | None = None) -> None:
    about = {"item": item, "user": user, "annotation": annotation}
    events = [SuggestionEvent(**about, kind=Kind.OPENED)]
    events += [SuggestionEvent(**about, kind=Kind.SHOWN, **pointer(each.name)) for each in found]
    SuggestionEvent.objects.bulk_create(events, ignore_conflicts=True)


def pointer(name: str) -> dict[str, int]:
    kind, pk = name.split(":")
    return {f"{kind}_id": int(pk)}


def check_suggestion(annotation: Annotation, op: str, payload: Any) -> None:
    """Only what was shown can be answered, and only after phase 1 can suggestions be asked for."""
    if op == REVEAL and annotation.item.project.reveal != Project.Reveal.AFTER_PHASE_1:
        raise Refused("this project does not show suggestions after phase 1", "op")
    if op not in {ACCEPT, DISMISS}:
        return
    name = payload.get("suggestion") if isinstance(payload, dict) else None
    if not isinstance(name, str) or not SUGGESTION.fullmatch(name):
        raise Refused("expected the name of a suggestion", "suggestion")
    shown = annotation.suggestion_events.filter(kind=Kind.SHOWN, **pointer(name))
    if not is_revealed(annotation) or not shown.exists():
        raise Refused("this suggestion was not shown to you", "suggestion")


def note_answer(annotation: Annotation, user: User, op: str, payload: Any) -> None:
    if op not in {ACCEPT, DISMISS}:
        return
    SuggestionEvent.objects.create(
        item=annotation.item,
        user=user,
        annotation=annotation,
        kind=Kind.ACCEPTED if op == ACCEPT else Kind.DISMISSED,
        failure=payload["failure"] if op == ACCEPT else "",
        reason=payload["reason"].strip() if op == DISMISS else "",
        **pointer(payload["suggestion"]),
    )
