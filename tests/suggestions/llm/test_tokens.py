"""Estimates against a real tokenizer, and bounds that no tokenizer on bytes goes beyond."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suggestions.llm.tokens import at_most, estimated, estimated_text
from suggestions.llm.transcript import record
from suggestions.runs import run_of_draft
from tests.shared_data import shared
from tests.suggestions.llm.server import tokens
from traces.formats import read_traces
from traces.formats.drafts import TrajectoryDraft


@pytest.mark.parametrize("path", ["agentrx/tau_retail", "agentrx/magentic", "whowhen/Algorithm-Generated"])
def test_estimates_meet_a_tokenizer_on_the_public_data(path):
    drafts = [draft for draft in read_traces([shared(path)]) if isinstance(draft, TrajectoryDraft)]
    chosen = random.Random(1).sample(drafts, 20)
    texts = [record(run_of_draft(draft), room=10**9).text for draft in chosen]
    real = sum(map(tokens, texts))
    assert abs(sum(map(estimated_text, texts)) - real) <= 0.06 * real


@given(st.text(max_size=300))
def test_a_bound_is_not_below_the_estimate_or_the_tokenizer(text):
    messages = [{"role": "user", "content": text}]
    assert max(estimated(messages), tokens(text)) <= at_most(messages)


def test_what_calls_showed_corrects_the_estimate():
    messages = [{"role": "user", "content": "a few words " * 100}]
    assert estimated(messages, 2.0) == 2 * estimated(messages)
