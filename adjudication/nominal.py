"""Agreement on one named answer: the participant, the critical category, the outcome."""

from collections.abc import Callable
from typing import Any

import numpy as np

from adjudication.alpha import alpha, one_value_alpha
from adjudication.bootstrap import Bootstrap, mean_of
from adjudication.figures import count, figures, undefined
from adjudication.judgements import Judgement, Study
from adjudication.kappa import ac1, kappa, kind_of_kappa, one_value_kappa, published_kappa
from adjudication.ratings import Ratings

NUMBERS = ("percent", "kappa", "alpha", "ac1")


def named_answer(
    study: Study,
    answer: Callable[[Judgement], str | None],
    plural: str,
    bootstrap: Bootstrap,
    value_by_value: bool = True,
    published: bool = True,
) -> dict[str, Any]:
    """`plural` is what a trajectory needs two of, for the sentence that says why nothing is defined."""
    ratings = Ratings.collect(study, answer)
    head = {"n": len(ratings), "n_pairs": len(ratings.pairs.row), "agree": count(ratings.agreement_by_row.sum())}
    if not len(ratings):
        return head | {name: undefined(f"no trajectory has two {plural}") for name in NUMBERS}
    told: dict[str, Any] = _figures(ratings, bootstrap, published)
    told["kappa"] = {"kind": kind_of_kappa(ratings)} | told["kappa"]
    told["confusion"] = confusion(ratings)
    if value_by_value:
        told["one_vs_rest"] = one_vs_rest(ratings, bootstrap)
    return head | told


def one_value_only(value: str) -> str:
    return f"only one value used: {value}; observed agreement 1.0"


def confusion(ratings: Ratings) -> dict[str, Any]:
    """Two annotators: rows are the first's answers, columns the second's. More: every ordered pair, each
    item weighing 1, so the table is symmetric and sums up to the items."""
    size = len(ratings.domain)
    table = np.zeros((size, size))
    np.add.at(table, (ratings.pairs.left, ratings.pairs.right), ratings.pairs.weight)
    rows, columns = ratings.annotators if len(ratings.annotators) == 2 else (None, None)
    if rows is None:
        table = (table + table.T) / 2
    counts = [[count(cell) for cell in line] for line in table]
    return {"rows": rows, "columns": columns, "values": list(ratings.domain), "counts": counts}


def one_vs_rest(ratings: Ratings, bootstrap: Bootstrap) -> list[dict[str, Any]]:
    """Per value in use, κ and α of "this value or another one"."""
    if len(ratings.domain) < 2:
        return []
    columns = range(len(ratings.domain))
    kappas = {("kappa", column): one_value_kappa(ratings, column) for column in columns}
    alphas = {("alpha", column): one_value_alpha(ratings.counts, column) for column in columns}
    told = figures(ratings.items, kappas | alphas, bootstrap)
    return [
        {
            "value": ratings.domain[column],
            "used_in": int((ratings.counts[:, column] > 0).sum()),
            "kappa": told["kappa", column],
            "alpha": told["alpha", column],
        }
        for column in columns
    ]


def _figures(ratings: Ratings, bootstrap: Bootstrap, published: bool) -> dict[str, dict[str, Any]]:
    why = one_value_only(ratings.domain[0])
    own_alpha, alpha_value = alpha(ratings, "nominal", published)
    return figures(
        ratings.items,
        {
            "percent": mean_of(ratings.agreement_by_row),
            "kappa": kappa(ratings),
            "alpha": own_alpha,
            "ac1": ac1(ratings),
        },
        bootstrap,
        why_undefined=dict.fromkeys(NUMBERS, why),
        published={"kappa": published_kappa(ratings, published), "alpha": alpha_value},
    )
