from django.utils import timezone

from adjudication.agreement import agreement
from adjudication.bootstrap import Bootstrap
from adjudication.models import AgreementFigures
from adjudication.study import study_of
from annotate.models import Project


def recompute(project: Project) -> AgreementFigures:
    """The agreement of the project over the blind submissions of now. The same rows give the same figures."""
    as_of = timezone.now()
    figures = agreement(study_of(project), Bootstrap(seed=project.seed))
    kept, _ = AgreementFigures.objects.update_or_create(
        project=project, defaults={"figures": {"project": project.slug, **figures}, "as_of": as_of}
    )
    return kept
