from collections.abc import Callable

from django.utils import timezone

from adjudication.bootstrap import Bootstrap
from adjudication.filtered import Reading, key_for
from adjudication.filters import Filter, chosen
from adjudication.models import FilteredFigures
from annotate.models import Project
from annotate.policy import require
from people.models import User

KEPT_AT_MOST = 20  # per person and project


class TooFewLeftOut(Exception):
    def __init__(self) -> None:
        super().__init__(
            "Figures of a part would tell of single runs that you may still annotate: too few of them would be left out."
        )


def filter_agreement(
    *, project: Project, by: User, given: dict[str, str], progress: Callable[[int, int], None] = lambda done, of: None
) -> FilteredFigures:
    """Compute and keep the agreement under a filter as this person may see it.

    Raises Forbidden, BadFilter or TooFewLeftOut.
    """
    roles = require(by, "see figures", project)
    as_of = timezone.now()
    reading = Reading.of(by, project, roles)
    if reading.is_closed:
        raise TooFewLeftOut
    filter = chosen(given, reading.choices)
    progress(1, 3)
    selection = reading.selected(filter)
    progress(2, 3)
    figures = selection.figures(Bootstrap(seed=project.seed), published=False)
    kept = keep(project, by, filter, reading, figures, as_of)
    progress(3, 3)
    return kept


def keep(project: Project, by: User, filter: Filter, reading: Reading, figures: dict, as_of) -> FilteredFigures:
    key = key_for(filter, reading.left_out, reading.roles)
    kept, _ = FilteredFigures.objects.update_or_create(
        project=project, user=by, key=key, defaults={"figures": figures, "as_of": as_of}
    )
    own = FilteredFigures.objects.filter(project=project, user=by).order_by("-as_of")
    FilteredFigures.objects.filter(pk__in=own.values("pk")[KEPT_AT_MOST:]).delete()
    return kept
