"""The codebook as it stands, and as it stood."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from taxonomy.codebook import Board, Event, Node, fold
from taxonomy.codebook.board import CATEGORY, WORDS
from taxonomy.codebook.mapping import category_words, changes, compose
from taxonomy.models import Category, Code, CodeEvent, Taxonomy, TaxonomyVersion


def codes_of(taxonomy: Taxonomy) -> dict[int, tuple[str, str]]:
    rows = Code.objects.filter(taxonomy=taxonomy).order_by("pk").values_list("pk", "phrase", "definition")
    return {pk: (phrase, definition) for pk, phrase, definition in rows}


def log_of(rows: Iterable[CodeEvent]) -> list[Event]:
    return [Event(row.number, row.op, row.payload) for row in rows]


def events_of(taxonomy: Taxonomy, upto: int | None = None) -> list[Event]:
    rows = CodeEvent.objects.filter(taxonomy=taxonomy).order_by("number")
    return log_of(rows if upto is None else rows.filter(number__lte=upto))


def board_of(taxonomy: Taxonomy, upto: int | None = None) -> Board:
    return fold(codes_of(taxonomy), events_of(taxonomy, upto))


def last_event(taxonomy: Taxonomy) -> int:
    found = CodeEvent.objects.filter(taxonomy=taxonomy).order_by("-number").values_list("number", flat=True).first()
    return found or 0


def row_words(category: Category) -> dict[str, Any]:
    plain = {name: getattr(category, name) for name in WORDS}
    return {"key": category.key, "name": category.name, "definition": category.definition, **plain}


def content_of(version: TaxonomyVersion) -> list[dict[str, Any]]:
    return [row_words(category) for category in version.categories.all()]


def sha256_of(version: TaxonomyVersion) -> str:
    """Of everything the version says; of a frozen one it never changes."""
    content = {"number": version.number, "summary": version.summary, "mapping": version.mapping}
    text = json.dumps({**content, "categories": content_of(version)}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def category_names(version: TaxonomyVersion) -> dict[str, str]:
    """By key: as this version calls the category; one that it does not have, as the latest version that had it."""
    rows = Category.objects.filter(version__taxonomy=version.taxonomy_id).order_by("version__number")
    known = list(rows.values_list("version", "key", "name"))
    return {key: name for _, key, name in known} | {key: name for of, key, name in known if of == version.pk}


def board_of_version(version: TaxonomyVersion) -> Board:
    """The board as the version froze it; one made by hand, without events, is what its rows say."""
    if version.event:
        return board_of(version.taxonomy, version.event)
    words = content_of(version)
    nodes = {each["key"]: Node(each["key"], CATEGORY, each["name"], each["definition"], words=each) for each in words}
    return Board(nodes)


def ways(old: TaxonomyVersion, new: TaxonomyVersion) -> dict[str, tuple[str, ...]]:
    """Where each category of one version went in another of the same taxonomy, later or earlier."""
    if old.number <= new.number:
        found = changes(board_of_version(old), board_of_version(new))
        return {each.key: each.to for each in found if each.how != "new"}
    back: dict[str, tuple[str, ...]] = dict.fromkeys(old.categories.values_list("key", flat=True), ())
    for key, to in ways(new, old).items():
        for each in to:
            back[each] = (*back.get(each, ()), key)
    return back


__all__ = [
    "board_of",
    "board_of_version",
    "category_names",
    "category_words",
    "codes_of",
    "compose",
    "content_of",
    "events_of",
    "last_event",
    "log_of",
    "sha256_of",
    "ways",
]
