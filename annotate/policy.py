"""Who may do what: one table. Views and the API ask `require`; nothing else decides by role."""

from annotate.models import Membership, Project

ANNOTATOR, ADJUDICATOR, LEAD, VIEWER = Membership.Role.values
EVERYBODY = frozenset({ANNOTATOR, ADJUDICATOR, LEAD, VIEWER})

ALLOWED: dict[str, frozenset[str]] = {
    "see project": EVERYBODY,
    "annotate": frozenset({ANNOTATOR}),
    "see figures": frozenset({LEAD, VIEWER}),
    "see items": frozenset({LEAD}),
    "see people": frozenset({LEAD}),
    "see cases": frozenset({ADJUDICATOR, LEAD}),
    "rule": frozenset({ADJUDICATOR}),
    "rule again": frozenset({ADJUDICATOR}),  # one's own ruling
    "see codebook": EVERYBODY,
    "propose codes": frozenset({ANNOTATOR, ADJUDICATOR, LEAD}),
    "refine codebook": frozenset({LEAD}),
    "recode": frozenset({ANNOTATOR, LEAD}),
    "see jobs": frozenset({LEAD}),
    "cancel job": frozenset({LEAD}),
    "see spend": frozenset({LEAD}),
    "ask models": frozenset({LEAD}),
    "see releases": frozenset({LEAD, VIEWER}),
    "export gold": frozenset({LEAD, VIEWER}),
    "export annotator": frozenset({LEAD}),
    "release": frozenset({LEAD}),
    "reopen": frozenset({LEAD}),
    "read memos": frozenset({LEAD}),
    "declare contrasts": frozenset({LEAD}),
    "score suggestions": frozenset({LEAD}),
    "manage members": frozenset({LEAD}),
    "close project": frozenset({LEAD}),
    "set rules": frozenset({LEAD}),
    "set reveal rule": frozenset({LEAD}),
}


class Forbidden(Exception):
    """A member without the role. Strangers are told that there is no such project (Project.DoesNotExist)."""

    def __init__(self, verb: str, roles: frozenset[str]):
        wanted = " or ".join(sorted(ALLOWED[verb]))
        held = ", ".join(sorted(roles)) or "none"
        super().__init__(f"to {verb} takes the role {wanted}; you are {held} here")


def roles_of(user, project: Project) -> frozenset[str]:
    if not user.is_authenticated:
        return frozenset()
    return frozenset(Membership.objects.filter(user_id=user.pk, project=project).values_list("role", flat=True))


def may(user, verb: str, project: Project) -> bool:
    return bool(ALLOWED[verb] & roles_of(user, project))


def require(user, verb: str, project: Project) -> frozenset[str]:
    """The user's roles where one of them allows the verb. No exception for superusers."""
    roles = roles_of(user, project)
    if not roles:
        raise Project.DoesNotExist
    if not ALLOWED[verb] & roles:
        raise Forbidden(verb, roles)
    return roles
