"""The numbers of chapter 14, recomputed with lists and `math`: counts, probabilities, sampling, and perplexity."""

import math
import re
from itertools import pairwise

import nbformat
import numpy as np
import pytest
import torch

from pencil.data.text import load
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import ngram_loss
from pencil.model import Config, Decoder, load_arrays, state_arrays
from pencil.model.module import seeded
from pencil.paths import ROOT
from pencil.publish import Published
from pencil.trace import Trace


@pytest.fixture(scope="module")
def found():
    page = Published.read(ROOT / "notebooks/14_tiny_gpt.ipynb")
    return lambda name: np.asarray(page.find(name).exact).tolist()


def shares(scores):
    raised = [math.exp(score) for score in scores]
    return [each / sum(raised) for each in raised]


def test_the_count_of_the_mat(found):
    text = "the cat sat on the mat"
    followers = [b for a, b in pairwise(text) if a == "t"]
    assert [found(f"count.{name}") for name in ("letters", "kinds", "times")] == [len(text), len(set(text)), text.count("h")]
    assert [found(f"count.{name}") for name in ("seen", "followers", "pairs")] == [len(followers), len(set(followers)), followers.count("h")]
    for letter, name in (("h", "count.after.prob"), ("a", "turn.a.after.prob")):
        alone = (text.count(letter) + len(set(text)) / len(set(text))) / (len(text) + len(set(text)))
        assert found(name) == pytest.approx((followers.count(letter) + len(set(followers)) * alone) / (len(followers) + len(set(followers))))


@pytest.mark.parametrize(
    "run, name, wrong, hint",
    [
        *(("count", "times", 100, 22), ("count", "pairs", 5, 4), ("count", "letters", 1, 22), ("count", "seen", 3, 4), ("count", "even", 1.5, 1)),
        *(("turn", "a.times", 100, 22), ("turn", "a.pairs", 2.5, 3), ("turn", "kinds", 0, 1)),
    ],
)
def test_a_count_that_a_text_cannot_have_is_refused_where_it_is_typed(run, name, wrong, hint):
    """No letter comes more often than there are letters; the page keeps the same limits, see tests/web/test_engine_parity.py."""
    stored = Published.read(ROOT / "notebooks/14_tiny_gpt.ipynb").content["runs"][run]
    assert stored["labels"][name]
    with pytest.raises(ValueError, match=rf"'{name}' must be .* Type {hint}, for example"):
        Trace.load(stored["program"], {name: wrong})


def test_perplexity_is_the_geometric_mean(found):
    assert found("unsure.perplexity") == pytest.approx((1 / (0.5 * 0.25 * 0.125)) ** (1 / 3))
    assert found("turn.even.perplexity") == pytest.approx(found("kinds"))


@pytest.mark.parametrize("name, t", [("weights", 1), ("cold.weights", 0.5), ("hot.weights", 2), ("turn.freezing.weights", 0.25)])
def test_the_shares_at_every_temperature(found, name, t):
    assert found(name) == pytest.approx(shares([score / t for score in (2, 1, 0)]))


def test_what_is_struck_out_and_what_is_drawn(found):
    assert found("two.weights") == pytest.approx([*shares([2, 1]), 0]) and found("turn.wide.weights") == pytest.approx([*shares([2, 1]), 0])
    assert found("mass.weights") == [1, 0, 0]
    first, second, _ = shares([2, 1, 0])
    assert (
        first <= found("u") < first + second
        and found("drawn") == 1
        and found("turn.u") < found("turn.draw.weights")[0] == pytest.approx(1 - first - second)
    )


def test_without_a_cache_each_draw_works_all_rows_so_far(found):
    assert found("rows") == sum(range(1, 6))


def test_what_is_said_of_shakespeare(found):
    counted = read("tiny_gpt")["ngram_loss"]
    assert counted["5"] < found("play_loss") < counted["4"] and counted["5"] < counted["6"]


def test_what_the_line_and_the_floor_say_of_the_large_machine():
    page = Published.read(ROOT / "notebooks/14c_rematch.ipynb")
    found = lambda name: np.asarray(page.find(name).exact).tolist()  # noqa: E731
    loss, ruler, curve = found("card_reviews"), found("big_line"), found("big_curve")
    assert ruler < curve < loss and loss - curve < 0.05 and loss - ruler > 0.3
    assert found("big_positions") > found("ladder_positions") and found("big_letters_a_parameter") < found("ladder_letters")


def test_what_is_said_of_the_writer_of_the_page(found):
    ours, of_pieces = found("page_loss"), found("of_pieces")
    assert ours < found("six") == pytest.approx(ngram_loss(load(), 6)) and found("side_by_side") - ours > 0.1
    assert ours < of_pieces[1] and abs(ours - of_pieces[2]) < 0.001
    assert found("half") == found("positions") / 2 and abs(found("run_test") - ours) < 0.005
    assert found("turn.asked") == 16 * 48


def in_sight(*names):
    """What the reader's cells define, run by themselves."""
    page = nbformat.read(ROOT / "notebooks/14_tiny_gpt.ipynb", as_version=4)
    space = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "np": np}
    cells = [cell for cell in page.cells if cell.cell_type == "code" and re.match(r"(class|def) (Block|GPT|learn)\b", cell.source)]
    assert len(cells) == 3 and all("learn" in cell.metadata["tags"] for cell in cells)
    assert sum(len([line for line in cell.source.splitlines() if line.strip()]) for cell in cells) <= 35
    for cell in cells:
        exec(cell.source, space)
    return [space[name] for name in names]


@pytest.mark.slow
def test_an_empty_file_with_what_stands_in_sight_learns_and_writes():
    page = nbformat.read(ROOT / "notebooks/14_tiny_gpt.ipynb", as_version=4)
    sight = [cell.source for cell in page.cells if "learn" in cell.metadata.get("tags", ())]
    last = next(number for number, source in enumerate(sight) if "sample_text" in source)
    space = {"text": load()[:20_000]}
    with seeded(0):  # the cells draw without a seed, so what ran before would decide
        for source in sight[: last + 1]:
            exec(source, space)
    assert space["losses"][0] == pytest.approx(math.log(len(space["letters"])), rel=0.15)
    assert np.mean(space["losses"][-20:]) < space["losses"][0] - 1 and len(space["sample_text"]) == 101


@pytest.mark.parametrize("seed, letters, positions, d, heads, blocks", [(0, 11, 6, 8, 2, 1), (3, 57, 12, 24, 4, 3)])
def test_the_thirty_lines_are_the_package(seed, letters, positions, d, heads, blocks):
    """the same parameters, the same batches: the same losses, step by step, and the same scores in the end."""
    GPT, learn = in_sight("GPT", "learn")
    ids = np.random.default_rng(seed).integers(0, letters, 400)
    with seeded(seed):
        theirs = Decoder(Config(d, heads, n_layers=blocks, max_len=positions, vocab_size=letters))
        mine = GPT(letters, positions, d, heads, blocks)
    with torch.no_grad():
        for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
            assert one.shape == other.shape
            one.copy_(other)
    rows = torch.tensor(ids[None, :positions])
    torch.testing.assert_close(mine(rows), theirs.eval()(rows), rtol=1e-4, atol=1e-5)
    config = TrainingConfig(epochs=1, batch_size=4, lr=1e-2, eps=1e-8, monitor="val_loss", seed=seed)
    for step in range(5):  # a run of one step each would begin Adam anew: a longer one each time, from the start
        task = TextTask(ids, ids[:50], positions, windows=4 * (step + 1))
        again = load_arrays(Decoder(Config(d, heads, n_layers=blocks, max_len=positions, vocab_size=letters)), state_arrays(theirs))
        fresh = GPT(letters, positions, d, heads, blocks)
        fresh.load_state_dict(mine.state_dict())
        adam = torch.optim.AdamW(fresh.parameters(), lr=1e-2, weight_decay=0)
        losses = learn(fresh, adam, ids, task.batches(seed, 1, 4))
        package = train(again, task, config).history[0]["loss"]
        assert np.mean(losses) == pytest.approx(package, rel=1e-5) and len(losses) == step + 1
        # not parameter by parameter: the biases of the keys change no share, so their gradients are rounding noise, which Adam makes as large as any
        torch.testing.assert_close(fresh(rows), again.eval()(rows), rtol=1e-2, atol=1e-3)
