"""What a model is given to name cards by: their words, and those of the failures on them that one person may see."""

from collections.abc import Iterable

from annotate.codebook.board import public_keys
from annotate.codebook.context import in_full, shown
from annotate.codebook.seen import Link, Seen
from annotate.models import Failure, Project
from suggestions.llm.naming import CodeWords, FailureWords, Material
from taxonomy.codebook import CODE, GROUP, Board, Node, Refused
from taxonomy.models import Proposal
from taxonomy.queries import board_of

FAILURES_OF_A_CODE = 5


def cards_to_name(user, project: Project, nodes: list[str]) -> list[Node]:
    """The chosen codes and groups; Refused where one is not on the person's board, or is a category."""
    board = board_of(project.taxonomy)
    seen = Seen.by(user, project).shown(board, public_keys(project))
    cards = [board.nodes[each] for each in dict.fromkeys(nodes) if each in seen and board.nodes[each].is_living]
    if not cards or len(cards) < len(set(nodes)):
        raise Refused("choose codes or groups that are on the board", "nodes")
    if any(card.kind not in {CODE, GROUP} for card in cards):
        raise Refused("a category has its name; choose codes or groups", "nodes")
    return cards


def material_of(user, project: Project, cards: list[Node]) -> Material:
    board, seen = board_of(project.taxonomy), Seen.by(user, project)
    codes = [code for card in cards for code in codes_in(board, card) if code.id in seen.shown(board)]
    homes = seen.homes(board)
    links = {code.id: homes.get(code.id, [])[:FAILURES_OF_A_CODE] for code in codes}
    words = words_of_failures(user, [link for each in links.values() for link in each])
    known = seen.shown(board, public_keys(project))
    return Material(
        codes=tuple(
            CodeWords(code.name, code.definition, tuple(words[n.failure] for n in links[code.id] if n.failure in words))
            for code in codes
        ),
        known=tuple(node.name for node in board.categories() if node.id in known),
        declined=tuple(declined_names(project, cards)),
    )


def codes_in(board: Board, card: Node) -> list[Node]:
    return [card] if card.kind == CODE else board.children(card.id, CODE)


def words_of_failures(user, links: Iterable[Link]) -> dict[int, FailureWords]:
    """By failure; of annotations handed in only."""
    rows = Failure.objects.filter(pk__in={link.failure for link in links}, annotation__state="submitted")
    return {
        each.failure.pk: FailureWords(each.failure.step_reason, each.step.preview if each.step else "")
        for each in shown(user, in_full(rows))
    }


def declined_names(project: Project, cards: list[Node]) -> Iterable[tuple[str, str]]:
    """What a model proposed for the very same cards before, with the lead's answer."""
    ids = {card.id for card in cards}
    rows = Proposal.objects.filter(taxonomy=project.taxonomy, source=Proposal.Source.MODEL)
    for each in rows.filter(state=Proposal.State.DECLINED).order_by("pk"):
        if set(each.payload["nodes"]) == ids:
            yield each.payload["name"], each.answer
