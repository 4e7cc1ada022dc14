"""Words in a run: which steps hold them. Stored-apart text is not searched beyond its beginning."""

import json

from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat

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
    return list(found.order_by("position").values_list("position", flat=True)[:MOST])


def twice_spelt(spelling: str) -> str:
    """Inside arguments, which are JSON within JSON."""
    return json.dumps(spelling, ensure_ascii=False)[1:-1]
