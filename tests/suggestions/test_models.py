import pytest

from suggestions.models import Constraint, Judgement, Violation
from tests.breaking import turned_down

pytestmark = pytest.mark.django_db


def test_a_suggestion_is_given_once(item):
    rule = {"name": "pays once", "kind": "PROTOCOL", "check_type": "python", "digest": "d"}
    constraint = Constraint.objects.create(**rule)
    with turned_down("suggestions_constraint_digest"):
        Constraint.objects.create(**rule)
    violation = {"trajectory": item.trajectory, "constraint": constraint, "step": 1, "source": "made"}
    Violation.objects.create(**violation)
    with turned_down("a_violation_is_said_once"):
        Violation.objects.create(**violation)
    judgement = {"trajectory": item.trajectory, "source": "made", "model": "m", "protocol": "whole"}
    Judgement.objects.create(**judgement)
    with turned_down("a_judgement_is_given_once"):
        Judgement.objects.create(**judgement)
