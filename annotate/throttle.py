"""What one person may do only so often a minute, counted in the database: the limits hold over all web processes."""

import hashlib
from datetime import timedelta
from functools import wraps
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from people.models import Attempt

WINDOW = timedelta(minutes=1)
FAILED_LOG_INS = 10  # under one name from one address
FAILED_FROM_AN_ADDRESS = 100  # under whatever names
HEAVY_PAGES = 120
TOO_MANY = "You have asked for many pages that take long to compute. Wait a minute, then try again."


def name_key(username: str, request: HttpRequest) -> str:
    return hashed("login", f"{username.casefold()}\0{address_of(request)}")


def address_key(request: HttpRequest) -> str:
    return hashed("address", address_of(request))


def hashed(what: str, who: str) -> str:
    return f"{what}:{hashlib.sha256(who.encode()).hexdigest()}"


def address_of(request: HttpRequest) -> str:
    """The client's address as the outermost of our own proxies saw it; what stands left of that anybody can make up."""
    nearest = request.META.get("REMOTE_ADDR", "")
    passed = request.headers.get("X-Forwarded-For", "").split(",")
    if not 0 < settings.TRUSTED_PROXIES <= len(passed):
        return nearest
    try:
        return str(ip_address(passed[-settings.TRUSTED_PROXIES].strip()))
    except ValueError:
        return nearest


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
