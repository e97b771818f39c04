"""The average of what all words gather is the same, worked at once: value and slopes, however many texts are taken together."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from model_draws import Draw, close, padded

from pencil.model import Classifier, averaged


def both_ways(machine, ids, pull):
    """Value and slopes of a machine that may take the short way, and of the same one where a hook looks at every row."""
    short = value_and_slopes(machine, ids, pull)
    seen = []
    hook = machine.attention.register_forward_hook(lambda _, __, rows: seen.append(rows.shape))
    long = value_and_slopes(machine, ids, pull)
    hook.remove()
    assert seen == [(*ids.shape, machine.attention.d_model)]
    return zip(short, long, strict=True)


def value_and_slopes(machine, ids, pull):
    logit = machine.logit(ids)
    return [logit, *torch.autograd.grad((logit * pull).sum(), list(machine.parameters()))]


@pytest.mark.parametrize("padding", [True, False])
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 999),
    heads=st.integers(1, 3),
    widths=st.tuples(st.integers(4, 6), st.integers(1, 5)),
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=5),
    bias=st.booleans(),
    together=st.integers(1, 300),
)
def test_the_average_is_that_of_every_row(padding, seed, heads, widths, lengths, bias, together):
    draw = Draw(seed, bias=bias)
    machine = Classifier.like(draw.classifier(heads=heads, d_k=widths[0], d_v=widths[1]), padding=padding)
    ids = torch.tensor(padded(draw.ids(len(lengths), max(lengths)), *lengths))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(averaged, "TOGETHER", together)
        for ours, theirs in both_ways(machine, ids, torch.linspace(-1, 2, len(lengths), dtype=torch.float64)[:, None]):
            close(ours, theirs, 1e-12)


@pytest.mark.parametrize(
    "pool, d_k, short", [("average", 4, True), ("average", 3, False), ("greatest", 4, False), ("first", 4, False), ("last", 4, False)]
)
def test_only_an_average_takes_the_short_way_and_only_where_a_tag_is_no_narrower_than_a_stick(pool, d_k, short, monkeypatch):
    taken = []
    machine = Classifier.like(Draw(0).classifier(heads=2, d_k=d_k), pool=pool)
    usual = machine.attention.average
    monkeypatch.setattr(machine.attention, "average", lambda *given: taken.append(given) or usual(*given))
    machine(torch.tensor([[1, 2, 3], [4, 5, 0]]))
    machine(torch.tensor([1, 2, 3]))  # one text alone, with no axis for several
    assert len(taken) == short
