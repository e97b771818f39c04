"""The two-memory walker and the stapled pair in torch: noted against the reference, fast against noted, slopes, padding, weights."""

import numpy as np
import pytest
import torch
from model_draws import DEVICES, Draw, close

from pencil import model, reference
from pencil.bundles import fill, flatten
from pencil.model import Config, flat, verify
from pencil.trace import Trace

WORDS, D = 6, 3
COUNTS = np.array([6, 1, 4])


def recurrent(draw, d=D, d_h=2):
    return reference.Recurrent(draw.array(d_h, d), draw.array(d_h, d_h), draw.maybe(d_h))


def lstm(draw, d=D, d_h=2):
    return reference.LSTM(*(recurrent(draw, d, d_h) for _ in range(4)))


KINDS = {
    "lstm": (model.LSTM, lstm),
    "wide": (model.LSTM, lambda draw: lstm(draw, d_h=5)),
    "width one": (model.LSTM, lambda draw: lstm(draw, d_h=1)),
    "both ways": (model.Bidirectional, lambda draw: reference.Bidirectional(lstm(draw), lstm(draw))),
    "two widths": (model.Bidirectional, lambda draw: reference.Bidirectional(lstm(draw, d_h=4), lstm(draw, d_h=1))),
    "two kinds": (model.Bidirectional, lambda draw: reference.Bidirectional(recurrent(draw), lstm(draw, d_h=3))),
}
every_kind = pytest.mark.parametrize("kind", KINDS)
biased = pytest.mark.parametrize("bias", [True, False], ids=["biased", "bare"])


def made(kind, bias=True, seed=0, dtype=torch.float64, device="cpu"):
    draw = Draw(seed, bias)
    module, bundle = KINDS[kind]
    bundle = bundle(draw)
    return draw, bundle, module.like(bundle, dtype=dtype, device=device)


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
        for text, rows in zip(x.reshape(-1, words, D).cpu().numpy(), explicit[0].reshape(-1, words, machine.width), strict=True):
            close(rows, reference.walk(text, bundle))
    theirs = {}
    reference.walk(x[0, 0].cpu().numpy(), bundle, theirs.setdefault)
    theirs = {name: value for name, value in theirs.items() if not name.endswith(".raised")}
    assert list(noted) == list(theirs), "the names, and their order"
    for name, value in theirs.items():
        close(noted[name][0, 0], value, name=name)


@every_kind
def test_in_float32(kind):
    draw, bundle, machine = made(kind, dtype=torch.float32)
    x = draw.rng.normal(size=(WORDS, D))
    close(machine(torch.tensor(x, dtype=torch.float32)), reference.walk(x, bundle), 1e-5)


@every_kind
def test_verify_holds_every_named_value(kind):
    draw, bundle, machine = made(kind)
    trace = Trace()
    reference.walk(trace.given("x", draw.rng.normal(size=(3, D)), words=["one", "two", "three"]), trace.given_each("grid", bundle), trace)
    agreed = verify(trace, machine)
    assert agreed.worst < 1e-14 and len(agreed.names) > 30
    first = "forward.step1.read" if kind == "two kinds" else "forward.step1.keep.read" if "forward" in agreed.names[0] else "step1.keep.read"
    with torch.no_grad():
        next(iter(machine.arrays().values())).add_(1e-6)  # the keep voter's grid
    with pytest.raises(model.Disagreement, match=rf"{first}\[0\] is |{first} is "):
        verify(trace, machine)


@pytest.mark.parametrize("gate", ["keep", "admit", "show", "candidate"])
@pytest.mark.parametrize("part", ["input", "hidden", "bias"])
def test_a_changed_weight_is_found_in_its_own_gate(gate, part):
    draw, bundle, machine = made("lstm")
    trace = Trace()
    reference.lstm(trace.given("x", draw.rng.normal(size=(2, D))), trace.given_each("grid", bundle), trace)
    with torch.no_grad():
        machine.arrays()[f"{gate}.{part}"][..., 0] += 1e-6
    step, value = (2, "recalled") if part == "hidden" else (1, "read")
    with pytest.raises(model.Disagreement, match=rf"step{step}\.{gate}\.{value}\["):
        verify(trace, machine)


def test_a_walk_can_go_on_from_where_another_stopped():
    draw, bundle, machine = made("lstm")
    x = draw.rng.normal(size=(2, WORDS, D))
    noted = {}
    first = machine(torch.tensor(x[:, :4]), noted.setdefault)
    start = first[:, -1], noted["step4.belt"]
    for more in ({}, {"note": {}.setdefault}):
        close(torch.cat([first, machine(torch.tensor(x[:, 4:]), start=start, **more)], -2), machine(torch.tensor(x)))
    close(machine(torch.tensor(x[0, 4:]), start=(start[0][0], start[1][0])), reference.lstm(x[0], bundle)[4:])


# ---- padding


@pytest.mark.parametrize("noted", [False, True])
@every_kind
def test_rows_that_do_not_count_change_nothing(kind, noted):
    draw, bundle, machine = made(kind)
    x, counts = draw.rng.normal(size=(3, WORDS, D)), torch.tensor(COUNTS)
    more = {"note": {}.setdefault} if noted else {}
    memories = machine(torch.tensor(x), counts=counts, **more)
    arrived = machine.last(memories, counts)
    for i, count in enumerate(COUNTS):
        alone = reference.walk(x[i, :count], bundle)
        close(memories[i, :count], alone)
        close(arrived[i], reference.arrival(alone, bundle))
    close(machine.last(machine(torch.tensor(x[0]))), reference.arrival(reference.walk(x[0], bundle), bundle))


@every_kind
def test_no_slope_reaches_a_row_that_does_not_count(kind):
    draw, _, machine = made(kind)
    x, counts = torch.tensor(draw.rng.normal(size=(3, WORDS, D))), torch.tensor(COUNTS)
    slopes = []
    for more in ({}, {"note": {}.setdefault}):
        given = x.clone().requires_grad_()
        machine.last(machine(given, counts=counts, **more), counts).sum().backward()
        slopes.append(given.grad)
    close(slopes[0], slopes[1])
    counted = torch.arange(WORDS) < counts[:, None]
    assert (slopes[0][~counted] == 0).all() and (slopes[0][counted] != 0).all()


def test_the_walk_back_would_else_begin_in_the_padding():
    draw, _, machine = made("both ways")
    x, counts = torch.tensor(draw.rng.normal(size=(3, WORDS, D))), torch.tensor(COUNTS)
    apart = (machine(x, counts=counts) - machine(x)).abs().amax(-1)
    assert (apart[0] == 0).all() and (apart[2, :4] > 1e-4).all()


@pytest.mark.parametrize("kind", ["lstm", "both ways", "two kinds"])
@pytest.mark.parametrize("padding", [True, False])
def test_the_whole_walking_machine(kind, padding):
    draw, walk, module = made(kind, seed=3)
    head = reference.Head(draw.array(3, module.width), draw.array(3), draw.array(1, 3), draw.array(1))
    bundle = reference.WalkerClassifier(draw.array(9, D), walk, head)
    machine = model.WalkerClassifier.like(bundle, padding=padding)
    ids = np.array([[3, 1, 4, 1, 5], [2, 7, 0, 0, 0], [0, 0, 8, 2, 6]])
    for row, text in zip(machine(torch.tensor(ids)), ids, strict=True):
        theirs, noted = {}, {}
        close(row, reference.walker_classifier(text, bundle, theirs.setdefault, padding))
        close(machine(torch.tensor(text), noted.setdefault), row)
        assert not padding or list(noted)[-1] == list(theirs)[-1] == "sigmoid.answer"
        close(noted["summary"], theirs["summary"])


# ---- weights


@biased
@every_kind
def test_what_goes_in_comes_out(kind, bias):
    _, bundle, machine = made(kind, bias)
    wanted, got = flatten(bundle), flat(machine)
    assert list(got) and set(got) == set(wanted)
    for name, array in wanted.items():
        np.testing.assert_array_equal(got[name], array, err_msg=name)
    assert flatten(fill(bundle, got)).keys() == wanted.keys()
    assert sum(a.size for a in got.values()) == sum(p.numel() for p in machine.parameters() if p.requires_grad)


def test_a_new_machine_of_first_numbers_runs_in_the_reference():
    config = Config(D, d_h=4)
    for module, bundle in ((model.LSTM, config.lstm()), (model.Bidirectional, config.bidirectional())):
        machine = module(config).double()
        x = np.random.default_rng(0).normal(size=(WORDS, D))
        close(machine(torch.tensor(x)), reference.walk(x, fill(bundle, flat(machine))))


def test_a_new_machine_forgets_little_and_its_other_biases_are_nothing():
    arrays = flat(model.LSTM(Config(D, d_h=4)))
    assert (arrays["keep.bias"] == 1).all() and not any(arrays[f"{gate}.bias"].any() for gate in ("admit", "show", "candidate"))
    for gate in ("keep", "admit", "show", "candidate"):  # each gate's memory grid starts orthogonal by itself
        close(arrays[f"{gate}.hidden"] @ arrays[f"{gate}.hidden"].T, np.eye(4), 1e-6)
    assert not [name for name in flat(model.LSTM(Config(D, d_h=4, bias=False))) if "bias" in name]


def test_the_second_bias_of_torch_stays_nothing_when_the_machine_learns():
    _, _, machine = made("lstm")
    before, x = flat(machine), torch.randn(2, WORDS, D, dtype=torch.float64)
    turn = torch.optim.AdamW(machine.parameters(), lr=0.1, weight_decay=0.1)
    machine(x).pow(2).sum().backward()
    turn.step()
    close(machine(x), np.stack([reference.lstm(text.numpy(), fill(made("lstm")[1], flat(machine))) for text in x]))
    assert all(np.abs(array - before[name]).max() > 0 for name, array in flat(machine).items())


# ---- refusals


def spoiled(gate, **parts):
    from dataclasses import replace

    bundle = made("lstm")[1]
    return replace(bundle, **{gate: replace(getattr(bundle, gate), **parts)})


@pytest.mark.parametrize(
    "mistake, message",
    [
        (lambda: made("lstm")[2](torch.zeros(2, 4).double()), r"x has the shape \(2, 4\); the grids read rows of 3"),
        (lambda: made("both ways")[2](torch.zeros(3).double()), r"x has the shape \(3,\); the grids read rows of 3"),
        (lambda: made("lstm")[2](torch.zeros(0, 3).double()), r"one word at least"),
        (lambda: made("lstm")[2](torch.zeros(2, 3).double(), start=(torch.zeros(2), torch.zeros(3))), r"start has the shape \(3,\)"),
        (lambda: made("lstm")[2](torch.zeros(2, 3).double(), start=torch.zeros(2)), r"start is a Tensor; give both memories, as a pair"),
        (lambda: model.LSTM(spoiled("admit", input=np.ones((2, 4)))), r"admit.input is \(2, 4\) and keep.input \(2, 3\)"),
        (lambda: model.LSTM(spoiled("show", hidden=np.ones((3, 3)))), r"show.hidden is \(3, 3\) and keep.hidden \(2, 2\)"),
        (lambda: model.LSTM(spoiled("candidate", bias=None)), r"candidate.bias and keep.bias: one is there and one is not"),
        (lambda: model.LSTM(spoiled("keep", hidden=np.ones((2, 3)))), r"the memory is 2 wide"),
        (lambda: model.Bidirectional(reference.Bidirectional(lstm(Draw(0)), lstm(Draw(0), d=5))), r"rows of 3 and the other of 5"),
    ],
)
def test_refused_by_name(mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake()


def test_what_does_not_walk_is_refused():
    with pytest.raises(ValueError, match="a ndarray is no walker; give a Recurrent or an LSTM"):
        model.Bidirectional(reference.Bidirectional(lstm(Draw(0)), np.eye(2)))
