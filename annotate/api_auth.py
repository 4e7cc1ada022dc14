"""Who calls the API: `Authorization: Bearer <token>`, a person's key with a scope."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from people.models import Token

KEYWORD = "Bearer"
USED_EVERY = timedelta(minutes=1)  # a busy script does not write the token's row at every call


class TokenAuthentication(BaseAuthentication):
    """The scope is checked here, so that no view can forget it: read tokens only read."""

    def authenticate(self, request):
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != KEYWORD.lower().encode():
            return None
        if len(words) != 2:
            raise AuthenticationFailed("expected “Authorization: Bearer TOKEN”")
        token = Token.objects.find(words[1].decode("ascii", "replace"))
        if token is None or not token.user.is_person:
            raise AuthenticationFailed("this token is unknown, revoked or has run out")
        if request.method not in SAFE_METHODS and token.scope != Token.Scope.WRITE:
            raise PermissionDenied("this token may only read")
        note_use(token)
        return token.user, token

    def authenticate_header(self, request):
        return KEYWORD


def note_use(token: Token) -> None:
    now = timezone.now()
    before = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
    Token.objects.filter(before, pk=token.pk).update(last_used_at=now)
