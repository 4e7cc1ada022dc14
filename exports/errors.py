class UnknownFormat(LookupError):
    def __init__(self, name: str, known: list[str]):
        super().__init__(f"there is no format “{name}”; known are {', '.join(known)}")


class UnknownLabels(LookupError):
    def __init__(self, labels: str):
        super().__init__(f"“{labels}” names no labels; expected gold or annotator:NAME")


class UnknownAnnotator(LookupError):
    def __init__(self, name: str, project: str):
        super().__init__(f"{project} has no annotator called “{name}”")


class UnknownRelease(LookupError):
    def __init__(self, name: str, project: str):
        super().__init__(f"{project} has no release called “{name}”")


class UnknownVersion(LookupError):
    def __init__(self, number: int, project: str):
        super().__init__(f"the taxonomy of {project} has no version {number}")


class ReleaseKeepsItsVersion(ValueError):
    def __init__(self, name: str):
        super().__init__(f"release {name} keeps the taxonomy version it was made with; ask for gold or an annotator")


class NameTaken(Exception):
    def __init__(self, name: str, project: str):
        super().__init__(f"{project} has a release called “{name}” already; a release never changes, take another name")


class BadName(Exception):
    def __init__(self, name: str):
        super().__init__(
            f"“{name}” cannot name a release; use 1 to 60 letters, digits, dots, dashes and underscores, "
            "beginning with a letter or digit"
        )


class NothingToRelease(Exception):
    def __init__(self, project: str):
        super().__init__(f"no run of {project} has a gold label yet, so there is nothing to release")


class OtherFiles(Exception):
    """The folder to write to holds what no export wrote."""

    def __init__(self, folder: str, name: str):
        super().__init__(f"{folder} holds “{name}”, which is no file of this export; give an empty or a new folder")
