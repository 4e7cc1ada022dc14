"""Which codes may belong together, by their words and those of the failures on them. For tasks: it loads scikit-learn."""

from collections.abc import Mapping
from dataclasses import dataclass

NEAR = 0.72  # cosine distance below which texts go together
LARGEST = 12
MOST = 20
TERMS = 4


@dataclass(frozen=True)
class Cluster:
    """`terms` are the words that its codes share: the reason why they are proposed together."""

    nodes: tuple[str, ...]
    terms: tuple[str, ...]

    @property
    def reason(self) -> str:
        return f"These codes and the failures on them share {', '.join(f'“{term}”' for term in self.terms)}."


def clusters(texts: Mapping[str, str], near: float = NEAR) -> list[Cluster]:
    """Groups of two to twelve, the closest first; the same texts give the same groups."""
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.feature_extraction.text import TfidfVectorizer

    nodes = sorted(node for node, text in texts.items() if text.strip())
    if len(nodes) < 3:
        return []
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english", token_pattern=r"(?u)\b[^\W\d_]{3,}\b")
    try:
        rows = vectorizer.fit_transform([texts[node] for node in nodes])
    except ValueError:  # nothing but numbers and small words
        return []
    filled = [n for n in range(len(nodes)) if rows[n].nnz]
    if len(filled) < 2:
        return []
    dense = rows[filled].toarray()
    model = AgglomerativeClustering(None, metric="cosine", linkage="average", distance_threshold=near)
    labels = model.fit_predict(dense)
    terms = vectorizer.get_feature_names_out()
    found = []
    for label in sorted(set(labels)):
        own = [n for n, each in enumerate(labels) if each == label]
        if 2 <= len(own) <= LARGEST:
            shared = dense[own].min(axis=0) * 1000 + dense[own].mean(axis=0)
            best = sorted(range(len(terms)), key=lambda n: (-shared[n], terms[n]))[:TERMS]
            closeness = float((dense[own] @ dense[own].T).mean())
            words = tuple(str(terms[n]) for n in best if shared[n] > 0)
            found.append((-closeness, Cluster(tuple(nodes[filled[n]] for n in own), words)))
    return [cluster for _, cluster in sorted(found, key=lambda pair: (pair[0], pair[1].nodes))][:MOST]
