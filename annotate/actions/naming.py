"""Names and definitions that a model proposes for cards. They change nothing; a lead reads the reason and decides."""

import hashlib
from collections.abc import Callable

from django.db import transaction

from annotate.codebook.naming import cards_to_name, material_of
from annotate.models import Project
from jobs.actions import enqueue
from jobs.models import Job
from people.models import User
from suggestions.llm.naming import Material, Name, Named, name_for
from suggestions.llm.prompts import NAMING
from suggestions.llm.providers import model_named
from suggestions.models import ModelChoice
from taxonomy.actions import propose
from taxonomy.codebook import CODE, Node
from taxonomy.models import Proposal

PROPOSE_NAME = "propose_name"  # the kind of its jobs


def ask_for_name(*, project: Project, nodes: list[str], by: User) -> Job:
    """Have a worker ask the project's model. Raises Refused, NoModel or BadModelSettings."""
    cards_to_name(by, project, nodes)
    choice = ModelChoice.objects.filter(project=project.slug).first()
    model = model_named(choice.model if choice else "")
    payload = {"project": project.pk, "by": by.pk, "nodes": nodes, "model": model.name}
    digest = hashlib.sha256("\n".join(sorted(nodes)).encode()).hexdigest()
    key = f"project:{project.pk}:{digest}"
    return enqueue(PROPOSE_NAME, key=key, project=project.slug, payload=payload, by=by.username)


def propose_name(
    *, project: Project, nodes: list[str], model: str, by: User, progress: Callable[[int, int], None]
) -> tuple[Proposal | None, Named]:
    """Ask, and make a proposal of the answer: to group codes, or to promote what is grouped already.

    The model reads what `by` may see, and nothing else. Raises Refused where the cards are not there any more.
    """
    cards = cards_to_name(by, project, nodes)
    material = material_of(by, project, cards)
    named = name_for(model=model_named(model), project=project.slug, material=material, progress=progress)
    if named.name is None:
        return None, named
    return proposal_of(project, cards, named.name, reason_of(named.name, material, model), by), named


@transaction.atomic
def proposal_of(project: Project, cards: list[Node], name: Name, reason: str, by: User) -> Proposal:
    """The open proposal of the very same where there is one: an answer from the cache is no second opinion."""
    op = "group" if all(card.kind == CODE for card in cards) else "promote"
    payload = {"nodes": [card.id for card in cards], "name": name.name, "definition": name.definition}
    asked = {"taxonomy": project.taxonomy, "op": op, "payload": payload, "source": Proposal.Source.MODEL}
    known = Proposal.objects.filter(**asked, state=Proposal.State.OPEN).first()
    return known or propose(**asked, reason=reason, by=by)


def reason_of(name: Name, material: Material, model: str) -> str:
    odd = [f"“{material.codes[position].name}”" for position in name.do_not_belong]
    doubt = f" It doubts that {', '.join(odd)} belong{'s' if len(odd) == 1 else ''} here." if odd else ""
    return f"{name.reason}{doubt} ({model}, {NAMING.mark})"
