"""Every page that anybody is answered with, in both themes, wide, on a telephone and at 200 % zoom.

Which URLs are pages is asked of the URL conf and of the site itself: a new one is visited without being named here.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser import site
from tests.test_canary import patterns, qualified

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

READERS = ("mia", "ann", "ada", "eve", None)  # viewers are shown less of what leads are shown
THEMES = {"light": {}, "dark": {"runOnly": ["color-contrast", "link-in-text-block"]}}  # the rules on colours
LOOKS = {"wide": (1440, 900), "telephone": (390, 844), "200 % zoom": (720, 450)}
# What a GET answers with a file, a fragment, JSON or a refusal; whatever else there is has to be a page of somebody's.
NO_PAGES = {
    *("healthz", "logout", "cancel_job", "answer_memo", "next_item", "skip_item", "operations", "heartbeat"),
    *("close_project", "open_project"),
    *("item_state", "item_codes", "item_suggestions", "item_memos"),
    *("item_steps", "item_block", "item_image", "item_search", "item_layers"),
    *("codebook_act", "codebook_note", "codebook_example", "codebook_split_chosen", "codebook_cluster"),
    *("codebook_name", "codebook_answer", "codebook_discuss", "codebook_adopt", "codebook_import", "codebook_file"),
    *("recompute", "compute_agreement", "agreement_csv", "score", "declare_contrast", "open_feedback"),
    *("next_case", "rule", "rule_again", "first_look", "claim_case", "skip_case", "case_draft"),
    *("case_suggestions", "case_steps", "case_ahead"),
    *("download_release", "download_gold"),
}
# Changes outline, shadow or edge of every element that can have the focus, or of the label around it.
FOCUS = """
() => {
  const seen = (element) => {
    const around = [element, element.parentElement, element.closest("label, .choice, details")].filter(Boolean);
    const drawn = around.map((one) => {
      const style = getComputedStyle(one);
      const outline = style.outlineStyle === "none" ? "" : style.outlineWidth + style.outlineColor;
      return [outline, style.boxShadow, style.borderColor, style.borderWidth].join();
    });
    return drawn.join("|");
  };
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])";
  const invisible = [];
  for (const element of document.querySelectorAll(focusable)) {
    document.activeElement.blur();
    const before = seen(element);
    element.focus({ preventScroll: true });
    if (document.activeElement === element && seen(element) === before) invisible.push(element.outerHTML.slice(0, 120));
  }
  document.activeElement.blur();
  return invisible;
}
"""
# Only rules on sound and film, of which there is none, would want their files loaded before.
VIOLATIONS = """
async (rules) => {
  const { violations } = await axe.run({ resultTypes: ["violations"], preload: false, ...rules });
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).slice(0, 3).join(" ")}`);
}
"""


@pytest.fixture
def project(transactional_db, tmp_path, monkeypatch):
    monkeypatch.setattr("adjudication.arm_turns.is_drawn", lambda item, user_id: item.pk % 2 == 0)
    return site.build(tmp_path)


def names() -> list[str]:
    return [name for name in map(qualified, patterns()) if not name.startswith("api-")]


def converters(name: str) -> set[str]:
    return next(set(each.pattern.converters) for each in patterns() if qualified(each) == name)


def addresses(name: str, project) -> dict[str, str]:
    """The URL of that name in the demo project and, where it takes nothing else, in the one that nobody has begun."""
    wanted, given = converters(name), site.arguments(project, name)
    assert wanted <= set(given), f"say in site.arguments what to ask {name} for: {wanted - set(given)}"
    query = site.QUERIES.get(name, "")
    found = {name: reverse(name, kwargs={key: given[key] for key in wanted}) + query}
    if wanted == {"slug"}:
        found[f"{name}, empty"] = reverse(name, args=["empty"]) + query
    return found


def pages_of(reader: str | None, urls: dict[str, str]) -> Iterator[tuple[str, str, set]]:
    """Name, URL and kinds of elements of every whole page that this reader is answered with; a refusal is named by its
    number."""
    client = Client()
    if reader:
        client.force_login(site.user(reader))
    for name, url in urls.items():
        answer = client.get(url)
        if not answer.streaming and answer.content.startswith(b"<!doctype html>"):
            is_page = answer.status_code == 200
            yield name if is_page else str(answer.status_code), url, kinds(answer.content.decode())


def kinds(html: str) -> set[tuple[str, str]]:
    """Tags with their classes and roles: a page that has no other ones than another looks like it."""
    tags = re.findall(r"<([a-z0-9]+)([^>]*)>", html)
    return {(tag, *re.findall(r'(?:class|role|type)="([^"]*)"', attributes)) for tag, attributes in tags}


def test_every_page_is_accessible_and_fits_and_shows_its_focus(
    live_server, page, project, log_in, complaints, subtests
):
    urls = {name: url for each in names() for name, url in addresses(each, project).items()}
    looked_at = defaultdict(set)
    page.add_init_script(AXE_SCRIPT)
    for reader in READERS:
        page.context.clear_cookies()
        if reader:
            log_in(site.user(reader))
        for name, path, elements in pages_of(reader, urls):
            if elements <= looked_at[name]:
                continue
            looked_at[name] |= elements
            with subtests.test(f"{name}, read by {reader}"):
                page.set_viewport_size({"width": 1440, "height": 900})
                page.goto(live_server.url + path)
                expect(page.locator("[aria-busy=true]")).to_have_count(0)
                assert faults_of(page) == {}
    assert [each for each in complaints if "status of 4" not in each] == []
    assert {"403", "404", "422", *names()} - NO_PAGES == {name.removesuffix(", empty") for name in looked_at}


def faults_of(page) -> dict[str, list[str]]:
    page.keyboard.press("Tab")  # from here on the browser shows the focus as to somebody at the keyboard
    found = {}
    for look, (width, height) in LOOKS.items():
        page.set_viewport_size({"width": width, "height": height})
        for theme, rules in THEMES.items():
            page.emulate_media(color_scheme=theme)
            found[f"axe, {look}, {theme}"] = page.evaluate(VIOLATIONS, rules)
        wide = page.evaluate("document.documentElement.scrollWidth")
        found[f"{look} is wider"] = [f"{wide} px"] if wide > width else []
        found[f"{look}, focus unseen"] = page.evaluate(FOCUS)
    return {where: faults for where, faults in found.items() if faults}
