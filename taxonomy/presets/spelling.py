import unicodedata

from taxonomy.presets.drafts import Preset


def fold(spelling: str) -> str:
    """Letters and digits only, case-folded: `Intent–Plan Misalignment` and `IntentPlanMisalignment` are one."""
    return "".join(c for c in unicodedata.normalize("NFKC", spelling).casefold() if c.isalnum())


def resolve(preset: Preset, spelling: str) -> str | None:
    """The key of the category meant, or None if the preset knows no such spelling."""
    folded = fold(spelling)
    for category in preset.categories:
        if folded in map(fold, category.spellings):
            return category.key
    return None


def is_judge_answer(preset: Preset, spelling: str) -> bool:
    """Whether this is an answer only judges give: known, so no typing error, yet no category either."""
    return fold(spelling) in map(fold, preset.judge_answers)
