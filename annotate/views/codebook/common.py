from django.shortcuts import get_object_or_404

from annotate.models import Membership, Project
from annotate.policy import may, require
from suggestions.llm.providers import BadModelSettings, models
from traces.formats.cleaning import Cleaner

COUNTING = {Membership.Role.LEAD, Membership.Role.ADJUDICATOR}
# What a part of a page is called, its URL, and who is shown it.
PARTS = (
    ("board", "codebook", "see codebook"),
    ("proposals", "codebook_proposals", "see codebook"),
    ("versions", "codebook_versions", "see codebook"),
    ("recoding", "codebook_recode", "recode"),
    ("statistics", "codebook_statistics", "see figures"),
    ("history", "codebook_history", "refine codebook"),
    ("print", "codebook_print", "see codebook"),
)


def project_for(user, slug: str, verb: str) -> tuple[Project, frozenset[str]]:
    """The project, and the roles in which its reader may do this here; else 404 or Forbidden."""
    projects = Project.objects.visible_to(user).select_related("taxonomy_version__taxonomy")
    project = get_object_or_404(projects, slug=slug)
    return project, require(user, verb, project)


def around(request, project: Project, part: str) -> dict:
    """What every page of the codebook shows: where one is, and what one may do."""
    return {
        "project": project,
        "version": project.taxonomy_version,
        "part": part,
        "parts": [(words, url) for words, url, verb in PARTS if may(request.user, verb, project)],
        "refines": may(request.user, "refine codebook", project),
        "names_by_model": model_is_configured(),
        "proposes": may(request.user, "propose codes", project),
    }


def model_is_configured() -> bool:
    try:
        return bool(models())
    except BadModelSettings:
        return False  # the page of models says what is wrong with the file


def sees_counts(roles: frozenset[str]) -> bool:
    return bool(COUNTING & set(roles))


def given(request, name: str) -> str:
    """A form's text without what the database could not keep."""
    return str(Cleaner().clean(request.POST.get(name, ""))).strip()


def asked(request, name: str) -> str:
    """The same of a link's text."""
    return str(Cleaner().clean(request.GET.get(name, ""))).strip()


def number(text: str, otherwise: int = 0) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else otherwise
