"""Words in a run: which steps hold them, text stored apart included."""

import json

from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat

from traces.models import Blob

MOST = 2000


def text_at(path: str) -> Cast:
    values = Func(
        F("blocks"), Value(path), function="jsonb_path_query_array", template="%(function)s(%(expressions)s::jsonpath)"
    )
    return Cast(values, TextField())


def positions_with(steps: QuerySet, words: str) -> list[int]:
    """Positions of the steps whose words, calls or speaker contain the text, whatever its case."""
    spelling = json.dumps(words, ensure_ascii=False)[1:-1]
    searched = Concat(text_at("$[*].text"), text_at("$[*].arguments"), text_at("$[*].tool_name"))
    found = steps.annotate(searched=searched).filter(
        Q(searched__icontains=spelling) | Q(searched__icontains=twice_spelt(spelling)) | Q(agent__icontains=words)
    )
    positions = set(found.order_by("position").values_list("position", flat=True)[:MOST])
    return sorted(positions | stored_apart_with(steps, words))[:MOST]


def stored_apart_with(steps: QuerySet, words: str) -> set[int]:
    """Positions of the steps with a long block, of which the step keeps only the beginning, that holds the words."""
    positions: dict[str, set[int]] = {}
    long = steps.annotate(blobs=text_at("$[*].blob")).exclude(blobs="[]")
    for position, blobs in long.values_list("position", "blobs"):
        for blob in json.loads(blobs):
            positions.setdefault(blob, set()).add(position)
    text = Func(F("content"), Value("UTF8"), function="convert_from", output_field=TextField())
    held = Blob.objects.filter(pk__in=positions).annotate(text=text).filter(text__icontains=words)
    return set().union(*(positions[pk] for pk in held.values_list("pk", flat=True)))


def twice_spelt(spelling: str) -> str:
    """Inside arguments, which are JSON within JSON."""
    return json.dumps(spelling, ensure_ascii=False)[1:-1]
