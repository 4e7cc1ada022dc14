"""From the board to a version that never changes."""

from django.db import transaction
from django.utils import timezone

from people.models import User
from taxonomy.actions.acting import append, locked_events, next_number
from taxonomy.actions.taxonomies import freeze, write_categories
from taxonomy.codebook import Board, Event, fold
from taxonomy.codebook.mapping import category_words, changes
from taxonomy.models import Taxonomy, TaxonomyVersion
from taxonomy.queries import board_of_version, codes_of, content_of, log_of


class NothingToFreeze(Exception):
    pass


@transaction.atomic
def freeze_board(*, taxonomy: Taxonomy, summary: str, by: User) -> TaxonomyVersion:
    """The board's categories as a frozen version: the draft if it is still empty or says the same, else a new one.

    Raises NothingToFreeze where there is no category, or nothing changed since the last version.
    """
    rows = locked_events(taxonomy)
    board = fold(codes_of(taxonomy), log_of(rows))
    words = [category_words(node) for node in board.categories()]
    if not words:
        raise NothingToFreeze("there is no category yet; promote codes first")
    latest = taxonomy.versions.order_by("-number")[0]
    if latest.is_frozen and content_of(latest) == words:
        raise NothingToFreeze(f"nothing changed since {latest}")
    version = version_for(latest, words, by)
    event = append(taxonomy, Event(next_number(rows), "freeze", {"version": version.number}), summary, by)
    version.mapping = mapping_from(taxonomy.versions.filter(number__lt=version.number).last(), board)
    version.event = event.number
    return freeze(version=version, summary=summary, by=by)


def version_for(latest: TaxonomyVersion, words: list[dict], by: User) -> TaxonomyVersion:
    held = content_of(latest)
    if not latest.is_frozen and held == words:
        return latest
    if not latest.is_frozen and not held:
        write_categories(latest, words)
        return latest
    if not latest.is_frozen:  # people have coded with it: it stays as they knew it
        freeze(version=latest, summary=latest.summary, by=by)
    number, now = latest.number + 1, timezone.now()
    version = TaxonomyVersion.objects.create(taxonomy=latest.taxonomy, number=number, created_at=now)
    write_categories(version, words)
    return version


def mapping_from(before: TaxonomyVersion | None, board: Board) -> list[dict]:
    return [change.as_json() for change in changes(board_of_version(before) if before else Board(), board)]
