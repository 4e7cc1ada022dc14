"""What happens to suggestions: they are found by evaluation, or read from files."""

from suggestions.actions.evaluation import Evaluated, evaluate_dataset, evaluate_trajectory
from suggestions.actions.imports import import_suggestions
from suggestions.actions.prefetch import prefetch

__all__ = ["Evaluated", "evaluate_dataset", "evaluate_trajectory", "import_suggestions", "prefetch"]
