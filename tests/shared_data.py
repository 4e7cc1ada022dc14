"""The public data sets, where they lie on this machine; tests that need them skip without."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))


def shared(path: str) -> Path:
    found = DATA / path
    if not found.exists():
        pytest.skip(f"no data at {found}; set ASSAY_DATA")
    return found
