from datetime import datetime

from django.utils import timezone

from people.commands import AssayCommand, person
from people.models import Token


class Command(AssayCommand):
    help = "List a user's keys to the API by how they begin. Their secrets are not kept."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("user")

    def handle(self, user, **options):
        owner = person(user)
        tokens = list(owner.tokens.order_by("created_at", "pk"))
        if options["json"]:
            self.print_json({"user": owner.username, "tokens": [facts(token) for token in tokens]})
            return
        for token in tokens:
            self.stdout.write(f"{token.prefix}…  {token.scope:<5}  {standing(token)}")
        if not tokens:
            self.stdout.write(f"{owner.username} has no tokens")


def facts(token: Token) -> dict:
    moments = ("created_at", "expires_at", "revoked_at", "last_used_at")
    return {"prefix": token.prefix, "scope": token.scope} | {name: told(getattr(token, name)) for name in moments}


def told(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def standing(token: Token) -> str:
    ends = "never expires"
    if token.expires_at:
        ends = f"{'expires' if token.expires_at > timezone.now() else 'expired'} {token.expires_at:%Y-%m-%d}"
    return f"{ends}, revoked {token.revoked_at:%Y-%m-%d}" if token.revoked_at else ends
