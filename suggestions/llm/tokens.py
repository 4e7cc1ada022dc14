"""How many tokens a text has: an estimate for plans, a bound for money. Neither needs a tokenizer."""

import re

# Chosen so that the public data sets come out alike: within 3 % of what GPT-4o's tokenizer counts on each of the four.
PIECES = re.compile(r"[^\x00-\x7f]|\d{1,3}| ?[A-Za-z]{1,7}|[^\sA-Za-z\d]{1,3}|\s{2,}|[\n\t]")
TOKENS_PER_PIECE = 0.946
OF_A_MESSAGE = 4


def estimated(messages: list[dict], ratio: float = 1.0) -> int:
    """`ratio` is what a model's own calls showed: real tokens by estimated ones."""
    return round(ratio * sum(estimated_text(message["content"]) + OF_A_MESSAGE for message in messages))


def estimated_text(text: str) -> int:
    return round(TOKENS_PER_PIECE * sum(1 for _ in PIECES.finditer(text)))


def at_most(messages: list[dict]) -> int:
    """Tokenizers that work on bytes never make more tokens than bytes; roles and marks take a few more."""
    return sum(len(message["content"].encode("utf-8", "replace")) + 16 for message in messages) + 16
