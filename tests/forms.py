"""What a browser would send with a page's form: its hidden, chosen and filled-in fields as they stand."""

from collections import defaultdict
from html.parser import HTMLParser


class _Forms(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self.select: list[tuple[bool, str]] | None = None

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.forms.append(defaultdict(list))
        elif tag == "select":
            self.name, self.select = given["name"], []
        elif tag == "option" and self.select is not None:
            self.select.append(("selected" in given, given["value"]))
        elif tag == "input" and self.forms and given.get("name"):
            if given.get("type") not in ("checkbox", "radio") or "checked" in given:
                self.forms[-1][given["name"]].append(given.get("value") or "")

    def handle_endtag(self, tag):
        if tag == "select" and self.select:
            chosen = [value for selected, value in self.select if selected] or [self.select[0][1]]
            self.forms[-1][self.name] += chosen
            self.select = None


def form_with(page: str, *names: str) -> dict[str, list[str]]:
    """The fields of the one form of the page that has these."""
    parser = _Forms()
    parser.feed(page)
    [found] = [form for form in parser.forms if set(names) <= set(form)]
    return dict(found)
