"""Failed log-ins per user name and address, counted in the cache for a minute."""

import hashlib

from django.core.cache import cache
from django.http import HttpRequest

FAILURES = 10
SECONDS = 60


def key_of(username: str, request: HttpRequest) -> str:
    who = f"{username.casefold()}\0{request.META.get('REMOTE_ADDR', '')}"
    return f"login:{hashlib.sha256(who.encode()).hexdigest()}"


def is_over(key: str) -> bool:
    return cache.get(key, 0) >= FAILURES


def count(key: str) -> None:
    cache.add(key, 0, SECONDS)
    try:
        cache.incr(key)
    except ValueError:  # it ran out between the two calls
        cache.set(key, 1, SECONDS)


def forget(key: str) -> None:
    cache.delete(key)
