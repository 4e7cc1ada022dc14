"""A redacted run's words in suggestions. Models and constraints quote any step, so all that was said of the run goes;
steps, categories, costs and what people did with it stay."""

from django.db.models import CharField, F, TextField, Value
from django.db.models.functions import Cast, Concat

from suggestions.models import Constraint, Evaluation, Judgement, ModelCall, Violation
from traces.models import Trajectory
from traces.redaction import REDACTED, clears_words

# No question and no constraint is found again under such a key.
OF_NOTHING = Concat(Value("redacted:"), Cast(F("pk"), CharField()), output_field=TextField())


@clears_words
def clear_what_was_said(trajectory: Trajectory, positions: frozenset[int]) -> None:
    ModelCall.objects.filter(trajectory=trajectory).exclude(state=ModelCall.State.RESERVED).update(
        answer="", key=OF_NOTHING
    )
    Judgement.objects.filter(trajectory=trajectory).update(reason=REDACTED, raw={})
    Violation.objects.filter(trajectory=trajectory).update(evidence={})
    Constraint.objects.filter(trajectory=trajectory).update(
        name=REDACTED,
        hint="",
        trigger={},
        check_type=Constraint.FROM_A_LOG,
        check_body={},
        code="",
        function_name="",
        repairs=[],
        fault="",
        digest=OF_NOTHING,
    )
    Evaluation.objects.filter(trajectory=trajectory).delete()
