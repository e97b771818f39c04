"""RNNs in torch: reference, noted and fast agree, with gradients; padding; `verify` finds changes."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import DEVICES, Draw, close

from pencil import model, reference
from pencil.model.classify import RNNClassifier, left_align
from pencil.model.recurrent import LSTM, RNN, Bidirectional, rnn_step
from pencil.params import flatten
from pencil.reference.classify import rnn_classifier
from pencil.reference.recurrent import RNNParams, jacobian_product, rnn
from pencil.trace import Trace

SHAPES = [(1, 1, 1, 1), (2, 3, 4, 2), (3, 7, 2, 5), (1, 9, 6, 6)]  # batch, words, width of a stick, width of the memory
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}
CUDNN = 2e-4  # of its RNN in float32: its tanh is off by up to 8e-6 (torch's own by 1e-7; measured on an H200), its gradients by ten times that


def recurrent(draw, d, hidden_size):
    return RNNParams(draw.array(hidden_size, d), draw.array(hidden_size, hidden_size), draw.maybe(hidden_size))


def gated(draw, d, hidden_size):
    return reference.LSTMParams(*(recurrent(draw, d, hidden_size) for _ in range(4)))


def both_ways(draw, d, hidden_size):
    return reference.BidirectionalParams(gated(draw, d, hidden_size), recurrent(draw, d, hidden_size))


WALKS = {"rnn": (recurrent, RNN), "lstm": (gated, LSTM), "both ways": (both_ways, Bidirectional)}


def machine(seed, walk, d=4, hidden_size=3, rows=9, bias=True):
    draw = Draw(seed, bias)
    width = 2 * hidden_size if walk == "both ways" else hidden_size
    head = reference.MLPParams(draw.array(5, width), draw.array(5), draw.array(1, 5), draw.array(1))
    return reference.RNNClassifierParams(draw.array(rows, d), WALKS[walk][0](draw, d, hidden_size), head)


def scattered(seed, batch=6, slots=8, rows=9):
    """Ids with empty slots anywhere; the last text is full, and every text has a word."""
    rng = np.random.default_rng(seed)
    ids = rng.integers(1, rows, (batch, slots))
    ids[:-1] *= rng.random((batch - 1, slots)) < 0.5
    ids[np.arange(batch), rng.integers(0, slots, batch)] = 1
    return ids


def slopes(module, out):
    module.zero_grad()
    (out * torch.linspace(-1, 2, out.numel(), dtype=out.dtype).view(out.shape).to(out.device)).sum().backward()
    return {name: parameter.grad for name, parameter in module.named_parameters() if parameter.requires_grad}


# ---- the plain walk


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("started", [True, False])
def test_reference_noted_and_fast_are_one(shape, bias, started, dtype, device):
    batch, words, d, hidden_size = shape
    draw, tolerance = Draw(words, bias), TOLERANCE[dtype]
    bundle, x, h0 = recurrent(draw, d, hidden_size), draw.rng.normal(size=(batch, words, d)), draw.rng.normal(size=(batch, hidden_size))
    ours, runs, noted = RNN.from_params(bundle, dtype=dtype, device=device), [], {}
    for note in (noted.setdefault, None):
        given = [torch.tensor(a, dtype=dtype, device=device).requires_grad_() for a in ((x, h0) if started else (x,))]
        out = ours(given[0], note=note, h0=given[1] if started else None)
        runs.append([out, *slopes(ours, out).values(), *(g.grad for g in given)])
    for explicit, fast in zip(*runs, strict=True):
        if explicit is None:  # the memory's grid of a walk of one word from nowhere: not used
            assert words == 1 and not started and not fast.any()
        else:
            close(fast, explicit, CUDNN if (device, dtype) == ("cuda", torch.float32) else tolerance)
    for i in range(batch):
        theirs = {}
        rnn(x[i], bundle, h0=h0[i] if started else None, note=theirs.setdefault)
        assert list(noted) == list(theirs)
        for name, value in theirs.items():
            close(noted[name][i], value, tolerance, name)


def test_the_slopes_are_those_of_a_small_push():
    ours = RNN.from_params(recurrent(Draw(1), 3, 2))
    x, h0 = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True), torch.randn(2, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x, h0: ours(x, h0=h0), (x, h0))


def test_one_text_and_several_axes_of_batch():
    ours = RNN.from_params(recurrent(Draw(2), 3, 2))
    x, h0 = torch.randn(2, 3, 4, 3, dtype=torch.float64), torch.randn(2, 3, 2, dtype=torch.float64)
    out = ours(x, h0=h0)
    assert out.shape == (2, 3, 4, 2)
    close(ours(x[1, 2], h0=h0[1, 2]), out[1, 2])
    close(ours(x, h0=h0, note=lambda name, value: value), out)


def test_the_fade_is_what_torch_says_of_it():
    bundle, rows = recurrent(Draw(3), 3, 4), np.random.default_rng(3).normal(size=(6, 3))
    first = torch.tensor(rnn(rows[:1], bundle)[0])
    ours = RNN.from_params(bundle)
    jacobian = torch.autograd.functional.jacobian(lambda hidden: ours(torch.tensor(rows[1:]), h0=hidden)[-1], first)
    close(jacobian_product(rnn(rows, bundle), bundle), jacobian)


def test_a_new_walker_starts_with_an_orthogonal_memory_grid_and_one_bias_that_learns():
    ours = RNN(model.Config(5, hidden_size=4))
    memory_grid = ours.arrays()["weight_hh"].detach()
    close(memory_grid @ memory_grid.T, torch.eye(4), 1e-5)
    assert not ours.arrays()["bias"].any()
    before = ours.layer.bias_hh_l0.clone()
    ours(torch.randn(2, 3, 5)).sum().backward()
    torch.optim.SGD(ours.parameters(), 0.1).step()
    assert ours.arrays()["bias"].any() and torch.equal(ours.layer.bias_hh_l0, before)
    assert list(RNN(model.Config(5, bias=False)).arrays()) == ["weight_ih", "weight_hh"]


# ---- the machine


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("walk", WALKS)
def test_the_machine_on_a_batch_with_holes(walk, bias, padding, device):
    bundle, ids = machine(1, walk, bias=bias), scattered(1)
    ours, noted = RNNClassifier.from_params(bundle, device=device, padding=padding), {}
    batch = torch.tensor(ids, device=device)
    fast = ours(batch)
    fast_slopes, explicit_slopes = slopes(ours, fast), slopes(ours, ours(batch, note=noted.setdefault))
    close(noted["sigmoid.prob"], fast)
    for name, jacobian in explicit_slopes.items():
        close(fast_slopes[name], jacobian, name=name)
    for i, text in enumerate(ids):
        theirs, alone = {}, {}
        close(fast[i], rnn_classifier(text, bundle, padding=padding, note=theirs.setdefault))
        close(ours(torch.tensor(text, device=device), note=alone.setdefault), fast[i])
        for name, value in theirs.items():
            if name.rpartition(".")[2] != "exp":
                close(alone[name], value, name=name)
    close(ours.logit(batch).sigmoid(), fast)


@pytest.mark.parametrize("walk", WALKS)
def test_empty_slots_never_change_a_verdict_and_walked_through_they_do(walk):
    bundle, short = machine(2, walk), torch.tensor(Draw(2).ids(3, 4))
    for room in ((0, 5), (5, 0), (2, 3)):
        long = torch.nn.functional.pad(short, room)
        close(RNNClassifier.from_params(bundle)(long), RNNClassifier.from_params(bundle)(short))
        through = RNNClassifier.from_params(bundle, padding=False)
        assert (through(long) - through(short)).abs().max() > 1e-4


@pytest.mark.parametrize("walk", WALKS)
def test_the_stick_of_padding_gets_no_slope(walk):
    ours = RNNClassifier.from_params(machine(3, walk))
    table = slopes(ours, ours(torch.tensor(scattered(3))))["embedding"]
    assert not table[0].any() and table[1].any()


@pytest.mark.parametrize("walk", WALKS)
def test_verify_and_the_flat_names(walk):
    bundle, trace, ids = machine(4, walk), Trace(), np.array([0, 3, 0, 1, 4, 0])
    rnn_classifier(ids, trace.given_each("params", bundle), note=trace)
    ours = RNNClassifier.from_params(bundle)
    agreed = model.verify(trace, ours, ids=ids)
    assert agreed.max_difference < 1e-13 and agreed.names[0] == "embedding" and {"pooled", "sigmoid.prob"} <= set(agreed.names)
    assert list(model.state_arrays(ours)) == list(flatten(bundle))
    for name, value in flatten(bundle).items():
        np.testing.assert_array_equal(model.state_arrays(ours)[name], value)


@pytest.mark.parametrize("name, first", [("weight_ih", "step1.from_input"), ("weight_hh", "step2.from_hidden"), ("bias", "step1.from_input")])
def test_one_changed_dial_is_found_where_it_is_first_used(name, first):
    bundle, trace = recurrent(Draw(5), 3, 2), Trace()
    rnn(trace.given("x", np.random.default_rng(5).normal(size=(3, 3))), trace.given_each("params", bundle), note=trace)
    ours = RNN.from_params(bundle)
    with torch.no_grad():
        ours.arrays()[name].flatten()[0] += 1e-6
    with pytest.raises(model.Disagreement) as caught:
        model.verify(trace, ours)
    assert str(caught.value).startswith(f"{first}[0] is ")


def test_rows_are_cut_to_the_longest_and_left_alone_when_all_count():
    x, real = torch.randn(2, 5, 3), torch.tensor([[False, True, False, True, False], [True, False, False, False, False]])
    rows, lengths = left_align(x, real)
    assert torch.equal(rows[0], x[0, [1, 3]]) and torch.equal(rows[1, 0], x[1, 0]) and lengths.tolist() == [2, 1]
    assert left_align(x, torch.ones(2, 5, dtype=torch.bool)) == (x, None)
    behind, _ = left_align(x, torch.tensor([[True, True, False, False, False]] * 2))
    assert behind.data_ptr() == x.data_ptr(), "words that stand in front already are not moved"


@pytest.mark.parametrize("walk", ["rnn", "lstm", "bidirectional"])
def test_a_machine_from_sizes_learns_which_word_came_first(walk):
    ours = RNNClassifier(model.Config(8, vocab_size=5, hidden_size=6, head_hidden_size=8), rnn=walk)
    assert ours(torch.tensor([[1, 2, 0]])).shape == (1, 1)
    ids, truth = torch.tensor([[1, 2, 3], [2, 1, 3]]), torch.tensor([[1.0], [0.0]])
    optimiser = torch.optim.Adam(ours.parameters(), 0.05)
    for _ in range(60):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(ours.logit(ids), truth)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss < 0.05


def test_dropout_rests_at_exam_time_and_is_at_work_in_practice():
    ours, ids = RNNClassifier(model.Config(8, vocab_size=9), dropout=0.5), torch.tensor(scattered(6))
    assert not torch.equal(ours(ids), ours(ids))
    ours.eval()
    assert torch.equal(ours(ids), ours(ids))


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
@pytest.mark.parametrize("walk", ["rnn", "lstm", "bidirectional"])
def test_a_walker_that_was_traced_on_a_full_text_still_passes_over_padding(walk):
    ours = RNNClassifier(model.Config(8, vocab_size=9), rnn=walk).eval()
    traced = torch.jit.trace(ours, torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]]), check_trace=False)
    for text in ([[1, 2, 0, 0], [3, 0, 0, 0]], [[0, 1, 0, 2], [5, 6, 7, 8]]):
        with torch.no_grad():
            close(traced(torch.tensor(text)), ours(torch.tensor(text)), 1e-6)
    assert traced(torch.zeros(2, 4, dtype=torch.long)).isfinite().all()  # where nobody looks, padding alone is not refused


# ---- refusals


@pytest.mark.parametrize(
    "mistake, kind, message",
    [
        (lambda: RNN.from_params(CELL)(torch.ones(2, 4).double()), ValueError, "x has the shape (2, 4); the weights read (..., tokens, 3)"),
        (lambda: RNN.from_params(CELL)(torch.ones(3).double()), ValueError, "x has the shape (3,)"),
        (lambda: RNN.from_params(CELL)(torch.ones(2, 0, 3).double()), ValueError, "one token at least"),
        (lambda: RNN.from_params(CELL)(torch.ones(5, 2, 3).double(), h0=torch.ones(2)), ValueError, "a hidden state here is (5, 2)"),
        (lambda: RNN.from_params(replace(CELL, weight_hh=np.ones((2, 3)))), ValueError, "the hidden state is 2 wide and weight_hh (2, 3) reads 3"),
        (lambda: RNNClassifier.from_params(machine(1, "rnn"))(torch.zeros(2, 3).long()), ValueError, "all 3 positions of a text are padding"),
        (lambda: RNNClassifier(model.Config(4, vocab_size=5), rnn="jump"), ValueError, "rnn=jump is not known; take rnn, lstm, bidirectional"),
        (lambda: RNNClassifier(model.Config(4)), ValueError, "vocab_size is not given"),
        (
            lambda: RNNClassifier.from_params(replace(machine(1, "rnn"), rnn=examples_head())),
            ValueError,
            "MLPParams is no recurrent network; give the classifier RNNParams or",
        ),
        (lambda: model.Config(4, hidden_size=0), ValueError, "hidden_size=0; a size is at least 1"),
    ],
)
def test_refused(mistake, kind, message):
    with pytest.raises(kind) as caught:
        mistake()
    assert message in str(caught.value)


CELL = RNNParams(np.ones((2, 3)), np.ones((2, 2)))


def examples_head():
    return machine(1, "rnn").head


def test_a_step_without_a_note():
    ours = RNN.from_params(CELL)
    close(rnn_step(torch.ones(3).double(), torch.zeros(2).double(), ours.layer), reference.rnn_step(np.ones(3), None, CELL))
