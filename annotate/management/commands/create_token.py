from datetime import timedelta

from django.core.management.base import CommandError
from django.utils import timezone

from people.actions import create_token
from people.commands import AssayCommand, person
from people.models import Token


class Command(AssayCommand):
    help = "Make a key to the API for a person. It is printed once; only its digest is kept."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("user")
        parser.add_argument("--scope", required=True, choices=Token.Scope.values)
        parser.add_argument("--days", type=int, help="how long it works; for ever where not given")

    def handle(self, user, scope, days, **options):
        owner = person(user)
        if not owner.is_person:
            raise CommandError(f"“{owner.username}” is a user of kind {owner.kind}; only people have tokens")
        if not owner.is_active:
            raise CommandError(f"“{owner.username}” is not active")
        if days is not None and not 1 <= days <= 3650:
            raise CommandError(f"--days {days} is not possible; give 1 to 3650")
        expires_at = timezone.now() + timedelta(days=days) if days else None
        token, secret = create_token(user=owner, scope=scope, by=self.actor(options), expires_at=expires_at)
        if options["json"]:
            ends = token.expires_at.isoformat() if token.expires_at else None
            self.print_json({"user": owner.username, "scope": token.scope, "token": secret, "expires_at": ends})
            return
        self.stderr.write(f"a {token.scope} token for {owner.username}; it is shown this once:")
        self.stdout.write(secret)
