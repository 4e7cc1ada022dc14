from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.actions.naming import PROPOSE_NAME, ask_for_name
from annotate.codebook.board import public_keys
from annotate.codebook.memos import memos_on
from annotate.codebook.seen import Link, Seen
from annotate.codebook.words import cards_in, wish
from annotate.models import Item
from annotate.policy import may, require
from annotate.views.codebook.common import around, given, project_for, sees_counts
from jobs.actions import enqueue
from jobs.models import Job
from suggestions.llm.providers import BadModelSettings, NoModel
from taxonomy.actions import Answered, Conflict, accept, decline, note
from taxonomy.codebook import Board, Node, Refused
from taxonomy.models import Proposal
from taxonomy.queries import board_of

SHOWN = 100


@login_required
@require_GET
def codebook_proposals(request, slug):
    project, roles = project_for(request.user, slug, "see codebook")
    asked = last_asked(request.user, project)  # before the rows: what it says is below has to be there
    board = board_of(project.taxonomy_version.taxonomy)
    homes = Seen.by(request.user, project).homes(board) if sees_counts(roles) else None
    proposals = visible(request.user, project, board)
    memos = memos_on(request.user, project, map(subject_of, proposals))
    rows = [
        {
            "proposal": each,
            "sentence": wish(each, board),
            "cards": cards_of(each, board, homes),
            "memos": memos[subject_of(each)],
        }
        for each in proposals
    ]
    context = {**around(request, project, "proposals"), "rows": rows, "asked": asked}
    return render(request, "annotate/codebook_proposals.html", context)


def cards_of(proposal: Proposal, board: Board, homes: dict[str, list[Link]] | None) -> list[tuple[Node, int | None]]:
    """The cards an open proposal is about, with the failures on each where its reader sees counts."""
    if proposal.state != Proposal.State.OPEN:
        return []
    nodes = [board.nodes[each] for each in sorted(cards_in(proposal)) if each in board.nodes]
    return [(node, None if homes is None else len({link.failure for link in homes.get(node.id, ())})) for node in nodes]


def last_asked(user, project) -> Job | None:
    """How it stands with the name that a lead last asked a model for, until she has answered what came."""
    own = Job.objects.of_project(project.slug).filter(kind=PROPOSE_NAME, by=user.username)
    job = own.order_by("-pk").first()
    proposed = job and job.result.get("proposal")
    if proposed and not Proposal.objects.filter(pk=proposed, state=Proposal.State.OPEN).exists():
        return None
    return job


def visible(user, project, board) -> list[Proposal]:
    """One's own; others' where one knows all the cards they speak of, and annotates nothing here any more.

    What a model wrote for a lead may quote any reason that she could read: it is for leads who may read them all.
    """
    shown = Seen.by(user, project).shown(board, public_keys(project))
    items = Item.objects.of(project)
    rows = Proposal.objects.filter(taxonomy=project.taxonomy_version.taxonomy_id).select_related("by", "answered_by")
    if items.may_get(user).exists():
        rows = rows.filter(by=user.pk)
    if not may(user, "refine codebook", project) or items.closed_to(user).exists():
        rows = rows.filter(Q(by=user.pk) | ~Q(source=Proposal.Source.MODEL))
    return [each for each in rows[:SHOWN] if cards_in(each) <= shown or each.by_id == user.pk]


def subject_of(proposal: Proposal) -> str:
    return f"proposal:{proposal.pk}"


def proposal_for(user, project, proposal_id: int) -> Proposal:
    proposal = get_object_or_404(Proposal, taxonomy=project.taxonomy_version.taxonomy_id, pk=proposal_id)
    if proposal not in visible(user, project, board_of(project.taxonomy_version.taxonomy)):
        raise Http404
    return proposal


@login_required
@require_POST
def codebook_answer(request, slug, proposal_id):
    """A lead's decision on a proposal."""
    project, _ = project_for(request.user, slug, "refine codebook")
    proposal = proposal_for(request.user, project, proposal_id)
    answer = given(request, "answer")
    try:
        if request.POST.get("decision") == "accept":
            words = {name: given(request, name) for name in ("name", "definition") if name in request.POST}
            accept(proposal=proposal, answer=answer, words=words, by=request.user)
            messages.success(request, "Done as proposed. It can be undone in the history.")
        else:
            decline(proposal=proposal, answer=answer, by=request.user)
            messages.success(request, "Declined.")
    except (Answered, Conflict) as error:
        messages.error(request, str(error))
    except Refused as error:
        messages.error(request, error.message)
    return redirect("codebook_proposals", project.slug)


@login_required
@require_POST
def codebook_discuss(request, slug, proposal_id):
    project, _ = project_for(request.user, slug, "propose codes")
    proposal = proposal_for(request.user, project, proposal_id)
    text = given(request, "text")
    try:
        note(taxonomy=proposal.taxonomy, subject=subject_of(proposal), text=text, by=request.user)
    except Refused as error:
        messages.error(request, error.message)
    return redirect("codebook_proposals", project.slug)


@login_required
@require_POST
def codebook_cluster(request, slug):
    """Ask a worker to propose groups of codes that are near in words."""
    project, _ = project_for(request.user, slug, "refine codebook")
    if may(request.user, "refine codebook", project):
        payload = {"project": project.pk, "by": request.user.pk}
        enqueue("propose_groups", key=f"project:{project.pk}", project=project.slug, payload=payload)
        messages.success(request, "A worker compares the codes; what it proposes appears here.")
    return redirect("codebook_proposals", project.slug)


@login_required
@require_POST
def codebook_name(request, slug):
    """Ask a worker for a name and a definition, by a model, for the chosen cards or those of a proposed group."""
    project, _ = project_for(request.user, slug, "refine codebook")
    require(request.user, "ask models", project)
    try:
        ask_for_name(project=project, nodes=request.POST.getlist("nodes"), by=request.user)
    except Refused as error:
        messages.error(request, f"Nothing was asked: {error.message}.")
        return redirect("codebook", project.slug)
    except (NoModel, BadModelSettings) as error:
        messages.error(request, f"Nothing was asked: {error}.")
    else:
        messages.success(request, "A worker asks the model; what it proposes appears here.")
    return redirect("codebook_proposals", project.slug)
