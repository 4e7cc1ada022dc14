"""Where the cursor stands in the workbench: never lost, and never where the hands cannot be seen."""

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import (  # noqa: F401  (fixtures among them)
    ann,
    at_rest,
    bench,
    item,
    keys,
    new_code,
    only_failure,
    project,
    saved,
)

# ruff: noqa: F811  (arguments named like the fixtures they ask for)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_questions_of_a_category_do_not_push_the_reason_out_of_sight(bench):
    bench.set_viewport_size({"width": 1440, "height": 900})
    keys(bench, "m")
    new_code(bench, "too early")
    keys(bench, "3")
    expect(bench.locator("[data-checklist=invalid_invocation]")).to_be_visible()
    reason, foot = (bench.locator(each).bounding_box() for each in ("#wb-why", ".wb-form__foot"))
    assert reason["y"] + reason["height"] <= foot["y"]
