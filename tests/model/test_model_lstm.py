"""LSTM and bidirectional networks in torch: noted against the reference, fast against noted, gradients, padding, weights."""

import numpy as np
import pytest
import torch
from model_draws import DEVICES, Draw, close

from pencil import model, reference
from pencil.model import Config, state_arrays, verify
from pencil.params import flatten, unflatten
from pencil.trace import Trace

WORDS, D = 6, 3
COUNTS = np.array([6, 1, 4])


def recurrent(draw, d=D, hidden_size=2):
    return reference.RNNParams(draw.array(hidden_size, d), draw.array(hidden_size, hidden_size), draw.maybe(hidden_size))


def lstm(draw, d=D, hidden_size=2):
    return reference.LSTMParams(*(recurrent(draw, d, hidden_size) for _ in range(4)))


KINDS = {
    "lstm": (model.LSTM, lstm),
    "wide": (model.LSTM, lambda draw: lstm(draw, hidden_size=5)),
    "width one": (model.LSTM, lambda draw: lstm(draw, hidden_size=1)),
    "both ways": (model.Bidirectional, lambda draw: reference.BidirectionalParams(lstm(draw), lstm(draw))),
    "two widths": (model.Bidirectional, lambda draw: reference.BidirectionalParams(lstm(draw, hidden_size=4), lstm(draw, hidden_size=1))),
    "two kinds": (model.Bidirectional, lambda draw: reference.BidirectionalParams(recurrent(draw), lstm(draw, hidden_size=3))),
}
every_kind = pytest.mark.parametrize("kind", KINDS)
biased = pytest.mark.parametrize("bias", [True, False], ids=["biased", "bare"])


def made(kind, bias=True, seed=0, dtype=torch.float64, device="cpu"):
    draw = Draw(seed, bias)
    module, bundle = KINDS[kind]
    bundle = bundle(draw)
    return draw, bundle, module.from_params(bundle, dtype=dtype, device=device)


def run(machine, x, **more):
    """The rows that come out, and the slopes of the input and of every parameter."""
    given = x.clone().requires_grad_()
    machine.zero_grad()
    out = machine(given, **more)
    (out * torch.linspace(-1, 2, out.numel(), dtype=out.dtype).view(out.shape).to(out.device)).sum().backward()
    slopes = [p.grad if p.grad is not None else torch.zeros_like(p) for p in machine.parameters() if p.requires_grad]  # one word recalls nothing
    return [out, given.grad, *slopes]


# ---- three ways, one machine


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("words", [1, WORDS])
@biased
@every_kind
def test_noted_is_the_reference_and_fast_is_noted_slopes_too(kind, bias, words, device):
    draw, bundle, machine = made(kind, bias, device=device)
    for shape in ((words, D), (2, words, D), (2, 2, words, D)):
        x = torch.tensor(draw.rng.normal(size=shape), device=device)
        noted = {}
        explicit = run(machine, x, note=noted.setdefault)
        for ours, theirs in zip(run(machine, x), explicit, strict=True):
            close(ours, theirs, name="fast and noted")
        for text, rows in zip(x.reshape(-1, words, D).cpu().numpy(), explicit[0].reshape(-1, words, machine.output_size), strict=True):
            close(rows, reference.run_rnn(text, bundle))
    theirs = {}
    reference.run_rnn(x[0, 0].cpu().numpy(), bundle, note=theirs.setdefault)
    theirs = {name: value for name, value in theirs.items() if not name.endswith(".exp")}
    assert list(noted) == list(theirs), "the names, and their order"
    for name, value in theirs.items():
        close(noted[name][0, 0], value, name=name)


@every_kind
def test_in_float32(kind):
    draw, bundle, machine = made(kind, dtype=torch.float32)
    x = draw.rng.normal(size=(WORDS, D))
    close(machine(torch.tensor(x, dtype=torch.float32)), reference.run_rnn(x, bundle), 1e-5)


@every_kind
def test_verify_holds_every_named_value(kind):
    draw, bundle, machine = made(kind)
    trace = Trace()
    reference.run_rnn(trace.given("x", draw.rng.normal(size=(3, D)), words=["one", "two", "three"]), trace.given_each("params", bundle), note=trace)
    agreed = verify(trace, machine)
    assert agreed.max_difference < 1e-14 and len(agreed.names) > 30
    first = (
        "forward.step1.from_input"
        if kind == "two kinds"
        else "forward.step1.forget_gate.from_input"
        if "forward" in agreed.names[0]
        else "step1.forget_gate.from_input"
    )
    with torch.no_grad():
        next(iter(machine.arrays().values())).add_(1e-6)  # the keep voter's grid
    with pytest.raises(model.Disagreement, match=rf"{first}\[0\] is |{first} is "):
        verify(trace, machine)


@pytest.mark.parametrize("gate", ["forget_gate", "input_gate", "output_gate", "candidate"])
@pytest.mark.parametrize("part", ["weight_ih", "weight_hh", "bias"])
def test_a_changed_weight_is_found_in_its_own_gate(gate, part):
    draw, bundle, machine = made("lstm")
    trace = Trace()
    reference.lstm(trace.given("x", draw.rng.normal(size=(2, D))), trace.given_each("params", bundle), note=trace)
    with torch.no_grad():
        machine.arrays()[f"{gate}.{part}"][..., 0] += 1e-6
    step, value = (2, "from_hidden") if part == "weight_hh" else (1, "from_input")
    with pytest.raises(model.Disagreement, match=rf"step{step}\.{gate}\.{value}\["):
        verify(trace, machine)


def test_a_walk_can_go_on_from_where_another_stopped():
    draw, bundle, machine = made("lstm")
    x = draw.rng.normal(size=(2, WORDS, D))
    noted = {}
    first = machine(torch.tensor(x[:, :4]), note=noted.setdefault)
    h0 = first[:, -1], noted["step4.cell"]
    for more in ({}, {"note": {}.setdefault}):
        close(torch.cat([first, machine(torch.tensor(x[:, 4:]), h0=h0, **more)], -2), machine(torch.tensor(x)))
    close(machine(torch.tensor(x[0, 4:]), h0=(h0[0][0], h0[1][0])), reference.lstm(x[0], bundle)[4:])


# ---- padding


@pytest.mark.parametrize("noted", [False, True])
@every_kind
def test_rows_that_do_not_count_change_nothing(kind, noted):
    draw, bundle, machine = made(kind)
    x, lengths = draw.rng.normal(size=(3, WORDS, D)), torch.tensor(COUNTS)
    more = {"note": {}.setdefault} if noted else {}
    hidden_states = machine(torch.tensor(x), lengths=lengths, **more)
    arrived = machine.final_hidden(hidden_states, lengths=lengths)
    for i, count in enumerate(COUNTS):
        alone = reference.run_rnn(x[i, :count], bundle)
        close(hidden_states[i, :count], alone)
        close(arrived[i], reference.final_hidden(alone, bundle))
    close(machine.final_hidden(machine(torch.tensor(x[0]))), reference.final_hidden(reference.run_rnn(x[0], bundle), bundle))


@every_kind
def test_no_slope_reaches_a_row_that_does_not_count(kind):
    draw, _, machine = made(kind)
    x, lengths = torch.tensor(draw.rng.normal(size=(3, WORDS, D))), torch.tensor(COUNTS)
    slopes = []
    for more in ({}, {"note": {}.setdefault}):
        given = x.clone().requires_grad_()
        machine.final_hidden(machine(given, lengths=lengths, **more), lengths=lengths).sum().backward()
        slopes.append(given.grad)
    close(slopes[0], slopes[1])
    counted = torch.arange(WORDS) < lengths[:, None]
    assert (slopes[0][~counted] == 0).all() and (slopes[0][counted] != 0).all()


def test_the_walk_back_would_else_begin_in_the_padding():
    draw, _, machine = made("both ways")
    x, lengths = torch.tensor(draw.rng.normal(size=(3, WORDS, D))), torch.tensor(COUNTS)
    apart = (machine(x, lengths=lengths) - machine(x)).abs().amax(-1)
    assert (apart[0] == 0).all() and (apart[2, :4] > 1e-4).all()


@pytest.mark.parametrize("kind", ["lstm", "both ways", "two kinds"])
@pytest.mark.parametrize("padding", [True, False])
def test_the_whole_walking_machine(kind, padding):
    draw, walk, module = made(kind, seed=3)
    head = reference.MLPParams(draw.array(3, module.output_size), draw.array(3), draw.array(1, 3), draw.array(1))
    bundle = reference.RNNClassifierParams(draw.array(9, D), walk, head)
    machine = model.RNNClassifier.from_params(bundle, padding=padding)
    ids = np.array([[3, 1, 4, 1, 5], [2, 7, 0, 0, 0], [0, 0, 8, 2, 6]])
    for row, text in zip(machine(torch.tensor(ids)), ids, strict=True):
        theirs, noted = {}, {}
        close(row, reference.rnn_classifier(text, bundle, note=theirs.setdefault, padding=padding))
        close(machine(torch.tensor(text), note=noted.setdefault), row)
        assert not padding or list(noted)[-1] == list(theirs)[-1] == "sigmoid.prob"
        close(noted["pooled"], theirs["pooled"])


# ---- weights


@biased
@every_kind
def test_what_goes_in_comes_out(kind, bias):
    _, bundle, machine = made(kind, bias)
    wanted, got = flatten(bundle), state_arrays(machine)
    assert list(got) and set(got) == set(wanted)
    for name, array in wanted.items():
        np.testing.assert_array_equal(got[name], array, err_msg=name)
    assert flatten(unflatten(bundle, got)).keys() == wanted.keys()
    assert sum(a.size for a in got.values()) == sum(p.numel() for p in machine.parameters() if p.requires_grad)


def test_a_new_machine_of_first_numbers_runs_in_the_reference():
    config = Config(D, hidden_size=4)
    for module, bundle in ((model.LSTM, config.lstm_params()), (model.Bidirectional, config.bidirectional_params())):
        machine = module(config).double()
        x = np.random.default_rng(0).normal(size=(WORDS, D))
        close(machine(torch.tensor(x)), reference.run_rnn(x, unflatten(bundle, state_arrays(machine))))


def test_a_new_machine_forgets_little_and_its_other_biases_are_nothing():
    arrays = state_arrays(model.LSTM(Config(D, hidden_size=4)))
    assert (arrays["forget_gate.bias"] == 1).all() and not any(arrays[f"{gate}.bias"].any() for gate in ("input_gate", "output_gate", "candidate"))
    for gate in ("forget_gate", "input_gate", "output_gate", "candidate"):  # each gate's memory grid starts orthogonal by itself
        close(arrays[f"{gate}.weight_hh"] @ arrays[f"{gate}.weight_hh"].T, np.eye(4), 1e-6)
    assert not [name for name in state_arrays(model.LSTM(Config(D, hidden_size=4, bias=False))) if "bias" in name]


def test_the_second_bias_of_torch_stays_nothing_when_the_machine_learns():
    _, _, machine = made("lstm")
    before, x = state_arrays(machine), torch.randn(2, WORDS, D, dtype=torch.float64)
    turn = torch.optim.AdamW(machine.parameters(), lr=0.1, weight_decay=0.1)
    machine(x).pow(2).sum().backward()
    turn.step()
    close(machine(x), np.stack([reference.lstm(text.numpy(), unflatten(made("lstm")[1], state_arrays(machine))) for text in x]))
    assert all(np.abs(array - before[name]).max() > 0 for name, array in state_arrays(machine).items())


# ---- refusals


def spoiled(gate, **parts):
    from dataclasses import replace

    bundle = made("lstm")[1]
    return replace(bundle, **{gate: replace(getattr(bundle, gate), **parts)})


@pytest.mark.parametrize(
    "mistake, message",
    [
        (lambda: made("lstm")[2](torch.zeros(2, 4).double()), r"x has the shape \(2, 4\); the weights read \(..., tokens, 3\)"),
        (lambda: made("both ways")[2](torch.zeros(3).double()), r"x has the shape \(3,\); the weights read \(..., tokens, 3\)"),
        (lambda: made("lstm")[2](torch.zeros(0, 3).double()), r"one token at least"),
        (lambda: made("lstm")[2](torch.zeros(2, 3).double(), h0=(torch.zeros(2), torch.zeros(3))), r"h0 has the shape \(3,\)"),
        (lambda: made("lstm")[2](torch.zeros(2, 3).double(), h0=torch.zeros(2)), r"h0 is a Tensor; an LSTM takes a pair"),
        (
            lambda: model.LSTM(spoiled("input_gate", weight_ih=np.ones((2, 4)))),
            r"input_gate.weight_ih is \(2, 4\) and forget_gate.weight_ih \(2, 3\)",
        ),
        (
            lambda: model.LSTM(spoiled("output_gate", weight_hh=np.ones((3, 3)))),
            r"output_gate.weight_hh is \(3, 3\) and forget_gate.weight_hh \(2, 2\)",
        ),
        (lambda: model.LSTM(spoiled("candidate", bias=None)), r"candidate.bias and forget_gate.bias: one is there and one is not"),
        (lambda: model.LSTM(spoiled("forget_gate", weight_hh=np.ones((2, 3)))), r"the hidden state is 2 wide"),
        (lambda: model.Bidirectional(reference.BidirectionalParams(lstm(Draw(0)), lstm(Draw(0), d=5))), r"rows of 3 and the other of 5"),
    ],
)
def test_refused_by_name(mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake()


def test_what_does_not_walk_is_refused():
    with pytest.raises(ValueError, match="ndarray is no recurrent network; give RNNParams or LSTMParams"):
        model.Bidirectional(reference.BidirectionalParams(lstm(Draw(0)), np.eye(2)))
