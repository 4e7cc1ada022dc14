"""Taxonomies to start a project from. To add one, write a module beside `agentrx` and enter it in `PRESETS`."""

from taxonomy.presets.agent_error_taxonomy import AGENT_ERROR_TAXONOMY
from taxonomy.presets.agentrx import AGENTRX
from taxonomy.presets.catchbench import CATCHBENCH_GOLD, CATCHBENCH_PRE
from taxonomy.presets.drafts import CategoryDraft, Preset
from taxonomy.presets.maadbench import MAADBENCH
from taxonomy.presets.mast import MAST
from taxonomy.presets.spelling import is_judge_answer, resolve
from taxonomy.presets.trail import TRAIL

__all__ = [
    "NONE",
    "PRESETS",
    "CategoryDraft",
    "Preset",
    "UnknownPreset",
    "is_judge_answer",
    "load",
    "resolve",
]

NONE = Preset(name="none", title="No categories yet", credit="", categories=())

PRESETS: tuple[Preset, ...] = (
    AGENTRX,
    MAST,
    TRAIL,
    AGENT_ERROR_TAXONOMY,
    CATCHBENCH_GOLD,
    CATCHBENCH_PRE,
    MAADBENCH,
    NONE,
)


class UnknownPreset(LookupError):
    def __init__(self, name: str):
        self.name = name
        self.known = tuple(preset.name for preset in PRESETS)
        super().__init__(f"no taxonomy preset is called “{name}”; known are {', '.join(self.known)}")


def load(name: str) -> Preset:
    for preset in PRESETS:
        if preset.name == name:
            return preset
    raise UnknownPreset(name)
