"""What one person may do only so often a minute, counted in the database: the limits hold over all web processes."""

import hashlib
from datetime import timedelta
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from people.models import Attempt

WINDOW = timedelta(minutes=1)
FAILED_LOG_INS = 10
HEAVY_PAGES = 120
TOO_MANY = "You have asked for many pages that take long to compute. Wait a minute, then try again."


def key_of(username: str, request: HttpRequest) -> str:
    who = f"{username.casefold()}\0{request.META.get('REMOTE_ADDR', '')}"
    return f"login:{hashlib.sha256(who.encode()).hexdigest()}"


def is_over(key: str, limit: int = FAILED_LOG_INS) -> bool:
    return Attempt.objects.filter(key=key, at__gt=timezone.now() - WINDOW).count() >= limit


def count(key: str) -> None:
    Attempt.objects.filter(at__lte=timezone.now() - WINDOW).delete()
    Attempt.objects.create(key=key)


def forget(key: str) -> None:
    Attempt.objects.filter(key=key).delete()


def heavy(view):
    """A view that computes for long: HEAVY_PAGES of all such views a minute for one person, then 429."""

    @wraps(view)
    def limited(request, *args, **kwargs):
        key = f"heavy:{request.user.pk}"
        if is_over(key, HEAVY_PAGES):
            headers = {"Retry-After": str(int(WINDOW.total_seconds()))}
            return HttpResponse(TOO_MANY, status=429, content_type="text/plain; charset=utf-8", headers=headers)
        count(key)
        return view(request, *args, **kwargs)

    return limited
