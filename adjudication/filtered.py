"""Agreement under a filter, for one reader: never over an item of which she must not know how colleagues judged it.

A filter can narrow figures down to a single item, and then they are per-item agreement. So filtered figures leave out
every item that the reader may still annotate or has to judge first. Figures of the whole project stay visible to her,
and where only few items are left out, subtracting one from the other would tell of those: then nothing is filtered.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from adjudication.agreement import agreement, measures
from adjudication.answers import ARM_WORDS, Answered, full_answers_of, of_arm, recoded
from adjudication.bootstrap import Bootstrap
from adjudication.filters import Choices, Filter
from adjudication.judgements import ItemFacts, Judgement, Study
from adjudication.pseudonyms import key_of, shown_names
from adjudication.standing import FEW, hidden_from
from adjudication.study import facts_of
from annotate.models import Project
from taxonomy.models import TaxonomyVersion
from taxonomy.queries import category_names

ANOTHER = "another category"


@dataclass(frozen=True)
class Reading:
    """The answers of a project as one person may have them filtered."""

    project: Project
    roles: frozenset[str]
    left_out: frozenset[int]
    everything: tuple[Answered, ...]
    items: tuple[ItemFacts, ...]

    @classmethod
    def of(cls, user, project: Project, roles: Iterable[str]) -> "Reading":
        left_out = hidden_from(user, project)
        return cls(project, frozenset(roles), left_out, tuple(full_answers_of(project)), tuple(facts_of(project)))

    @cached_property
    def answers(self) -> list[Answered]:
        return [each for each in self.everything if each.item not in self.left_out]

    @cached_property
    def is_closed(self) -> bool:
        """So few compared items are left out that figures without them would tell of them."""
        people = Counter(each.item for each in self.everything if each.item in self.left_out)
        return 0 < sum(n > 1 for n in people.values()) < FEW

    @cached_property
    def names(self) -> dict[str, str]:
        return shown_names(self.project, {each.judgement.annotator for each in self.everything}, self.roles)

    @cached_property
    def choices(self) -> Choices:
        people = {each.judgement.annotator for each in self.answers}
        names = self.category_names(Filter())
        used = {each.judgement.category for each in self.answers if each.judgement.category}
        versions = TaxonomyVersion.objects.filter(taxonomy=self.project.taxonomy_version.taxonomy_id)
        return Choices(
            domains=tuple(sorted({item.domain for item in self.items if item.domain})),
            categories={key: names.get(key, key) for key in sorted(used, key=lambda key: names.get(key, key))},
            annotators={key_of(self.project, name): self.names[name] for name in sorted(people)},
            versions=tuple(versions.order_by("number").values_list("number", flat=True)),
            arms={arm.value: words for arm, words in ARM_WORDS.items()},
        )

    def version(self, filter: Filter) -> TaxonomyVersion:
        used = self.project.taxonomy_version
        if filter.version in (None, used.number):
            return used
        return TaxonomyVersion.objects.get(taxonomy=used.taxonomy_id, number=filter.version)

    def category_names(self, filter: Filter) -> dict[str, str]:
        return category_names(self.version(filter)) | {"none_fits": "none fits"}

    def selected(self, filter: Filter) -> "Selection":
        answers = of_arm(self.answers, filter.arm)
        if filter.version is not None:
            answers = recoded(answers, self.version(filter))
        pair = {filter.a, filter.b} - {""}
        judgements = [
            replace(each.judgement, annotator=self.names[each.judgement.annotator])
            for each in answers
            if (not pair or key_of(self.project, each.judgement.annotator) in pair) and in_time(each.judgement, filter)
        ]
        items = [
            item for item in self.items if int(item.item_id) not in self.left_out and filter.domain in ("", item.domain)
        ]
        known = {item.item_id for item in items}
        judgements = [judgement for judgement in judgements if judgement.item_id in known]
        return Selection(filter, Study.of(items, judgements), len(self.left_out))


@dataclass(frozen=True)
class Selection:
    filter: Filter
    study: Study
    left_out: int

    @cached_property
    def named(self) -> Study:
        """For every measure but the category's: the runs on which at least one annotator named the chosen category."""
        if not self.filter.category:
            return self.study
        runs = {j.item_id for j in self.study.judgements if j.category == self.filter.category}
        items = [item for item in self.study.items if item.item_id in runs]
        return Study.of(items, [j for j in self.study.judgements if j.item_id in runs])

    @cached_property
    def against_all_others(self) -> Study:
        """For the category's measure: all runs, the category against every other one."""
        chosen = self.filter.category
        judgements = [
            replace(j, category=(j.category if j.category == chosen else ANOTHER) if j.category else None)
            for j in self.study.judgements
        ]
        return Study.of(self.study.items, judgements)

    def study_for(self, measure: str) -> Study:
        if self.filter.category and measure == "category":
            return self.against_all_others
        return self.named

    def figures(self, bootstrap: Bootstrap, published: bool) -> dict[str, Any]:
        told = agreement(self.named, bootstrap, published=published)
        if self.filter.category:
            told["measures"]["category"] = measures(self.against_all_others, bootstrap, published=published)["category"]
        return told | {"items_left_out": self.left_out}


def in_time(judgement: Judgement, filter: Filter) -> bool:
    at = judgement.submitted_at
    if at is None:
        return True
    return (filter.starts_at is None or at >= filter.starts_at) and (
        filter.ends_before is None or at < filter.ends_before
    )


def key_for(filter: Filter, left_out: Iterable[int], roles: Iterable[str]) -> str:
    """Kept figures are found again only for the same filter, the same items left out and the same names."""
    told = json.dumps([filter.given, sorted(left_out), "lead" in set(roles)])
    return hashlib.sha256(told.encode()).hexdigest()
