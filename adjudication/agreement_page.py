"""What the agreement page shows: figures of the whole project as kept, or under a filter as just computed."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from adjudication.agreement_rows import Row, axis, detailed_rows, one_vs_rest_rows
from adjudication.figure_table import Line, lines
from adjudication.filtered import Reading
from adjudication.filters import Filter
from adjudication.models import AgreementFigures
from adjudication.paragraph import paragraph
from adjudication.plots import Curve, Matrix, curve, matrices
from adjudication.pseudonyms import renamed
from adjudication.worded import Names, in_words
from taxonomy.models import Taxonomy


@dataclass(frozen=True)
class AgreementPage:
    reading: Reading
    filter: Filter
    figures: dict[str, Any] = field(default_factory=dict)
    as_of: datetime | None = None
    intervals_as_of: datetime | None = None
    intervals_wait: bool = False
    is_closed: bool = False
    is_old: bool = False
    # Tables cell by cell are of the runs that the reader may not annotate any more, whatever the figures are of.
    is_detailed: bool = True

    @property
    def left_out(self) -> int:
        return 0 if self.filter.is_empty else len(self.reading.left_out)

    @property
    def looked_at(self) -> list[str]:
        return self.filter.words(self.reading.choices)

    @property
    def measures(self) -> dict[str, Any]:
        return self.told.get("measures", {})

    @cached_property
    def names(self) -> Names:
        return self.reading.category_names(self.filter)

    @cached_property
    def told(self) -> dict[str, Any]:
        return in_words(self.figures, self.names)

    @cached_property
    def rows(self) -> list[Row]:
        return detailed_rows(self.told)

    @cached_property
    def by_category(self) -> list[Row]:
        return one_vs_rest_rows(self.measures.get("category", {}))

    @property
    def axis(self) -> tuple[float, float]:
        return axis([*self.rows, *self.by_category])

    @cached_property
    def lines(self) -> list[Line]:
        return lines(self.told)

    @cached_property
    def curve(self) -> Curve | None:
        return curve(self.measures.get("critical_step", {})) if self.is_detailed else None

    @cached_property
    def matrices(self) -> list[Matrix]:
        return list(matrices(self.measures, self.names)) if self.is_detailed else []

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """Each pair of annotators with the keys that filter by it."""
        keys = {shown: key for key, shown in self.reading.choices.annotators.items()}
        return [
            pair | {"a_key": keys.get(pair["a"]), "b_key": keys.get(pair["b"])}
            for pair in self.figures.get("pairs", [])
        ]

    @property
    def taxonomy(self) -> str:
        version = self.reading.project.taxonomy_version
        number = version.number if self.filter.version is None else self.filter.version
        return f"taxonomy {version.taxonomy.name} version {number}{begun_from(version.taxonomy)}"

    @cached_property
    def paragraph(self) -> str:
        return paragraph(
            self.told,
            protocol=self.reading.project.protocol,
            taxonomy=self.taxonomy,
            as_of=f"{self.as_of:%Y-%m-%d %H:%M} UTC",
            looked_at=self.looked_at,
            left_out=self.left_out,
        )

    @property
    def rests_on(self) -> dict[str, Any]:
        """The columns of the file that say what its numbers rest on."""
        bootstrap = self.figures.get("bootstrap", {})
        return {
            "project": self.reading.project.slug,
            "protocol": self.reading.project.protocol,
            "taxonomy": self.taxonomy,
            "filter": "; ".join(self.looked_at),
            "runs_left_out": self.left_out,
            "bootstraps": bootstrap.get("b"),
            "seed": bootstrap.get("seed"),
            "as_of": self.as_of.isoformat() if self.as_of else None,
        }


def begun_from(taxonomy: Taxonomy) -> str:
    return f" (begun from {taxonomy.preset})" if taxonomy.preset not in ("", "none") else ""


def whole_page(reading: Reading, kept: AgreementFigures | None) -> AgreementPage:
    if kept is None or not kept.figures:
        return AgreementPage(reading, Filter())
    return AgreementPage(
        reading,
        Filter(),
        renamed(kept.figures, reading.names),
        kept.as_of,
        kept.intervals_as_of,
        kept.intervals_wait,
        is_detailed=not reading.left_out,
    )
