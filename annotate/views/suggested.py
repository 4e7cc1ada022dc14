from dataclasses import asdict

from django.http import JsonResponse
from django.views.decorators.http import require_GET

from annotate.actions import show_suggestions
from annotate.queries import own_annotation
from annotate.reveal import is_revealed
from annotate.views.json_answers import answers_json, refusal
from annotate.views.run import item_of


@require_GET
@answers_json
def item_suggestions(request, item_id):
    """Asked again it answers the same; where nothing may be seen, it does not say whether there is anything."""
    item = item_of(request, item_id)
    annotation = own_annotation(request.user, item)
    if annotation is None or not is_revealed(annotation):
        return refusal(404, "not_found", "There is nothing here for you.")
    found = show_suggestions(item=item, user=request.user)
    return JsonResponse({"suggestions": [asdict(each) for each in found]})
