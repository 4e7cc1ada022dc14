"""Whatever JSON a label file holds, reading ends, and every record is one draft or one refused problem."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.formats import READERS, read_labels
from tests.annotate.reading import SAMPLES, split
from tests.traces.test_formats_property import VALUES, replaced, storable

FORMATS = st.sampled_from(["auto", *(reader.name for reader in READERS)])
RELAXED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
KEYS = ["trajectory_id", "failures", "root_cause", "mistake_agent", "mistake_step", "question_ID", "history"]


def check(path, format):
    labels, problems = split(read_labels([path], format))
    assert labels or problems
    for label in labels:
        assert all(0 < len(failure.key) <= 64 and len(failure.participant) <= 200 for failure in label.failures)
        assert (label.critical_key is None) == (label.outcome == "no_failure")
        assert storable([label.external_id, label.raw, [failure.raw for failure in label.failures]])


@RELAXED
@given(value=VALUES | st.dictionaries(st.sampled_from(KEYS), VALUES), format=FORMATS)
def test_arbitrary_json_never_raises(tmp_path, value, format):
    path = tmp_path / "file.json"
    path.write_text(json.dumps(value))
    check(path, format)


@RELAXED
@given(data=st.data(), format=FORMATS)
def test_a_good_file_with_one_value_replaced_never_raises(tmp_path, data, format):
    path = tmp_path / "file.json"
    path.write_text(json.dumps(replaced(json.loads((SAMPLES / "agentrx.json").read_text()), data)))
    check(path, format)
