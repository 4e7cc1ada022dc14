"""Proposals that a computation makes. They change nothing; a lead reads the reason and decides."""

from django.db import transaction

from annotate.codebook.clustering import clusters
from annotate.codebook.seen import Seen
from annotate.models import Failure, Project
from people.actions import audit
from people.models import User
from taxonomy.actions import propose
from taxonomy.codebook import CODE
from taxonomy.models import Proposal
from taxonomy.queries import board_of

MAX_WORDS = 2000


@transaction.atomic
def propose_groups(*, project: Project, by: User) -> list[Proposal]:
    """Group proposals for codes in no group or category, out of what `by` may see; none is proposed twice."""
    taxonomy = project.taxonomy_version.taxonomy
    proposed = Proposal.objects.filter(taxonomy=taxonomy, source=Proposal.Source.CLUSTERING)
    known = {frozenset(payload["nodes"]) for payload in proposed.values_list("payload", flat=True)}
    found = [each for each in clusters(texts_of(project, by)) if frozenset(each.nodes) not in known and each.terms]
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


def texts_of(project: Project, by: User) -> dict[str, str]:
    """By loose living code this person knows: its name, its definition and the reasons on its failures she may see."""
    board, seen = board_of(project.taxonomy), Seen.by(by, project)
    known = seen.shown(board)
    loose = [node for node in board.living(CODE) if node.parent is None and node.offered and node.id in known]
    homes = seen.homes(board)
    reasons = reasons_of({link.failure for node in loose for link in homes.get(node.id, ())})
    return {
        node.id: " \n".join(
            [node.name, node.name, node.definition, *(reasons.get(link.failure, "") for link in homes.get(node.id, ()))]
        )
        for node in loose
    }


def reasons_of(failures: set[int]) -> dict[int, str]:
    """Of annotations handed in only."""
    rows = Failure.objects.filter(pk__in=failures, annotation__state="submitted").values_list("pk", "step_reason")
    return {pk: reason[:MAX_WORDS] for pk, reason in rows}
