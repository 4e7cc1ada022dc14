"""What a release says about itself."""

import tomllib
from collections import Counter
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import timezone

from adjudication.models import AgreementFigures
from annotate.models import Project
from annotate.protocols import protocol_of
from exports.rows import LeftOut, Row


class Counts:
    """Counts rows on their way into a release."""

    def __init__(self) -> None:
        self.by_basis: dict[str, Counter[str]] = {}
        self.outcomes: Counter[str] = Counter()
        self.processes: Counter[str] = Counter()
        self.definitions: Counter[str] = Counter()

    def add(self, row: Row) -> None:
        provenance = row.label.provenance
        for name, field in provenance["basis"].items():
            self.by_basis.setdefault(name, Counter())[field["basis"]] += 1
        self.outcomes[row.label.outcome] += 1
        self.processes[" + ".join(provenance["processes"])] += 1
        self.definitions[" + ".join(provenance["definitions"]) or "adjudicated"] += 1

    def as_json(self) -> dict[str, Any]:
        return {
            "by_basis": {name: dict(sorted(counts.items())) for name, counts in sorted(self.by_basis.items())},
            "by_outcome": dict(sorted(self.outcomes.items())),
            "by_process": dict(sorted(self.processes.items())),
            "by_definition": dict(sorted(self.definitions.items())),
        }


def manifest_of(project: Project, name: str, sha256: str, counts: Counts, left_out: list[LeftOut]) -> dict[str, Any]:
    return {
        "name": name,
        "project": {"slug": project.slug, "name": project.name, "dataset": project.dataset.slug},
        "protocol": protocol_facts(project),
        "taxonomy": taxonomy_facts(project),
        "agreement": agreement_facts(project),
        "labels": counts.outcomes.total(),
        **counts.as_json(),
        "left_out": [{"source": each.source, "trajectory": each.trajectory, "why": each.why} for each in left_out],
        "rows": {"format": "jsonl", "sha256": sha256},
        "made_with": {"assay": version()},
        "made_at": timezone.now().isoformat(),
    }


def protocol_facts(project: Project) -> dict[str, Any]:
    protocol = protocol_of(project.protocol)
    return {
        "name": protocol.name,
        "questions": [{"key": each.key, "unit": each.unit, "sha256": each.sha256} for each in protocol.questions],
        "layers": protocol.visible_layers(project.layers),
        "overlap": project.overlap,
        "reveal": project.reveal,
        "takes_definitions_as_one": project.takes_definitions_as_one,
        "single_is_gold": project.single_is_gold,
    }


def taxonomy_facts(project: Project) -> dict[str, Any]:
    version = project.taxonomy_version
    return {
        "slug": version.taxonomy.slug,
        "preset": version.taxonomy.preset,
        "version": version.number,
        "frozen_at": version.frozen_at.isoformat() if version.frozen_at else None,
        "categories": list(version.categories.values("key", "name", "definition")),
    }


def agreement_facts(project: Project) -> dict[str, Any] | None:
    """The figures as last computed, with when; None where nobody has computed any."""
    kept = AgreementFigures.objects.filter(project=project).first()
    return None if kept is None else {"as_of": kept.as_of.isoformat(), "figures": kept.figures}


@cache
def version() -> str:
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]["version"]
