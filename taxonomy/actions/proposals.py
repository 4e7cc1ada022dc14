"""What annotators, clusterings and models propose; leads decide. And notes on cards."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from people.actions import audit
from people.models import User
from taxonomy.actions.acting import act
from taxonomy.codebook import Event, Refused
from taxonomy.codebook.acts import OF_PEOPLE
from taxonomy.codebook.log import apply
from taxonomy.models import CodeEvent, Memo, Proposal, Taxonomy
from taxonomy.queries import board_of, last_event

MAX_MEMO = 5000


class Answered(Exception):
    def __init__(self, proposal: Proposal):
        super().__init__(f"{proposal.answered_by} has {proposal.state} this already")


@transaction.atomic
def propose(
    *, taxonomy: Taxonomy, op: str, payload: Any, reason: str, by: User, source: str = Proposal.Source.PERSON
) -> Proposal:
    """Ask for an act; Refused where it could not be done now, or no reason is given."""
    if op not in OF_PEOPLE:
        raise Refused(f"“{op}” is nothing that can be proposed", "op")
    if not reason.strip():
        raise Refused("say why; leads decide by it", "reason")
    apply(board_of(taxonomy), Event(last_event(taxonomy) + 1, op, payload))
    proposal = Proposal.objects.create(
        taxonomy=taxonomy, source=source, op=op, payload=payload, reason=reason.strip(), by=by
    )
    audit("codebook: proposed", proposal, by=by, project=taxonomy.slug, op=op)
    return proposal


@transaction.atomic
def accept(*, proposal: Proposal, answer: str, by: User, words: dict[str, str] | None = None) -> CodeEvent:
    """Do what was proposed, on the board as it is now; `words` replace those it was proposed with.

    Raises Answered or Refused.
    """
    proposal = still_open(proposal)
    taxonomy = proposal.taxonomy
    base = last_event(taxonomy)
    reason = answer.strip() or proposal.reason
    payload = proposal.payload | {name: text for name, text in (words or {}).items() if name in proposal.payload}
    event = act(taxonomy=taxonomy, op=proposal.op, payload=payload, reason=reason, base=base, by=by)
    settle(proposal, Proposal.State.ACCEPTED, answer, by, event)
    return event


@transaction.atomic
def decline(*, proposal: Proposal, answer: str, by: User) -> Proposal:
    proposal = still_open(proposal)
    if not answer.strip():
        raise Refused("say why; whoever proposed it will read it", "answer")
    return settle(proposal, Proposal.State.DECLINED, answer, by, None)


def still_open(proposal: Proposal) -> Proposal:
    found = Proposal.objects.select_for_update(of=("self",)).select_related("answered_by").get(pk=proposal.pk)
    if found.state != Proposal.State.OPEN:
        raise Answered(found)
    return found


def settle(proposal: Proposal, state: str, answer: str, by: User, event: CodeEvent | None) -> Proposal:
    proposal.state, proposal.answer, proposal.event = state, answer.strip(), event
    proposal.answered_by, proposal.answered_at = by, timezone.now()
    proposal.save()
    audit(f"codebook: {state}", proposal, by=by, project=proposal.taxonomy.slug)
    return proposal


def note(*, taxonomy: Taxonomy, subject: str, text: str, by: User) -> Memo:
    """A memo on a card, or on a proposal as part of its discussion."""
    text = text.strip()
    if not text or len(text) > MAX_MEMO:
        raise Refused(f"a memo has 1 to {MAX_MEMO:,} characters", "text")
    return Memo.objects.create(taxonomy=taxonomy, subject=subject, text=text, by=by)
