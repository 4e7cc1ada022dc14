class Refused(Exception):
    """An act on the codebook that makes no sense; says which field and what was expected."""

    def __init__(self, message: str, field: str = ""):
        super().__init__(message)
        self.message, self.field = message, field
