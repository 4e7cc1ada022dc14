import pytest
from django.urls import reverse

from adjudication.models import Case
from annotate.models import SuggestionEvent
from people.models import AuditEvent
from suggestions.models import Judgement
from tests.adjudication.worlds import disagree
from tests.factories import make_user

pytestmark = pytest.mark.django_db
PLANTED = "the lamp was never exchanged"


@pytest.fixture
def case(project):
    case = disagree(project)
    Judgement.objects.create(
        trajectory=case.item.trajectory,
        source="made",
        model="m-1",
        protocol="all_at_once",
        critical_step=1,
        reason=PLANTED,
    )
    return case


def page(client, case) -> str:
    return client.get(reverse("case", args=[case.pk])).content.decode()


def test_suggestions_stay_closed_until_asked_for_and_that_is_recorded(client, case, ada):
    client.force_login(ada)
    assert PLANTED not in page(client, case) and "m-1" not in page(client, case)

    answer = client.post(reverse("case_suggestions", args=[case.pk]))
    assert answer.status_code == 302
    assert PLANTED in page(client, case)
    kinds = SuggestionEvent.objects.filter(user=ada).values_list("kind", flat=True)
    assert list(kinds) == ["opened", "shown"]
    assert AuditEvent.objects.filter(verb="suggestions opened", by=ada).exists()


@pytest.mark.parametrize(
    ("spelt", "shown"), [("InvalidInvocation", "Invalid Invocation"), ("Of its own", "Of its own")]
)
def test_a_category_of_the_taxonomy_is_called_by_its_name(client, case, ada, spelt, shown):
    Judgement.objects.update(category=spelt)
    client.force_login(ada)
    client.post(reverse("case_suggestions", args=[case.pk]))
    assert f'<span class="tag"><bdi>{shown}</bdi></span>' in page(client, case)


@pytest.mark.parametrize(("name", "status"), [("ann", 404), ("vic", 404), ("eve", 404), ("mia", 302)])
def test_who_may_not_see_the_case_opens_nothing(client, case, name, status):
    client.force_login(make_user(name))
    assert client.post(reverse("case_suggestions", args=[case.pk])).status_code == status
    assert SuggestionEvent.objects.exists() is (status == 302)


def test_who_is_to_judge_first_does_not_open_them_before(client, case, ada):
    Case.objects.update(judge_first=True)
    client.force_login(ada)
    assert client.post(reverse("case_suggestions", args=[case.pk])).status_code == 404
