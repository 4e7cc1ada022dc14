"""Short ways to read labels and look at the result."""

import json
from pathlib import Path

from annotate.formats import read_labels
from annotate.formats.drafts import LabelDraft
from traces.formats.drafts import Problem

SAMPLES = Path(__file__).parent / "samples"


def split(results) -> tuple[list[LabelDraft], list[Problem]]:
    results = list(results)
    labels = [result for result in results if isinstance(result, LabelDraft)]
    return labels, [result for result in results if isinstance(result, Problem)]


def written(folder: Path, value: object, format: str) -> tuple[list[LabelDraft], list[Problem]]:
    path = folder / "labels.json"
    path.write_text(json.dumps(value))
    return split(read_labels([path], format))
