"""Which codes are near what somebody is typing, by their words: for comparing before a new code is coined. Pure."""

import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")
NEAR_ENOUGH = 0.5
DEFINITION = 0.6  # what a word is worth that stands in the definition only
WORDS = re.compile(r"\w+")
SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "was",
        "with",
    ]
)


@lru_cache(maxsize=20_000)
def words_in(text: str) -> tuple[str, ...]:
    words = WORDS.findall(text.casefold())
    return tuple(word for word in words if word not in SMALL) or tuple(words)


@lru_cache(maxsize=100_000)  # codes share their words, and every key typed asks again
def likeness(asked: str, word: str) -> float:
    """1 for a word that begins as asked; less for another ending or a slip."""
    if word.startswith(asked):
        return 1.0
    stem = 0
    while stem < min(len(asked), len(word)) and asked[stem] == word[stem]:
        stem += 1
    if stem < 2:
        return 0.0
    return max(stem / max(len(asked), 4), SequenceMatcher(None, asked, word).ratio() - 0.15)


def nearness(search: str, phrase: str, definition: str) -> float:
    """From 0 to 1, and a little more for phrases that hold the very letters."""
    asked = words_in(search)
    if not asked:
        return 0.0
    named, defined = words_in(phrase), words_in(definition)
    best = [
        max(
            max((likeness(word, other) for other in named), default=0.0),
            DEFINITION * max((likeness(word, other) for other in defined), default=0.0),
        )
        for word in asked
    ]
    letters = 0.5 if search.casefold().strip() in phrase.casefold() else 0.0
    return sum(best) / len(best) + letters


def nearest(codes: Iterable[T], search: str, limit: int, texts: Callable[[T], tuple[str, str]]) -> list[T]:
    """The codes near the search, nearest first; `texts` gives phrase and definition."""
    scored = [(nearness(search, *texts(code)), texts(code)[0], code) for code in codes]
    near = sorted((each for each in scored if each[0] >= NEAR_ENOUGH), key=lambda each: (-each[0], each[1]))
    return [code for _, _, code in near[:limit]]
