"""The run itself, in fragments: steps by window, long blocks whole, layers, search. All of it through steps_for."""

import json
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from annotate.cards import cards, words_of
from annotate.models import Item
from annotate.pictures import picture_in
from annotate.queries import columns_for, item_for, layers_for, steps_for
from annotate.search import positions_with
from annotate.skeleton import Palette
from annotate.views.json_answers import Malformed, answers_json
from traces.models import Blob, Step

WINDOW = 60
AROUND = 6  # steps looked at beyond a window, for the call or result of a pair
MAX_SEARCH = 200


def item_of(request, item_id: int) -> Item:
    try:
        return item_for(request.user, item_id)
    except Item.DoesNotExist:
        raise Http404 from None


def palette_of(user, item: Item) -> Palette:
    return Palette(columns_for(user, item)["agents"])


@gzip_page
@require_GET
@answers_json
def item_steps(request, item_id):
    """Cards of the steps from ≤ position < to; at most WINDOW at once."""
    start, stop = asked_position(request, "from"), asked_position(request, "to")
    if not start < stop <= start + WINDOW:
        raise Malformed(f"expected from < to, at most {WINDOW} steps at once", "to")
    item = item_of(request, item_id)
    context = {"item": item, **window_of(request.user, item, start, stop)}
    return render(request, "annotate/steps.html", context)


def window_of(user, item: Item, start: int, stop: int) -> dict:
    """What steps.html shows of these positions."""
    steps = list(steps_for(user, item, max(0, start - AROUND), stop + AROUND))
    shown = cards(steps, range(start, stop), palette_of(user, item).hue)
    return {"cards": shown, "n_steps": item.trajectory.n_steps}


def asked_position(request, name: str) -> int:
    value = request.GET.get(name, "")
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        raise Malformed("expected a position, counted from 0", name)
    return int(value)


@gzip_page
@require_GET
@answers_json
def item_block(request, item_id, step, block):
    """All the words of one block as plain text; with ?download it is saved instead of shown."""
    item = item_of(request, item_id)
    row = steps_for(request.user, item, step, step + 1).first()
    if row is None or block >= len(row.blocks):
        raise Http404
    response = HttpResponse(whole(row, block), content_type="text/plain; charset=utf-8")
    kind = "attachment" if "download" in request.GET else "inline"
    response.headers["Content-Disposition"] = f'{kind}; filename="item-{item.pk}-step-{step}-block-{block}.txt"'
    return response


@require_GET
@answers_json
def item_image(request, item_id, step, block):
    """The picture a block brought along."""
    item = item_of(request, item_id)
    row = steps_for(request.user, item, step, step + 1).first()
    if row is None or block >= len(row.blocks):
        raise Http404
    words = whole(row, block)
    found = picture_in(words.decode(errors="replace") if isinstance(words, bytes) else words)
    if found is None:
        raise Http404
    content, kind = found
    return HttpResponse(content, content_type=kind)


def whole(step: Step, block: int) -> str | bytes:
    content = step.blocks[block]
    if "blob" in content:
        return bytes(Blob.objects.get(pk=content["blob"]).content)
    return words_of(content)


@require_GET
@answers_json
def item_search(request, item_id):
    words = request.GET.get("q", "").replace("\0", "").strip()
    if not words or len(words) > MAX_SEARCH:
        raise Malformed(f"expected 1 to {MAX_SEARCH} characters to search for", "q")
    item = item_of(request, item_id)
    return JsonResponse({"positions": positions_with(steps_for(request.user, item), words)})


@gzip_page
@require_GET
@answers_json
def item_layers(request, item_id):
    """What the annotator may know beyond the steps: task, policy, tools, and the categories' definitions."""
    item = item_of(request, item_id)
    trajectory = item.trajectory
    context = {
        "item": item,
        "guideline": guideline(),
        "layers": [(name.replace("_", " "), lines(value)) for name, value in layers_for(request.user, item).items()],
        "policy": text_of(trajectory.policy_id),
        "toolset": readable(json.loads(text_of(trajectory.toolset_id) or "null")),
        "categories": item.project.taxonomy_version.categories.all(),
    }
    return render(request, "annotate/layers.html", context)


@lru_cache(maxsize=1)
def guideline() -> str:
    return (settings.BASE_DIR / "docs" / "guideline.md").read_text()


def text_of(blob: str | None) -> str:
    return "" if blob is None else bytes(Blob.objects.get(pk=blob).content).decode()


def lines(layer) -> list[tuple[str, str]]:
    """The parts of a layer by name; one without names is one part."""
    parts = layer.items() if isinstance(layer, dict) else [("", layer)]
    return [(name.replace("_", " "), readable(value)) for name, value in parts]


def readable(value) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, indent=2)
