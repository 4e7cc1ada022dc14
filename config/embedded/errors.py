"""What can keep the embedded servers from running, each said in one sentence that tells what to do."""

from pathlib import Path


class EmbeddedError(Exception):
    """The embedded servers cannot run here; the text is one sentence for a person."""


class BinariesMissing(EmbeddedError):
    def __init__(self, server: str, advice: str):
        super().__init__(f"No {server} binaries were found: {advice}.")


class WrongMajorVersion(EmbeddedError):
    def __init__(self, folder: Path, made_by: str, found: list[str]):
        super().__init__(
            f"The data folder {folder} was made by PostgreSQL {made_by} but only {', '.join(found)} was found: "
            f"set ASSAY_PG_BIN to the bin folder of a PostgreSQL {made_by}, or set ASSAY_HOME to another folder."
        )


class ForeignFolder(EmbeddedError):
    def __init__(self, folder: Path, owner: str, account: str):
        super().__init__(
            f"The folder {folder} belongs to user {owner} but the servers would run as {account}: "
            f"run as the user it was made by, or set ASSAY_HOME to a folder of your own."
        )


class NoAccount(EmbeddedError):
    def __init__(self, reason: str):
        super().__init__(
            f"PostgreSQL does not run as root and {reason}: run as an ordinary user, or set DATABASE_URL to a server."
        )


class DidNotStart(EmbeddedError):
    def __init__(self, server: str, log: Path, why: str):
        super().__init__(f"{server} did not start ({why.strip() or 'no reason given'}): its log is {log}.")


class FolderUnusable(EmbeddedError):
    def __init__(self, folder: Path, why: str):
        super().__init__(f"The folder {folder} cannot be used ({why}): set ASSAY_HOME to a folder you can write to.")
