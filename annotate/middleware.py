from django.http import JsonResponse
from django.views import defaults

from annotate.models import Project
from annotate.policy import Forbidden


class PolicyAnswers:
    """Turns what the policy refuses into an answer: 403 for a member without the role, 404 for a stranger."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_exception(self, request, exception):
        if isinstance(exception, Project.DoesNotExist):
            return stranger(request, exception)
        if isinstance(exception, Forbidden):
            return wrong_role(request, exception)
        return None


def stranger(request, exception):
    if request.content_type == "application/json":
        return JsonResponse({"error": "not_found", "message": "There is nothing here."}, status=404)
    return defaults.page_not_found(request, exception)


def wrong_role(request, exception):
    if request.content_type == "application/json":
        return JsonResponse({"error": "not_yours", "message": str(exception)}, status=403)
    return defaults.permission_denied(request, exception)
