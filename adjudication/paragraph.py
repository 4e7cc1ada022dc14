"""The figures as a paragraph for a paper: measures, n, intervals, protocol, taxonomy version, seed."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudication.figures import interval_to_show

Figures = Mapping[str, Any]


def paragraph(
    figures: Figures, *, protocol: str, taxonomy: str, as_of: str, looked_at: Sequence[str] = (), left_out: int = 0
) -> str:
    found = figures.get("measures", {})
    sentences = [
        opening(figures, protocol, taxonomy, looked_at),
        definitions(figures),
        step(found.get("critical_step", {})),
        named("responsible agent", found.get("agent", {})),
        named("category of the critical failure", found.get("category", {})),
        named("outcome", found.get("outcome", {})),
        sets(found.get("failure_steps", {})),
        closing(figures, as_of, left_out),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def opening(figures: Figures, protocol: str, taxonomy: str, looked_at: Sequence[str]) -> str:
    annotators = sorted({name for pair in figures.get("pairs", []) for name in (pair["a"], pair["b"])})
    pairs = sum(pair["n"] for pair in figures.get("pairs", []))
    who = f"{len(annotators)} annotators" if annotators else "No two annotators"
    only = f"; {'; '.join(looked_at)}" if looked_at else ""
    return (
        f"{who} judged {counted(figures.get('pairable', 0), 'run')} of {figures.get('trajectories', 0)} in common "
        f"({counted(pairs, 'pair')} of annotations{only}), under the {protocol} protocol with {taxonomy}."
    )


def definitions(figures: Figures) -> str:
    if figures.get("comparison") != "definitions_differ":
        return ""
    return (
        'They used different definitions of "critical"; this is a comparison of definitions, not a reliability study.'
    )


def step(measure: Figures) -> str:
    if not measure.get("n"):
        return "Agreement on the critical step is undefined, since no run has two critical steps."
    chance = measure["floor"]
    exact, within = measure["percent"], measure.get("within_percent", {})
    near = "".join(f", within ±{k} in {value(share)} (chance {chance[k]:.2f})" for k, share in within.items())
    return (
        f"On the critical step (n = {counted(measure['n'], 'run')}, {counted(measure.get('n_pairs', 0), 'pair')}) they agree exactly in "
        f"{value(exact)} of the runs where blind guessing within the run reaches {chance['0']:.2f}{near}; "
        f"corrected for chance S = {value(measure['chance_corrected'])}, Krippendorff's α (interval) on the relative "
        f"position is {value(measure['alpha_relative'])}, and the mean distance is {measure['mean_distance']:.1f} steps."
    )


def named(what: str, measure: Figures) -> str:
    kappa = measure.get("kappa", {})
    if kappa.get("value") is None:
        why = kappa.get("undefined") or "no run has two answers"
        return f"Chance-corrected agreement on the {what} is undefined ({why})."
    kind = "Fleiss'" if kappa.get("kind") == "fleiss" else "Cohen's"
    return (
        f"On the {what} (n = {measure['n']}) they agree in {value(measure['percent'])}, {kind} κ = {value(kappa)}, "
        f"Krippendorff's α (nominal) = {value(measure['alpha'])}, Gwet's AC1 = {value(measure['ac1'])}."
        if "percent" in measure and "ac1" in measure
        else f"On the {what} (n = {measure['n']}) {kind} κ = {value(kappa)}."
    )


def sets(measure: Figures) -> str:
    if measure.get("alpha", {}).get("value") is None:
        return ""
    return (
        f"On which steps fail (n = {measure['n']}, exhaustive annotations only) α over steps = {value(measure['alpha'])}, "
        f"F1 of marks within ±1 = {value(measure['f1']['1'])}, MASI = {value(measure['masi'])}."
    )


def closing(figures: Figures, as_of: str, left_out: int) -> str:
    bootstrap = figures.get("bootstrap", {})
    said = (
        f"Brackets are 95 % expanded percentile intervals of {bootstrap.get('b')} bootstraps over task clusters, "
        f"stratified by domain (seed {bootstrap.get('seed')}), and left out where every resample gives the same value; "
        f"each run weighs 1; annotations count as first submitted, blind to "
        f"each other; as of {as_of}."
    )
    return said + (f" {counted(left_out, 'run')} still open to the reader left out." if left_out else "")


def value(figure: Figures) -> str:
    if figure.get("value") is None:
        return f"undefined ({figure.get('undefined', '')})"
    ci = interval_to_show(figure)
    return f"{figure['value']:.2f}" + (f" [{ci[0]:.2f}, {ci[1]:.2f}]" if ci else "")


def counted(n: float, noun: str) -> str:
    return f"{n:g} {noun}" if n == 1 else f"{n:g} {noun}s"
