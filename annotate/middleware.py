from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import JsonResponse
from django.shortcuts import resolve_url
from django.views import defaults
from django_htmx.http import HttpResponseClientRedirect

from annotate.models import Project
from annotate.policy import Forbidden


class PolicyAnswers:
    """Turns what the policy refuses into an answer: 403 for a member without the role, 404 for a stranger.

    Where a fragment is refused because the session ended, the page around it goes to the log-in.
    """

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        if request.htmx and response.status_code == 302 and is_login(response.url):
            return HttpResponseClientRedirect(login_back_to(request.htmx.current_url_abs_path))
        return response

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


def is_login(url: str) -> bool:
    return urlsplit(url).path == resolve_url(settings.LOGIN_URL)


def login_back_to(path: str | None) -> str:
    """A fragment of a page whose session ended sends the whole page to the log-in, not the log-in into the page."""
    return f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': path or '/'})}"
