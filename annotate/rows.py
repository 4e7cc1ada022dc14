"""Between the pure state of an annotation and its rows: read the state, write a patch."""

from annotate.fold import ANSWERS, Patch, State
from annotate.models import Annotation, Answer, Coding, Failure, FailureCode
from annotate.protocols.base import Given
from people.models import User
from taxonomy.models import Category, Code, TaxonomyVersion

PLAIN = (
    "number",
    "anchor",
    "first_step",
    "last_step",
    "participant",
    "none_fits",
    "step_reason",
    "category_reason",
    "evidence",
    "is_omission",
    "effect",
    "recovered_at",
    "recovered_by",
    "suggested_by",
)
POINTERS = ("cause", "repeats")
# Asked on every save: written out, it costs the server a third of what composing it would.
ROWS = """
    SELECT f.id, f.annotation_id, f.key, f.cause_id, f.repeats_id, f.is_critical, {},
        ARRAY(
            SELECT code.phrase FROM annotate_failurecode link JOIN taxonomy_code code ON code.id = link.code_id
            WHERE link.failure_id = f.id ORDER BY link."order"
        ) AS phrases,
        (
            SELECT category.key FROM annotate_coding coding
            JOIN taxonomy_category category ON category.id = coding.category_id
            WHERE coding.failure_id = f.id AND coding.version_id = %s
        ) AS category_key
    FROM annotate_failure f WHERE f.annotation_id = %s ORDER BY f.number
""".format(", ".join(f"f.{name}" for name in PLAIN))


def rows_of(annotation: Annotation, version: TaxonomyVersion) -> list[Failure]:
    """The failures in one query, each with its codes' phrases in order and its category under the version."""
    return list(Failure.objects.raw(ROWS, [version.pk, annotation.pk]))


def state_of(annotation: Annotation, version: TaxonomyVersion) -> State:
    return state_in(annotation, rows_of(annotation, version))


def state_in(annotation: Annotation, rows: list[Failure]) -> State:
    """The state that these rows, as rows_of gives them, make up."""
    keys = {row.pk: row.key for row in rows}
    failures = {}
    for row in rows:
        fields = {name: getattr(row, name) for name in PLAIN}
        fields |= {name: keys.get(getattr(row, f"{name}_id")) for name in POINTERS}
        failures[row.key] = {**fields, "codes": list(row.phrases), "category": row.category_key}
    answers = {name: getattr(annotation, name) for name in ANSWERS if name != "critical"}
    answers["critical"] = next((row.key for row in rows if row.is_critical), None)
    return {"failures": failures, "answers": answers}


class PatchWriter:
    """Writes one patch of one annotation; `event` is what its codings say made them."""

    def __init__(
        self, annotation: Annotation, version: TaxonomyVersion, by: User, event: str, rows: list[Failure] | None = None
    ):
        self.annotation, self.version, self.by, self.event = annotation, version, by, event
        self.rows = {row.key: row for row in (annotation.failures.all() if rows is None else rows)}

    def write(self, patch: Patch) -> None:
        """Set the fields of the annotation (unsaved) and save the failures. Codes have been coined before."""
        failures, answers = patch.get("failures", {}), patch.get("answers", {})
        gone = [key for key, fields in failures.items() if fields is None]
        if gone:
            Failure.objects.filter(annotation=self.annotation, key__in=gone).delete()
            for key in gone:
                self.rows.pop(key, None)
        kept = {key: fields for key, fields in failures.items() if fields is not None}
        for key, fields in kept.items():
            self.write_failure(key, fields)
        for key, fields in kept.items():
            self.write_pointers(key, fields)
        for name, value in answers.items():
            if name != "critical":
                setattr(self.annotation, name, value)
        if "critical" in answers:
            self.write_critical(answers["critical"])

    def write_failure(self, key: str, fields: dict) -> None:
        row = self.rows.get(key)
        plain = {name: fields[name] for name in PLAIN if name in fields}
        if row is None:
            row = self.rows[key] = Failure.objects.create(annotation=self.annotation, key=key, **plain)
        elif plain:
            for name, value in plain.items():
                setattr(row, name, value)
            row.save(update_fields=list(plain))
        if "codes" in fields:
            self.write_codes(row, fields["codes"])
        if "category" in fields:
            self.write_category(row, fields["category"])

    def write_pointers(self, key: str, fields: dict) -> None:
        pointers = [name for name in POINTERS if name in fields]
        row = self.rows[key]
        changed = []
        for name in pointers:
            target = self.rows[fields[name]].pk if fields[name] is not None else None
            if getattr(row, f"{name}_id") != target:
                setattr(row, f"{name}_id", target)
                changed.append(name)
        if changed:
            row.save(update_fields=changed)

    def write_codes(self, row: Failure, phrases: list[str]) -> None:
        FailureCode.objects.filter(failure=row).delete()
        codes = Code.objects.filter(taxonomy=self.version.taxonomy_id, phrase__in=phrases)
        FailureCode.objects.bulk_create(
            FailureCode(failure=row, code=code, order=phrases.index(code.phrase)) for code in codes
        )

    def write_category(self, row: Failure, key: str | None) -> None:
        if key is None:
            Coding.objects.filter(failure=row, version=self.version).delete()
            return
        category = Category.objects.get(version=self.version, key=key)
        coding = Coding(failure=row, version=self.version, category=category, by=self.by, event=self.event)
        Coding.objects.bulk_create(
            [coding],
            update_conflicts=True,
            unique_fields=["failure", "version"],
            update_fields=["category", "by", "event", "at"],
        )

    def write_critical(self, key: str | None) -> None:
        Failure.objects.filter(annotation=self.annotation, is_critical=True).update(is_critical=False)
        if key is not None:
            Failure.objects.filter(annotation=self.annotation, key=key).update(is_critical=True)


def write_answers(annotation: Annotation, given: list[Given]) -> None:
    """Make the answer rows equal to what the protocol reads from the state; rows that are right stay untouched."""
    wanted = {(each.unit, each.question): each for each in given}
    gone = []
    for row in annotation.answers.all():
        each = wanted.get((row.unit, row.question))
        if each == Given(row.unit, row.question, row.value, row.confidence, row.rationale):
            del wanted[row.unit, row.question]
        else:
            gone.append(row.pk)
    if gone:
        Answer.objects.filter(pk__in=gone).delete()
    Answer.objects.bulk_create(
        Answer(
            annotation=annotation,
            unit=each.unit,
            question=each.question,
            value=each.value,
            confidence=each.confidence,
            rationale=each.rationale,
        )
        for each in wanted.values()
    )
