"""Why the work of an annotator is turned down. `code` is what the browser's queue acts on; the text is for people."""


class NotAccepted(Exception):
    code = "refused"

    def __init__(self, message: str, **facts):
        super().__init__(message)
        self.message, self.facts = message, facts


class Conflict(NotAccepted):
    """Somebody with the same log-in, in another tab or on another device, was faster."""

    code = "conflict"


class Frozen(NotAccepted):
    code = "submitted"


class Closed(NotAccepted):
    code = "closed"


class NotHeld(NotAccepted):
    """The hold ran out and the item went to other people."""

    code = "not_held"


class NotYours(NotAccepted):
    code = "not_yours"
