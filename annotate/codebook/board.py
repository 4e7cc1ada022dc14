"""The board as one person may see it."""

from taxonomy.codebook import CODE, Board, Node


def members_of(board: Board, category: str) -> list[Node]:
    """The living codes that lie under a category, in groups or by themselves."""
    return [node for node in board.living(CODE) if board.category_over(node.id) == category]
