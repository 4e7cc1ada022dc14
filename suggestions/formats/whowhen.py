"""Who&When's prediction logs: text in blocks `Prediction for N.json:`, read as the benchmark's own scorer reads them."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from suggestions.formats.drafts import POSITION, Draft, JudgementDraft, Which
from suggestions.formats.reading import BadRecord, Options, each, unknown
from traces.formats.drafts import Problem
from traces.formats.files import Source

HEAD = re.compile(r"^\W{0,10}Prediction for ([^:\n]{1,200}\.json):", re.MULTILINE)
AGENT = re.compile(r"Agent Name\W{0,4}:\W{0,4}([^\n]+)", re.IGNORECASE)
STEP = re.compile(r"Step Number\W{0,4}:\W{0,4}(\d{1,9})", re.IGNORECASE)
REASON = re.compile(r"Reason for Mistake\W{0,4}:\s*(.*)", re.IGNORECASE | re.DOTALL)
PROTOCOLS = ("all_at_once", "step_by_step", "binary_search")
SPLITS = {"handcrafted": "whowhen-hand-crafted", "alg_generated": "whowhen-algorithm-generated"}


class WhoWhenLog:
    """The log does not name its model, protocol and split; their file names do: `all_at_once_MODEL_handcrafted.txt`."""

    name = "whowhen"

    def read(self, source: Source, data: bytes, options: Options) -> Iterator[Draft | Problem]:
        words = data.decode("utf-8", "replace").replace("\x00", "\ufffd")
        heads = list(HEAD.finditer(words))
        if not heads:
            yield unknown(source.name, "", "a Who&When prediction log: no line “Prediction for N.json:”")
            return
        ends = [head.start() for head in heads[1:]] + [len(words)]
        blocks = [(head[1], words[head.end() : end]) for head, end in zip(heads, ends, strict=True)]
        items = [(f"{name}", (name, body)) for name, body in blocks]
        stem = PurePosixPath(source.name).stem
        yield from each(items, source.name, lambda block, where: _judgement(block, stem, source.name, where, options))


def _judgement(block: tuple[str, str], stem: str, file: str, where: str, options: Options) -> JudgementDraft:
    name, body = block
    number = name.strip().removesuffix(".json")
    if not number.isdecimal() or len(number) > 9:
        raise BadRecord("missing_id", "", f"“{name[:60]}” is not the N.json of a run")
    step, agent, reason = STEP.search(body), AGENT.search(body), REASON.search(body)
    protocol = next((known for known in PROTOCOLS if stem.startswith(known)), "unknown")
    split = next((name for ending, name in SPLITS.items() if stem.endswith(ending)), None)
    return JudgementDraft(
        which=Which(file_number=int(number), source=split),
        source="whowhen",
        model=options.model or _model(stem, protocol),
        protocol=options.protocol or protocol,
        run=options.run,
        step=int(step[1]) if step else None,
        base=POSITION,
        file=file,
        where=where,
        participant=_plain(agent[1]) if agent else "",
        reason=reason[1].strip() if reason else "",
        raw={"text": body.strip()},
    )


def _model(stem: str, protocol: str) -> str:
    middle = stem.removeprefix(protocol).strip("_")
    for ending in SPLITS:
        middle = middle.removesuffix(ending).strip("_")
    return middle[:100] or "unknown"


def _plain(agent: str) -> str:
    return agent.strip().strip("*`_ ").strip()[:200]
