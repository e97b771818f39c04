"""The record of the slides' two programs, against plain NumPy and the printed digits."""

import json

import numpy as np
import pytest

from pencil.data.vectors import load
from pencil.experiments.facts import slides_heads
from pencil.experiments.records import read
from pencil.paths import ROOT
from pencil.rounding import show

# by hand from the slides
PRINTED = {
    "first": "0.41800000 0.24968000 −0.41242000 0.12170000 0.34527000",
    "single_again": "−4.31502585 −3.90981072 −2.11083877 −1.51211468 −1.90636801",
    "multi": "−4.37999318 −1.99506183 −2.05712457 −0.08937276 −1.72769596",
}


def head(x, width, draw):
    """The slides' lines for one head, on NumPy's one global wheel."""
    W_Q, W_K, W_V = (draw(50, width) for _ in range(3))
    Q, K, V = x @ W_Q, x @ W_K, x @ W_V
    scores = Q @ K.T / np.sqrt(width)
    exp_x = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp_x / np.sum(exp_x, axis=-1, keepdims=True) @ V, scores, V


def plain(x, seed, count, draw=np.random.rand, cells_before=0):
    """What `run` says, by the slides' own way."""
    np.random.seed(seed)
    for _ in range(cells_before):
        head(x, 50, draw)
    outs, scores, values = zip(*(head(x, 50 // count, draw) for _ in range(count)), strict=True)
    return {"row": np.hstack(outs)[0][:5], "scaled": scores, "off_own_value": np.abs(outs[0][0] - values[0][0]).max()}


def calm(*shape):
    return np.random.randn(*shape) / np.sqrt(50)


def assert_same(recorded, wanted, atol=2e-10):  # the record keeps ten decimals
    assert set(recorded) == set(wanted)
    for name, value in wanted.items():
        np.testing.assert_allclose(recorded[name], value, rtol=1e-9, atol=atol, err_msg=name)


@pytest.mark.parametrize("seed", [0, 42])
def test_every_run_is_what_the_slides_lines_make(seed):
    decimals = np.random.default_rng(seed).normal(0, 0.6, (5, 50)).round(5)
    x = decimals.astype(np.float32)
    measured = slides_heads.run_all(x, seed)
    assert_same(measured["single"], plain(x, seed, 1))
    assert_same(measured["single_again"], plain(x, seed, 1, cells_before=1))
    assert_same(measured["multi"], plain(x, seed, 10))
    assert_same(measured["calm_single"], plain(x, seed, 1, calm))
    assert_same(measured["calm_multi"], plain(x, seed, 10, calm))
    np.testing.assert_allclose(measured["multi_row_in_float64"], plain(decimals, seed, 10)["row"], rtol=1e-9, atol=2e-10)
    np.testing.assert_allclose(measured["sums"], [sum(map(float, row)) for row in x], rtol=1e-9)
    np.testing.assert_allclose(measured["lengths"], [np.sqrt(sum(float(n) ** 2 for n in row)) for row in x], rtol=1e-9)


def test_maps_are_counted_where_the_sums_say_it():
    """Sticks of great sums do as the sums say; with sums of zero the grids decide, and five rows of five seldom agree."""
    noise = np.random.default_rng(1).normal(0, 0.5, (5, 50))
    noise -= noise.mean(1, keepdims=True)
    loud = (noise + np.array([-1.0, 0.5, 0.4, -0.3, 1.1])[:, None]).astype(np.float32)
    assert slides_heads.run_all(loud, 0)["maps_as_the_sums_say"] == slides_heads.MAPS
    quiet = (noise + 1e-3 * np.array([-1.0, 0.5, 0.4, -0.3, 1.1])[:, None]).astype(np.float32)
    assert slides_heads.run_all(quiet, 0)["maps_as_the_sums_say"] < slides_heads.MAPS / 10


def printed(numbers):
    return " ".join(show(number, 8, None) for number in numbers)


def test_the_record_has_the_slides_digits():
    facts = read("slides_heads")
    assert facts.provenance["seed"] == 42 and list(facts.provenance["data"]) == ["glove"]
    assert printed(np.round(facts["first"], 6)) == PRINTED["first"]  # they print as many places as single precision has
    assert printed(facts["single_again"]["row"]) == PRINTED["single_again"]
    assert printed(facts["multi"]["row"]) == PRINTED["multi"]
    assert printed(facts["single"]["row"]) != PRINTED["single_again"]  # which is why the page says that a cell was run twice
    assert printed(facts["multi_row_in_float64"]) != PRINTED["multi"]


def test_the_words_of_the_page_hold_for_the_record():
    """Each word looks where the sums say; the first word's row is its own value row; rand saturates and randn does not."""
    facts = read("slides_heads")
    guess = np.outer(facts["sums"], facts["sums"])
    for run in ("single", "single_again"):
        assert np.array_equal(np.argmax(facts[run]["scaled"][0], -1), guess.argmax(-1))
        assert facts[run]["off_own_value"] == 0
    assert [facts["words"][i] for i in guess.argmax(-1)] == ["the", "table", "table", "the", "table"]
    assert max(map(abs, np.ravel(facts["calm_multi"]["scaled"]))) < 1.5 < 30 < -np.min(facts["multi"]["scaled"])


@pytest.mark.slow
def test_the_record_is_what_the_real_vectors_give_today(real_data):
    real_data("glove")
    facts = read("slides_heads")
    measured = slides_heads.measure(facts.provenance["seed"])
    assert list(measured) == list(facts.result)
    assert measured["words"] == facts["words"]
    for name, value in measured.items():
        if isinstance(value, dict):
            assert_same(facts[name], value)
        elif name != "words":
            np.testing.assert_allclose(facts[name], value, rtol=1e-11, err_msg=name)
    assert printed(measured["single_again"]["row"]) == PRINTED["single_again"]
    assert printed(measured["multi"]["row"]) == PRINTED["multi"]


@pytest.mark.slow
def test_the_page_runs_on_the_real_vectors_and_prints_the_slides_rows(real_data):
    """The cells of the chapter, with `full` in place of `embedded`, as the page tells its reader to do."""
    real_data("glove")
    assert load("full").table.dtype == np.float32  # the last printed place hangs on it
    cells = json.loads((ROOT / "notebooks/07_heads.ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    imports, ends = next(i for i, c in enumerate(code) if "load\n" in c), next(i for i, c in enumerate(code) if "concat.shape" in c)
    assert sum('load("embedded")' in cell for cell in code) == 1
    names = {"display": lambda *_: None}
    for cell in code[imports : ends + 1]:
        exec(cell.replace('load("embedded")', 'load("full")'), names)
    assert printed(names["output"][0][:5]) == printed(read("slides_heads")["single"]["row"])
    assert printed(names["concat"][0][:5]) == PRINTED["multi"]
