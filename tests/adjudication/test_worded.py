import pytest

from adjudication.figure_table import lines
from adjudication.worded import in_words, worded
from taxonomy.models import Category, TaxonomyVersion
from taxonomy.queries import category_names
from tests.factories import make_project

NAMES = {"invalid_invocation": "Invalid Invocation"}


def test_a_key_becomes_the_name_where_one_is_known():
    assert worded("invalid_invocation", "category", NAMES) == "Invalid Invocation"
    assert worded("gone_since", "category", NAMES) == "gone since"
    assert worded("critical", "outcome", NAMES) == "critical failure"
    assert worded("web_surfer", "agent", {"web_surfer": "no category"}) == "web_surfer"


def test_each_category_against_the_rest_stands_under_its_name():
    no = {"value": None, "undefined": "only one value"}
    category = {"n": 2, "one_vs_rest": [{"value": "invalid_invocation", "used_in": 1, "kappa": no, "alpha": no}]}
    told = in_words({"measures": {"category": category}}, NAMES)
    assert [line.statistic for line in lines(told)] == [
        "κ, Invalid Invocation against the rest",
        "α nominal, Invalid Invocation against the rest",
    ]


def test_why_a_figure_is_undefined_names_the_only_value_in_words():
    def only(value):
        kappa = {"value": None, "undefined": f"only one value used: {value}; observed agreement 1.0"}
        return {"n": 1, "kappa": kappa, "confusion": {"values": [value], "counts": [[1]]}}

    given = {"measures": {"category": only("invalid_invocation"), "outcome": only("critical")}}
    told = in_words(given, NAMES)["measures"]
    assert told["category"]["kappa"]["undefined"] == "only one value used: Invalid Invocation; observed agreement 1.0"
    assert told["outcome"]["kappa"]["undefined"] == "only one value used: critical failure; observed agreement 1.0"
    assert told["category"]["confusion"]["values"] == ["invalid_invocation"], "links are made of keys"


@pytest.mark.django_db
def test_names_are_those_of_the_version_and_of_others_the_latest():
    first = make_project().taxonomy_version
    second = TaxonomyVersion.objects.create(taxonomy=first.taxonomy, number=2)
    Category.objects.create(version=second, key="invalid_invocation", name="Wrong Call", order=1)
    Category.objects.create(version=second, key="late_answer", name="Late Answer", order=2)
    before, after = category_names(first), category_names(second)
    assert (before["invalid_invocation"], after["invalid_invocation"]) == ("Invalid Invocation", "Wrong Call")
    assert before["late_answer"] == "Late Answer" and after["system_failure"] == "System Failure"
