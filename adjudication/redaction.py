"""Quotations of redacted steps in rulings, their drafts and gold."""

import pgtrigger

from adjudication.models import Case, GoldLabel, Ruling
from annotate.redaction import rewrite
from traces.models import Trajectory
from traces.redaction import clears_words


@clears_words
def clear_quotations(trajectory: Trajectory, positions: frozenset[int]) -> None:
    rewrite(Case.objects.filter(item__trajectory=trajectory), positions, "draft")
    rewrite(GoldLabel.objects.filter(item__trajectory=trajectory), positions, "value")
    with pgtrigger.ignore("adjudication.Ruling:rulings_never_change"):
        rewrite(Ruling.objects.filter(case__item__trajectory=trajectory), positions, "failures")
