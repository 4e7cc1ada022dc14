from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from adjudication.actions.claim import claim_case
from adjudication.actions.errors import RulingRefused
from adjudication.actions.gold import Label, settle_gold
from adjudication.models import Case, GoldLabel, Ruling
from adjudication.ruled import cited, ruled_failures
from adjudication.study import sheets_of
from annotate.models.annotations import Outcome
from annotate.operations import Facts
from jobs.actions import enqueue
from people.actions import audit
from people.models import User
from taxonomy.actions import propose
from taxonomy.codebook import Refused
from taxonomy.models import Category, Proposal
from traces.models import Step


@transaction.atomic
def rule(
    *,
    case: Case,
    by: User,
    outcome: str,
    rationale: str,
    cause: str,
    failures: Sequence[Mapping[str, Any]] = (),
    reason_for_root_cause: str = "",
    failure_summary: str = "",
    guideline_note: str = "",
    proposal: Mapping[str, str] | None = None,
) -> Ruling:
    """Settle an open case. Who annotated the item, holds no adjudicator's role or finds it held by another, may not.

    `proposal` asks leads for another definition of a category: {"category", "definition"}. "#17" in the rationale
    cites step 17. Raises Case.DoesNotExist (not visible), Forbidden, NotOpen, HeldByAnother or RulingRefused; then nothing changed.
    """
    case = claim_case(case=case, by=by)
    item = case.item
    standing, errors = ruled_failures(failures, outcome, facts_for(case))
    errors |= missing(outcome, rationale, cause)
    cited_steps, unknown = cited(rationale, positions(case))
    if unknown:
        errors.setdefault("rationale", f"this run has no step {unknown[0]}, which “#{unknown[0]}” would cite")
    if Case.objects.closed_to(by).filter(pk=case.pk).exists():
        errors["outcome"] = "judge the run yourself before you rule"
    if errors:
        raise RulingRefused(errors)
    ruling = Ruling.objects.create(
        case=case,
        by=by,
        outcome=outcome,
        failures=standing,
        reason_for_root_cause=reason_for_root_cause.strip(),
        failure_summary=failure_summary.strip(),
        rationale=rationale.strip(),
        cause=cause,
        cited_steps=cited_steps,
        guideline_note=guideline_note.strip(),
        proposal=proposed(case, proposal, rationale, by),
        basis=[sheet.basis for sheet in sheets_of(item)],
    )
    close(case)
    settle_gold({item.pk: labels_of(ruling)})
    audit("case ruled", case, by=by, project=item.project.slug, outcome=outcome, ruling=ruling.pk)
    key = f"project:{item.project_id}"
    enqueue("item_changed", key=key, project=item.project.slug, payload={"project": item.project_id}, by=by.username)
    return ruling


def positions(case: Case) -> dict[int, int]:
    """By the number that pages show, where a step is."""
    steps = Step.objects.filter(trajectory=case.item.trajectory_id).values_list("position", "native_index")
    return {position + 1 if native is None else native: position for position, native in steps}


def proposed(case: Case, given: Mapping[str, str] | None, why: str, by: User) -> Proposal | None:
    if not given or not given["definition"].strip():
        return None
    payload = {"node": given["category"], "fields": {"definition": given["definition"].strip()}}
    taxonomy = case.item.project.taxonomy_version.taxonomy
    try:
        return propose(taxonomy=taxonomy, op="describe", payload=payload, reason=why, by=by)
    except Refused as refused:
        raise RulingRefused({"proposal": f"the proposal cannot be made: {refused}"}) from refused


def close(case: Case) -> None:
    case.state, case.closed_at, case.draft = Case.State.RULED, timezone.now(), {}
    case.held_by = case.held_until = None
    case.save()


def facts_for(case: Case) -> Facts:
    categories = Category.objects.filter(version=case.item.project.taxonomy_version_id).values_list("key", flat=True)
    return Facts(n_steps=case.item.trajectory.n_steps, categories=frozenset(categories))


def missing(outcome: str, rationale: str, cause: str) -> dict[str, str]:
    errors = {}
    if outcome not in Outcome.values:
        errors["outcome"] = "choose the step, or say why there is none"
    if not rationale.strip():
        errors["rationale"] = "say why: the annotators and the readers of the release will want to know"
    if cause not in Ruling.Cause.values:
        errors["cause"] = "choose why they differed"
    return errors


def labels_of(ruling: Ruling) -> dict[str, Label]:
    """Every field is settled by a ruling; where nothing is critical, the critical fields are settled as null."""
    critical: dict[str, Any] = next((each for each in ruling.failures if each["is_critical"]), {})
    values = {
        GoldLabel.Field.OUTCOME: ruling.outcome,
        GoldLabel.Field.CRITICAL_STEP: critical.get("first_step"),
        GoldLabel.Field.PARTICIPANT: critical.get("participant"),
        GoldLabel.Field.CATEGORY: critical.get("category") or ("none_fits" if critical.get("none_fits") else None),
        GoldLabel.Field.FAILURES: ruling.failures,
        GoldLabel.Field.REASON: ruling.reason_for_root_cause,
        GoldLabel.Field.SUMMARY: ruling.failure_summary,
    }
    rests_on = [{"ruling": ruling.pk}]
    return {field: Label(value, GoldLabel.Basis.ADJUDICATED, rests_on) for field, value in values.items()}
