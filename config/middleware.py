from django.conf import settings
from django.db import OperationalError
from django.db.utils import InterfaceError
from django.http import HttpResponse, JsonResponse

AWAY = "The database is being restarted. Your text is kept in this browser and is sent again by itself."


class SecurityHeaders:
    """The Content-Security-Policy of settings.SECURE_CSP on every answer, and no shared caching of private pages."""

    def __init__(self, get_response):
        self.get_response = get_response
        self.policy = "; ".join(f"{name} {' '.join(values)}" for name, values in settings.SECURE_CSP.items())

    def __call__(self, request):
        response = self.get_response(request)
        if request.path.startswith(f"/{settings.STATIC_URL.strip('/')}/"):
            return response  # scripts and styles stand under the policy of the page that asked for them
        response.headers["Content-Security-Policy"] = self.policy
        response.headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class DatabaseAway:
    """A database that is being restarted is a 503 that says so, not a crash: the browser keeps and resends."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        try:
            return self.get_response(request)
        except (OperationalError, InterfaceError):
            return away(request)

    def process_exception(self, request, exception):
        if isinstance(exception, OperationalError | InterfaceError):
            return away(request)
        return None


def away(request):
    if request.content_type == "application/json" or request.path.startswith("/api/"):
        response = JsonResponse({"error": "database_away", "message": AWAY}, status=503)
    else:
        response = HttpResponse(AWAY, status=503, content_type="text/plain; charset=utf-8")
    response.headers["Retry-After"] = "2"
    return response
