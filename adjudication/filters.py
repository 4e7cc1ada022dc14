"""One filter over one set of agreement figures."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlencode

from adjudication.answers import ARM_WORDS, Arm

NAMES = ("domain", "category", "a", "b", "version", "arm", "since", "until")


class BadFilter(ValueError):
    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: {expected}")
        self.field, self.expected = field, expected


@dataclass(frozen=True)
class Choices:
    """What a project offers to filter by. Annotators are keyed so that a link tells nobody's name."""

    domains: tuple[str, ...]
    categories: Mapping[str, str]  # name by key
    annotators: Mapping[str, str]  # shown name by key
    versions: tuple[int, ...]
    arms: Mapping[str, str]


@dataclass(frozen=True)
class Filter:
    """Empty is the whole project, as planned. A category is set against all others; times are days in UTC."""

    domain: str = ""
    category: str = ""
    a: str = ""
    b: str = ""
    version: int | None = None
    arm: Arm = Arm.BLIND
    since: date | None = None
    until: date | None = None

    @property
    def is_empty(self) -> bool:
        return self == Filter()

    @property
    def given(self) -> dict[str, str]:
        """What differs from the whole project, as text: the same filter however its form was filled in."""
        return {
            field.name: str(getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    @property
    def query(self) -> str:
        return urlencode(self.given)

    @property
    def starts_at(self) -> datetime | None:
        return datetime.combine(self.since, time.min, UTC) if self.since else None

    @property
    def ends_before(self) -> datetime | None:
        return datetime.combine(self.until + timedelta(days=1), time.min, UTC) if self.until else None

    def words(self, choices: Choices) -> list[str]:
        """What is looked at, for people and for the paragraph."""
        found = [f"domain {self.domain}"] if self.domain else []
        if self.category:
            found.append(f"category {choices.categories[self.category]} against all others")
        if self.a and self.b:
            found.append(f"{choices.annotators[self.a]} and {choices.annotators[self.b]}")
        if self.version is not None:
            found.append(f"categories of taxonomy version {self.version}")
        if self.arm != Arm.BLIND:
            found.append(f"annotations {ARM_WORDS[self.arm]}")
        found += [f"submitted from {self.since}"] if self.since else []
        found += [f"submitted until {self.until}"] if self.until else []
        return found


def chosen(given: Mapping[str, str], choices: Choices) -> Filter:
    """Raises BadFilter with the field and what was expected."""
    texts = {name: (given.get(name) or "").replace("\0", "").strip() for name in NAMES}
    found = Filter(
        domain=one_of(texts["domain"], choices.domains, "domain", "a domain of this project"),
        category=one_of(texts["category"], choices.categories, "category", "a category in use here"),
        a=one_of(texts["a"], choices.annotators, "a", "an annotator of this project"),
        b=one_of(texts["b"], choices.annotators, "b", "an annotator of this project"),
        version=version_of(texts["version"], choices.versions),
        arm=Arm(one_of(texts["arm"], choices.arms, "arm", "one of the arms") or Arm.BLIND),
        since=day(texts["since"], "since"),
        until=day(texts["until"], "until"),
    )
    if bool(found.a) != bool(found.b) or (found.a and found.a == found.b):
        raise BadFilter("b", "a pair of two different annotators")
    if found.since and found.until and found.since > found.until:
        raise BadFilter("until", "a last day that is not before the first")
    return found


def one_of(text: str, known, field: str, expected: str) -> str:
    if text and text not in known:
        raise BadFilter(field, expected)
    return text


def version_of(text: str, known: tuple[int, ...]) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or len(text) > 9 or int(text) not in known:
        raise BadFilter("version", "a version of this project's taxonomy")
    return int(text)


def day(text: str, field: str) -> date | None:
    try:
        found = date.fromisoformat(text) if text else None
    except ValueError:
        raise BadFilter(field, "a day like 2026-03-29") from None
    if found == date.max:
        raise BadFilter(field, "a day that another one follows")
    return found
