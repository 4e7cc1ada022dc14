from django.core.management.base import CommandError

from people.actions import AlreadyRevoked, revoke_token
from people.commands import AssayCommand
from people.models import MARK, Token


class Command(AssayCommand):
    help = "Make a key to the API useless, from this moment on. `tokens USER` lists how they begin."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("prefix", metavar="PREFIX", help="how the token begins")

    def handle(self, prefix, **options):
        try:
            token = revoke_token(token=token_beginning(prefix), by=self.actor(options))
        except AlreadyRevoked as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            facts = {"user": token.user.username, "prefix": token.prefix, "scope": token.scope}
            self.print_json({**facts, "revoked_at": token.revoked_at.isoformat()})
            return
        self.stdout.write(f"the {token.scope} token {token.prefix}… of {token.user.username} is revoked")


def token_beginning(prefix: str) -> Token:
    """The one that begins so; those revoked before are passed by where another does."""
    if len(prefix) <= len(MARK):
        raise CommandError(f"every token begins with “{MARK}”; give more of it")
    found = Token.objects.filter(prefix__startswith=prefix)
    tokens = list(found.filter(revoked_at=None) or found)
    if not tokens:
        raise CommandError(f"no token begins with “{prefix}”; `manage.py tokens USER` lists how they begin")
    if len(tokens) > 1:
        raise CommandError(f"{len(tokens)} tokens begin with “{prefix}”; give more of it")
    return tokens[0]
