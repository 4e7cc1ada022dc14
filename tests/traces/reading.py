"""Short ways to read a sample or some text and look at the result."""

from pathlib import Path

from traces.formats import read_traces
from traces.formats.drafts import Problem, TrajectoryDraft

SAMPLES = Path(__file__).parent / "samples"


def split(results) -> tuple[list[TrajectoryDraft], list[Problem]]:
    results = list(results)
    drafts = [result for result in results if isinstance(result, TrajectoryDraft)]
    return drafts, [result for result in results if isinstance(result, Problem)]


def sample(name: str) -> tuple[list[TrajectoryDraft], list[Problem]]:
    return split(read_traces([SAMPLES / name]))


def written(folder: Path, name: str, content: str | bytes, **options) -> tuple[list[TrajectoryDraft], list[Problem]]:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return split(read_traces([path], **options))


def places(problems: list[Problem]) -> list[tuple[str, str, str]]:
    return [(problem.severity, problem.code, problem.where) for problem in problems]
