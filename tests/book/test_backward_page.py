"""Chapters 13 and 13b: their central digits against torch's autograd and optimizers, and what they say of their sources."""

import json
import re
from dataclasses import asdict

import numpy as np
import pytest
import torch

from pencil.examples import NEXT_ROWS, PAIR_BLOCK, PAIR_EMBEDDINGS, PAIR_POSITIONS, REVIEW_HEAD, REVIEW_PARAMS, ROWS
from pencil.model import Block, state_arrays
from pencil.params import flatten
from pencil.paths import ROOT
from pencil.publish import Published
from pencil.rounding import show

BACKWARD, DESCENT = ROOT / "notebooks/13_backward.ipynb", ROOT / "notebooks/13b_descent.ipynb"


@pytest.fixture(scope="module")
def page():
    return Published.read(BACKWARD)


@pytest.fixture(scope="module")
def downhill():
    return Published.read(DESCENT)


@pytest.fixture(scope="module")
def text():
    """All that a reader of Downhill can read, with the line breaks and the markup taken out."""
    cells = json.loads(DESCENT.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    for output in (out for cell in cells for out in cell.get("outputs", ())):
        texts += ["".join(output.get("text", "")), "".join(output.get("data", {}).get("text/plain", ""))]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", " ".join(texts)))


def params(only=None):
    """The classifier's parameters in torch, by the names of the page."""
    named = (
        {"embedding": ROWS}
        | {f"params.{n}": v for n, v in asdict(REVIEW_PARAMS).items() if v is not None}
        | {f"head.{n}": v for n, v in asdict(REVIEW_HEAD).items()}
    )
    return {n: torch.tensor(v, dtype=torch.float64, requires_grad=only is None or n.startswith(only)) for n, v in named.items()}


def probability(w):
    x = w["embedding"]
    query, key, value = (x @ w[f"params.{name}"].T for name in ("query", "key", "value"))
    summary = torch.nn.functional.scaled_dot_product_attention(query[None], key[None], value[None])[0].mean(0)
    hidden = torch.nn.functional.linear(summary, w["head.weight1"], w["head.bias1"]).relu()
    return torch.nn.functional.linear(hidden, w["head.weight2"], w["head.bias2"]).sigmoid()


def loss_of(w, truth=0.0):
    return torch.nn.functional.binary_cross_entropy(probability(w), torch.tensor([truth], dtype=torch.float64))


def step(optimizer, rate, only=None):
    w = params(only)
    opt = optimizer([v for v in w.values() if v.requires_grad], lr=rate)
    before = loss_of(w)
    before.backward()
    opt.step()
    return w, before.item(), loss_of(w).item()


def test_slopes_of_the_review(downhill):
    w = params()
    loss_of(w).backward()
    for name, dial in w.items():
        np.testing.assert_allclose(downhill.find(f"grad.{name}").exact, dial.grad, atol=1e-10, err_msg=name)
    assert sum(dial.numel() for dial in w.values()) == downhill.find("parameters").exact == 69


@pytest.mark.parametrize("at", range(4))
def test_a_step_of_plain_descent_at_every_rate_that_is_tried(downhill, at):
    rate = float(downhill.find("tried").exact[at])
    w, before, after = step(torch.optim.SGD, rate)
    assert abs(after - downhill.find("after_one").exact[at]) < 1e-10
    if rate == downhill.find("lr").exact:
        assert abs(before - downhill.find("loss").exact) < 1e-10 and abs(after - downhill.find("after.loss").exact) < 1e-10
        for name, dial in w.items():
            np.testing.assert_allclose(downhill.find(f"stepped.{name}.updated").exact, dial.detach(), atol=1e-10, err_msg=name)


def test_a_step_of_adam(downhill):
    w, _, after = step(torch.optim.Adam, 0.01, "head")
    for name in ("weight1", "bias1", "weight2", "bias2"):
        np.testing.assert_allclose(downhill.find(f"by_adam.stepped.head.{name}.updated").exact, w[f"head.{name}"].detach(), atol=1e-10, err_msg=name)
    assert abs(after - downhill.find("by_adam.after.loss").exact) < 1e-10


def test_what_one_step_did_to_other_reviews(text):
    w = step(torch.optim.SGD, 0.01)[0]
    for words, at in (("nolan ended", [0, 1]), ("nolan", [0]), ("ended", [1])):
        old, new = (probability(m | {"embedding": m["embedding"][at]}).item() for m in (params(), w))
        assert re.search(rf"(?<!nolan ){words} +{show(old)} -> {show(new)}", text)


def block_loss(model, x=PAIR_EMBEDDINGS + PAIR_POSITIONS, ends=NEXT_ROWS):
    row = torch.nn.functional.layer_norm(model(torch.as_tensor(x))[1], (4,), eps=0.0)
    return torch.nn.functional.cross_entropy(torch.as_tensor(ends) @ row, torch.tensor(0))


def test_slopes_of_the_block_and_a_step(page, downhill):
    model = Block.from_params(PAIR_BLOCK)
    block_loss(model).backward()
    slopes = {}
    for parameter in model.parameters():
        parameter.data, parameter.grad = parameter.grad, parameter.data
    slopes |= {name: np.array(grid) for name, grid in state_arrays(model).items()}
    assert len(slopes) == 6
    for parameter in model.parameters():
        parameter.data = parameter.grad
    moved = flatten(PAIR_BLOCK)
    for name, slope in slopes.items():
        np.testing.assert_allclose(page.find(f"grad.params.{name}").exact, slope, atol=1e-10, err_msg=name)
        np.testing.assert_allclose(downhill.find(f"pair.stepped.params.{name}.updated").exact, moved[name] - 0.05 * slope, atol=1e-10, err_msg=name)
    assert abs(block_loss(model).item() - page.find("loss").exact) < 1e-10


def test_slopes_of_embeddings_positions_and_the_words_rows(page):
    embedding, positions, ends = (torch.tensor(given, requires_grad=True) for given in (PAIR_EMBEDDINGS, PAIR_POSITIONS, NEXT_ROWS))
    block_loss(Block.from_params(PAIR_BLOCK), embedding + positions, ends).backward()
    for name, given in {"embedding": embedding, "positions": positions, "ends": ends}.items():
        np.testing.assert_allclose(page.find(f"grad.{name}").exact, given.grad, atol=1e-10, err_msg=name)
    assert page.find("parameters").exact == 6 * 16 + sum(given.numel() for given in (embedding, positions, ends))


@pytest.mark.parametrize("rate, at", [(0.05, 0), (20, 1)])
def test_the_block_after_a_step(downhill, rate, at):
    model = Block.from_params(PAIR_BLOCK)
    opt = torch.optim.SGD(model.parameters(), lr=rate)
    block_loss(model).backward()
    opt.step()
    assert abs(block_loss(model).item() - downhill.find("pair_after").exact[at]) < 1e-10
    assert (downhill.find("pair_tried").exact[at] == rate) and (downhill.find("pair_after").exact[1] > downhill.find("pair.loss").exact)


@pytest.mark.parametrize("row, norm, backs", [("out", "final", ["by_hand.back", "grad.out"]), ("residual", "norm2", ["network.back"])])
def test_the_gradient_of_layer_norm(page, row, norm, backs):
    stream = torch.tensor(page.find(f"sat.{row}").exact, requires_grad=True)
    normalized = torch.nn.functional.layer_norm(stream, (4,), eps=0.0)
    (normalized * torch.tensor(page.find(f"sat.grad.{norm}.normalized").exact)).sum().backward()
    for name in backs:
        np.testing.assert_allclose(page.find(f"sat.{name}").exact, stream.grad, atol=1e-10, err_msg=name)


def test_the_square_of_softmax(page):
    square = torch.autograd.functional.jacobian(lambda z: z.softmax(0), torch.tensor([0.0, 1.0], dtype=torch.float64))
    np.testing.assert_allclose(page.find("soft.jacobian").exact, square, atol=1e-12)


def test_what_vanishes_and_what_does_not(downhill):
    """The statement of the article on softmax, with the scores of nolan, undivided and divided (2 and 8, 1 and 4)."""
    for name, scores, follows, winner in (("raw", [2.0, 8.0], "0.00247", "0.998"), ("divided", [1.0, 4.0], "0.0452", "0.953")):
        scores = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
        share = scores.softmax(0)[1]
        share.backward()
        assert abs(downhill.find(f"gaps.{name}.follows[ended]").exact - scores.grad[1]) < 1e-12
        assert show(scores.grad[1].item(), len(follows) - 2) == follows and show(share.item()) == winner
    assert show(downhill.find("times_as_steep").exact, 1) == "18.3"


@pytest.mark.parametrize(
    "said", ["Adam rolls dials downhill", "learned by rolling downhill", "its gradient vanishes, so learning stalls", "prevent vanishing gradients"]
)
def test_what_the_sources_say_stands_on_the_page(said, text):
    assert said in text.replace("“", "").replace("”", "").replace('"', "")


def test_the_slope_that_a_reader_carries_back(page):
    given = {name: page.find(f"carry.{name}").exact for name in ("scaled", "value", "head.weight")}
    w = {name: torch.tensor(numbers, dtype=torch.float64, requires_grad=True) for name, numbers in given.items()}
    logit = w["scaled"].softmax(0) @ w["value"] @ w["head.weight"]
    torch.nn.functional.binary_cross_entropy_with_logits(logit, torch.zeros((), dtype=torch.float64)).backward()
    for name, dial in w.items():
        np.testing.assert_allclose(page.find(f"carry.grad.{name}").exact, dial.grad, atol=1e-10, err_msg=name)


def test_the_long_way_and_the_short_one(page):
    shares = torch.tensor(page.find("turn.long.weights").exact)
    scores = shares.log().requires_grad_()
    torch.nn.functional.cross_entropy(scores, torch.tensor(0)).backward()
    np.testing.assert_allclose(page.find("turn.long.scores").exact, scores.grad, atol=1e-12)


def expression(seed, numbers, number, exp, log, relu, root):
    """A random one of positive numbers, which are used again and again; every operation keeps them positive."""
    rng = np.random.default_rng(seed)
    moves = [
        *(lambda a, b: a + b, lambda a, b: a * b / (a + b), lambda a, b: exp(a / (a + b)), lambda a, b: log(a + number(1))),
        *(lambda a, b: root(a * a + b), lambda a, b: relu(a + b * number(-2)) + a),
    ]
    for move in (*range(len(moves)), *rng.integers(0, len(moves), 8)):
        a, b = (numbers[k] for k in rng.integers(0, len(numbers), 2))
        numbers = [*numbers, moves[move](a, b)]
    return sum(numbers[1:], numbers[0])


@pytest.mark.parametrize("seed", range(10))
def test_the_short_program_in_sight_finds_torchs_gradients(seed):
    cells = [
        "".join(cell["source"]) for cell in json.loads(BACKWARD.read_text(encoding="utf-8"))["cells"] if "learn" in cell["metadata"].get("tags", ())
    ]
    engine = [cell for cell in cells if re.match(r"class Value|def (exp|go_back)\b", cell)]
    assert len(engine) == 3 and sum(bool(line.strip()) for cell in engine for line in cell.splitlines()) <= 43
    exec("\n\n".join(engine), space := {"np": np})
    drawn = np.random.default_rng(seed).uniform(0.5, 2, 4)
    mine, theirs = [space["Value"](one) for one in drawn], [torch.tensor(one, requires_grad=True) for one in drawn]
    loss = expression(seed, mine, space["Value"], *(space[name] for name in ("exp", "log", "relu", "root")))
    expected = expression(seed, theirs, torch.tensor, torch.exp, torch.log, torch.relu, torch.sqrt)
    space["go_back"](loss), expected.backward()
    assert loss.data == pytest.approx(expected.item(), rel=1e-12)
    assert [one.grad for one in mine] == pytest.approx([one.grad.item() for one in theirs], rel=1e-10)


def test_momentum_and_the_standard_deviation_of_new_weights(downhill):
    dial = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([dial], lr=1.0, momentum=downhill.find("rolling.momentum").exact.item())
    for slope in downhill.find("rolling.steady.slope").exact:
        dial.grad, before = torch.full_like(dial, slope), dial.item()
        optimizer.step()
    assert abs(before - dial.item() - downhill.find("rolling.steady.velocityc").exact) < 1e-12
    reads = int(downhill.find("turn.reads").exact)
    torch.manual_seed(0)
    drawn = torch.nn.init.kaiming_normal_(torch.empty(4000, reads), nonlinearity="relu")
    assert abs(drawn.std().item() - downhill.find("turn.he.std").exact) < 0.002


@pytest.mark.parametrize("name, options", [("plain", {}), ("momentum", {"momentum": 0.9})])
def test_the_race_is_torchs_and_each_runs_at_its_best(downhill, name, options):
    curvature = torch.tensor(downhill.find("valley.curvature").exact)

    def ends_at(rate):
        spot = torch.tensor(downhill.find("valley.start").exact, requires_grad=True)
        optimizer = torch.optim.SGD([spot], lr=rate, **options)
        for _ in range(6):
            optimizer.zero_grad()
            (curvature * spot * spot).sum().div(2).backward()
            optimizer.step()
        return (curvature * spot * spot).sum().item() / 2

    rate = downhill.find(f"valley.{name}.lr").exact
    assert abs(ends_at(rate) - downhill.find(f"valley.{name}.loss").exact) < 1e-10
    assert all(ends_at(rate) < ends_at(other) for other in (rate - 0.01, rate + 0.01))


def test_the_first_move_of_muon(downhill):
    start, moved = (torch.tensor(downhill.find(f"muon.{name}").exact) for name in ("divided", "first_move"))
    left, lengths, right = torch.linalg.svd(start)
    np.testing.assert_allclose(moved, left @ torch.diag(1.5 * lengths - 0.5 * lengths**3) @ right, atol=1e-12)


def test_the_residual_connection_alone_explodes_for_one_size_of_weights_only(downhill):
    wide, small = downhill.find("gains").exact[2]
    assert wide > 1e5 and 1 < small < 2
