"""What labels call categories under one version of the taxonomy, and which category each mark has there."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from annotate.codebook.marks import categories_under
from annotate.models import Project
from exports.errors import UnknownVersion
from exports.rows import Mark
from taxonomy.crosswalks import translate
from taxonomy.models import TaxonomyVersion
from taxonomy.presets import load
from taxonomy.queries import ways

NONE_FITS = "none_fits"
BENCHMARKS = ("agentrx",)  # formats that are presets too, so that crosswalks lead to their names


@dataclass(frozen=True)
class Naming:
    """`asked` says that the version was asked for by number: then no older word stands in for a missing category."""

    version: TaxonomyVersion
    asked: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    elsewhere: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, project: Project, number: int | None = None) -> "Naming":
        """Raises UnknownVersion."""
        version = project.taxonomy_version
        if number is not None:
            found = TaxonomyVersion.objects.filter(taxonomy=version.taxonomy_id, number=number).first()
            if found is None:
                raise UnknownVersion(number, project.slug)
            version = found
        names = dict(version.categories.values_list("key", "name"))
        return cls(version, number is not None, names, names_elsewhere(version))

    @cached_property
    def others(self) -> list[TaxonomyVersion]:
        return list(TaxonomyVersion.objects.filter(taxonomy=self.version.taxonomy_id).exclude(pk=self.version.pk))

    @property
    def recodes(self) -> bool:
        """Whether labels may speak of categories that are not this version's."""
        return bool(self.others) or self.version.is_frozen

    def name_of(self, key: str | None) -> str:
        return self.names.get(key, key) if key else ""

    def words(self, key: str | None) -> dict[str, Any]:
        if key == NONE_FITS:
            return {"category": None, "category_name": "", "category_as": {}, "none_fits": True}
        as_ = dict(self.elsewhere.get(key, {})) if key else {}
        more = {"none_fits": False} if key else {}
        return {"category": key, "category_name": self.name_of(key), "category_as": as_, **more}

    def brought(self, key: str | None) -> str | None:
        """The category of another version under this one, where the way is clear."""
        if not key or key in self.names or key == NONE_FITS:
            return key
        for other in self.others:
            to = ways(other, self.version).get(key)
            if to is not None:
                return to[0] if len(to) == 1 else None
        return key if not self.recodes else None

    def recoded(self, mark: Mark, known: Mapping[str, str | None], said_here: bool) -> Mark:
        """A mark of an annotator; `known` are codings under this version, `said_here` whether she chose among its categories."""
        if said_here and (mark.category or mark.none_fits):
            return mark
        if mark.key in known:
            return replace(mark, **self.words(known[mark.key] or NONE_FITS), raw=without_category(mark.raw))
        if not mark.category and not self.asked and not self.version.is_frozen:
            return mark
        return replace(mark, **self.words(None), raw=without_category(mark.raw))

    def under(self, annotations: Iterable[int]) -> dict[int, dict[str, str | None]]:
        return categories_under(self.version, annotations) if self.recodes else {}


def without_category(raw: Mapping[str, Any]) -> dict[str, Any]:
    """What a label called it before does not speak for another version."""
    return {name: value for name, value in raw.items() if name != "failure_category"}


def names_elsewhere(version: TaxonomyVersion) -> dict[str, dict[str, list[str]]]:
    """By category and format: what the format may call it. Names given by hand win over crosswalks."""
    preset = load_or_none(version.taxonomy.preset)
    known = {category.key for category in preset.categories} if preset else set()
    categories = list(version.categories.all())
    origins = origins_in(version) if known and {each.key for each in categories} - known else {}
    found: dict[str, dict[str, list[str]]] = {}
    for category in categories:
        begun = (category.key,) if category.key in known else origins.get(category.key, ())
        for format in BENCHMARKS:
            given = category.names.get(format)
            names = [given] if given else translated(version.taxonomy.preset, begun, format)
            if names:
                found.setdefault(category.key, {})[format] = names
    return found


def origins_in(version: TaxonomyVersion) -> dict[str, tuple[str, ...]]:
    """The preset's categories that each category grew out of."""
    first = version.taxonomy.versions.order_by("number")[0]
    return ways(version, first)


def translated(preset: str, keys: Iterable[str], format: str) -> list[str]:
    names = {category.key: category.name for category in load(format).categories}
    found: list[str] = []
    for key in keys:
        translation = translate(preset, key, format)
        found += [names[each] for each in (translation.keys if translation else ())]
    return list(dict.fromkeys(found))


def load_or_none(name: str):
    return load(name) if name not in ("", "none") else None
