"""What a reader of suggestions produces: plain values in the source's own numbering, not yet rows."""

from dataclasses import dataclass, field

from suggestions.schema import Spec

POSITION, NUMBER = "position", "number"  # 0-based, or AgentRx's step number


@dataclass(frozen=True, slots=True)
class Which:
    """How the source names the run it speaks of; exactly one of the three is set."""

    external_id: str | None = None
    run_key: str | None = None  # CatchBench's hash of the whole record
    file_number: int | None = None  # Who&When's N of N.json
    source: str | None = None  # the run's own source, where the record tells


@dataclass(frozen=True, slots=True)
class JudgementDraft:
    which: Which
    source: str
    model: str
    protocol: str
    run: str
    step: int | None  # None: the model abstained
    base: str
    file: str
    where: str
    participant: str = ""
    category: str = ""
    ranking: tuple[int, ...] = ()
    reason: str = ""
    raw: dict = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ViolationDraft:
    """`step` is a position. The constraint is known by what the log says about it; its check is not in the log."""

    which: Which
    source: str
    run: str
    step: int
    name: str
    kind: str
    targets: tuple[str, ...]
    hint: str
    severity: str
    evidence: dict
    file: str
    where: str


@dataclass(frozen=True, slots=True)
class ConstraintDraft:
    """A constraint to be run on the dataset; a dynamic one on the named run, from the step it was written at on."""

    spec: Spec
    which: Which | None
    from_number: int
    file: str
    where: str


Draft = JudgementDraft | ViolationDraft | ConstraintDraft
