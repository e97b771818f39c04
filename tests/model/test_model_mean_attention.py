"""Mean-pooled attention agrees with the mean of attention's output: values and gradients, for any chunk size."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import Draw, close, padded
from torch.nn.utils import prune

from pencil import reference
from pencil.model import Classifier, mean_attention
from pencil.model.config import Config
from pencil.model.mean_attention import MeanPooledAttention

TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5}
IDS = torch.tensor([[1, 2, 3], [4, 5, 0]])


class Refused(Exception):
    """The other way was taken."""


def refuse(*_, **__):
    raise Refused


def by_the(way, machine, ids, pull):
    """Value and slopes, where the one way must be taken: the short one is `mean_pool`, the long one `forward`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MeanPooledAttention, "forward" if way == "short" else "mean_pool", refuse)
        if way == "long":
            patch.setattr(MeanPooledAttention, "can_mean_pool", lambda self, x: False)
        logit = machine.logit(ids)
        return [logit, *torch.autograd.grad((logit * pull).sum(), list(machine.parameters()))]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("padding", [True, False])
@given(
    seed=st.integers(0, 999),
    heads=st.integers(1, 3),
    widths=st.tuples(st.integers(4, 6), st.integers(1, 5)),
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=5),
    bias=st.booleans(),
    together=st.integers(1, 300),
)
def test_the_average_is_that_of_every_row(padding, dtype, seed, heads, widths, lengths, bias, together):
    draw = Draw(seed, bias=bias)
    machine = Classifier.from_params(draw.classifier(heads=heads, d_k=widths[0], d_v=widths[1]), padding=padding, dtype=dtype)
    ids = torch.tensor(padded(draw.ids(len(lengths), max(lengths)), *lengths))
    pull = torch.linspace(-1, 2, len(lengths), dtype=dtype)[:, None]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mean_attention, "CHUNK_WEIGHTS", together)
        ours, theirs = (by_the(way, machine, ids, pull) for way in ("short", "long"))
    scale = max(1, *(float(each.detach().abs().max()) for each in theirs))
    for one, other in zip(ours, theirs, strict=True):
        close(one, other, TOLERANCE[dtype] * scale)


@pytest.mark.parametrize("padding", [True, False])
def test_the_short_way_comes_to_what_the_reference_says(padding):
    draw = Draw(3)
    bundle, ids = draw.classifier(heads=2, d_k=5), padded(draw.ids(3, 6), 6, 1, 4)
    answers = [reference.classifier(text, bundle, note={}.setdefault, padding=padding) for text in ids]
    logit = by_the("short", Classifier.from_params(bundle, padding=padding), torch.tensor(ids), 1)[0]
    close(logit.sigmoid(), np.array(answers))


def takes_the_short_way(machine, ids=IDS):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MeanPooledAttention, "mean_pool", refuse)
        try:
            machine(ids)
        except Refused:
            return True
    return False


@pytest.mark.parametrize(
    "pool, d_k, short", [("mean_pool", 4, True), ("mean_pool", 3, False), ("max_pool", 4, False), ("first_token", 4, False), ("last_token", 4, False)]
)
def test_only_an_average_takes_the_short_way_and_only_where_a_tag_is_no_narrower_than_a_stick(pool, d_k, short):
    machine = Classifier.from_params(Draw(0).classifier(heads=2, d_k=d_k), pool=pool)
    assert takes_the_short_way(machine) is short
    assert not takes_the_short_way(machine, IDS[0]), "one text alone, with no axis for several"
    assert not takes_the_short_way(machine.bfloat16()), "sums of few digits"


HOOKS = {
    "forward": lambda part, see: part.register_forward_hook(see),
    "forward, before": lambda part, see: part.register_forward_pre_hook(see),
    "backward": lambda part, see: part.register_full_backward_hook(see),
    "backward, before": lambda part, see: part.register_full_backward_pre_hook(see),
}


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("where", ["attention", "qkv"])
def test_who_listens_to_a_part_hears_it(hook, where):
    machine, heard = Classifier(Config(4, 1, vocab_size=9)), []
    assert takes_the_short_way(machine)
    HOOKS[hook](machine.attention if where == "attention" else machine.attention.qkv, lambda *_: heard.append(hook))
    machine(IDS).sum().backward()
    assert heard


@pytest.mark.parametrize("hook", ["forward_pre_hook", "forward_hook", "full_backward_pre_hook", "full_backward_hook"])
def test_a_hook_of_all_modules_hears_the_parts_too(hook):
    machine, heard = Classifier(Config(4, 1, vocab_size=9)), []
    handle = getattr(torch.nn.modules.module, f"register_module_{hook}")(lambda part, *_: heard.append(part))
    try:
        assert not takes_the_short_way(machine)
        machine(IDS).sum().backward()
    finally:
        handle.remove()
    assert any(part is machine.attention.qkv for part in heard) and takes_the_short_way(machine)


def test_a_grid_that_somebody_changed_is_used_as_it_is():
    """Whatever stands in the place of the plain grid works as in forward."""
    machine = Classifier(Config(4, 1, vocab_size=9))
    plain = machine.logit(IDS)
    prune.l1_unstructured(machine.attention.qkv, "weight", 0.5)
    for _ in range(2):  # pruning makes the weight anew at each call, for a way back of its own
        machine.logit(IDS).sum().backward()
    machine.attention.qkv = torch.nn.Sequential(torch.nn.Linear(4, 12))
    assert not torch.allclose(machine.logit(IDS), plain)


@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("shape", [(0, 5), (0, 0), (1, 1)])
def test_no_texts_are_no_answers(shape, padding):
    assert Classifier(Config(4, 1, vocab_size=9), padding=padding)(torch.ones(shape, dtype=torch.long)).shape == (shape[0], 1)


def test_a_long_text_is_left_to_the_kernel_of_torch(monkeypatch):
    machine = Classifier(Config(4, 1, vocab_size=9))
    monkeypatch.setattr(mean_attention, "MAX_WEIGHTS", 3 * 3)
    assert takes_the_short_way(machine)
    monkeypatch.setattr(mean_attention, "MAX_WEIGHTS", 3 * 3 - 1)
    assert not takes_the_short_way(machine)
