"""Who&When: a folder with one N.json per run, its messages and, beside them, the one decisive mistake."""

import re
from collections import defaultdict
from typing import Any

from exports.formats.base import CannotExpress, Entry, Writer
from exports.rows import Mark, Row, Run, Turn
from traces.formats.whowhen import ALGORITHM_GENERATED, ANSWER_KEYS, HISTORY, ID_KEYS, OUTCOME_KEYS, is_label_key

# The keys of the Hand-Crafted split, for runs that come from elsewhere.
KEYS = (HISTORY, "question", "ground_truth", "is_corrected", "question_ID")


class WhoWhen(Writer):
    """Runs that came as Who&When keep their number, keys and spellings; several sources get a folder each."""

    name = "whowhen"
    title = "Who&When"
    suffix = ".json"
    media_type = "application/json"
    many_files = True

    def __init__(self, layout, raw_names=False):
        super().__init__(layout, raw_names)
        self._taken: dict[str, set[str]] = defaultdict(set)
        self._folders = folders_of(layout.sources) if len(layout.sources) > 1 else {}

    def entry(self, row: Row) -> Entry:
        mistake = mistake_of(row)
        folder = self._folders.get(row.run.source, "")
        name = f"{self._number(row, folder)}.json"
        return Entry({**envelope(row.run), **mistake}, f"{folder}/{name}" if folder else name)

    def _number(self, row: Row, folder: str) -> str:
        """The run's own number, or the next one; where two runs of a folder have one number, the second gets N-2."""
        taken = self._taken[folder]
        own = row.run.origin.get("number") if row.run.format == "whowhen" else None
        number = str(own) if isinstance(own, int) and own >= 0 else str(len(taken) + 1)
        free, again = number, 2
        while free in taken:
            free, again = f"{number}-{again}", again + 1
        taken.add(free)
        return free


def mistake_of(row: Row) -> dict[str, Any]:
    critical, raw = row.label.critical, row.label.raw
    if critical is None:
        raise CannotExpress(f"no decisive mistake: the outcome is {row.label.outcome or 'open'}")
    if critical.first_step is None:
        raise CannotExpress(f"the critical failure is anchored to the {critical.anchor} and has no step")
    agent = raw_text(critical, raw, "mistake_agent") or critical.participant
    if not agent:
        raise CannotExpress("the critical failure names no participant")
    reason = raw_text(critical, raw, "mistake_reason")
    mistake = {
        "mistake_agent": agent,
        "mistake_step": str(critical.first_step),
        "mistake_reason": row.label.reason_for_root_cause or critical.step_reason if reason is None else reason,
    }
    others = {**raw, **critical.raw}
    return mistake | {key: others[key] for key in sorted(others) if is_label_key(key) and key not in mistake}


def raw_text(mark: Mark, raw: dict[str, Any], key: str) -> str | None:
    value = mark.raw.get(key, raw.get(key))
    return value if isinstance(value, str) else None


def envelope(run: Run) -> dict[str, Any]:
    """Everything beside the label, in the keys of the source."""
    is_own = run.format == "whowhen"
    keys = run.origin.get("keys", KEYS) if is_own else KEYS
    named = run.origin.get("split") == ALGORITHM_GENERATED
    extras = run.origin.get("extras", {}) if is_own else {}
    found: dict[str, Any] = {}
    for key in keys:
        if key == HISTORY:
            found[key] = [message(turn, named=named, own=is_own) for turn in run.turns()]
        elif key == "question":
            found[key] = run.instruction
        elif key in ID_KEYS:
            found[key] = run.trajectory_id
        elif key in ANSWER_KEYS:
            found[key] = run.layers.get("expected", {}).get("answer", "")
        elif key in OUTCOME_KEYS:
            found[key] = run.layers.get("outcome", {}).get("is_correct", False)
        elif key in extras:
            found[key] = extras[key]
    return found


def message(turn: Turn, *, named: bool, own: bool) -> dict[str, str]:
    if named:
        return {"content": turn.text, "role": turn.role, "name": turn.agent}
    return {"content": turn.text, "role": turn.role if own else turn.agent or turn.role}


def folders_of(sources: tuple[str, ...]) -> dict[str, str]:
    """A safe folder name for each source; sources that would share one are numbered."""
    folders: dict[str, str] = {}
    for source in sources:
        name = safe_name(source)
        taken = {folder.casefold() for folder in folders.values()}
        free, again = name, 2
        while free.casefold() in taken:
            free, again = f"{name}-{again}", again + 1
        folders[source] = free
    return folders


def safe_name(text: str) -> str:
    """Letters, digits, dashes, dots and underscores; never empty, hidden, a step up or a device name of Windows."""
    name = re.sub(r"[^A-Za-z0-9._-]+|\.{2,}", "_", text)[:80].strip("._")
    if re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", name):
        name = f"source_{name}"
    return name or "source"
