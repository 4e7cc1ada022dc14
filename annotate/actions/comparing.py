"""Proposals that a computation makes. They change nothing; a lead reads the reason and decides."""

from django.db import transaction

from annotate.codebook.clustering import clusters
from annotate.models import Failure, Project
from annotate.models import FailureCode as Link
from people.actions import audit
from people.models import User
from taxonomy.actions import propose
from taxonomy.codebook import CODE, code_node, mark_of
from taxonomy.models import Proposal
from taxonomy.queries import board_of

MAX_WORDS = 2000


@transaction.atomic
def propose_groups(*, project: Project, by: User) -> list[Proposal]:
    """Group proposals for codes in no group or category; what was proposed once is not proposed again."""
    taxonomy = project.taxonomy_version.taxonomy
    proposed = Proposal.objects.filter(taxonomy=taxonomy, source=Proposal.Source.CLUSTERING)
    known = {frozenset(payload["nodes"]) for payload in proposed.values_list("payload", flat=True)}
    found = [each for each in clusters(texts_of(project)) if frozenset(each.nodes) not in known and each.terms]
    made = [
        propose(
            taxonomy=taxonomy,
            op="group",
            payload={"nodes": list(each.nodes), "name": " ".join(each.terms[:3])},
            reason=each.reason,
            by=by,
            source=Proposal.Source.CLUSTERING,
        )
        for each in found
    ]
    audit("codes compared", taxonomy, by=by, project=project.slug, proposals=len(made))
    return made


def texts_of(project: Project) -> dict[str, str]:
    """By loose living code: its name, its definition and what was written on its failures."""
    board = board_of(project.taxonomy_version.taxonomy)
    loose = {node.id: node for node in board.living(CODE) if node.parent is None and node.offered}
    texts = {node.id: [node.name, node.name, node.definition] for node in loose.values()}
    failures = Failure.objects.filter(annotation__item__project=project, annotation__state="submitted")
    rows = Link.objects.filter(failure__in=failures).order_by("pk")
    names = ("code_id", "failure__annotation_id", "failure__key", "failure__step_reason")
    for code, annotation, key, reason in rows.values_list(*names).iterator(2000):
        home = board.follow(code_node(code), mark_of(annotation, key))
        if isinstance(home, str) and home in texts:
            texts[home].append(reason[:MAX_WORDS])
    return {node: " \n".join(parts) for node, parts in texts.items()}
