from adjudication.models import Case


class NotOpen(Exception):
    def __init__(self, case: Case):
        super().__init__(f"this case is {case.state}; only an open case can be ruled")


class HeldByAnother(Exception):
    """Says until when, never by whom."""

    def __init__(self, case: Case):
        self.held_until = case.held_until
        super().__init__(f"another adjudicator holds this case until {case.held_until:%H:%M} UTC")


class CannotRuleAgain(Exception):
    """Says what stands against it."""


class RulingRefused(Exception):
    """The ruling as written would not hold together: a sentence for each field that has to change."""

    def __init__(self, errors: dict[str, str]):
        self.errors = errors
        super().__init__("; ".join(errors.values()))
