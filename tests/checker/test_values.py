"""Published values can be found on both tracks, and are replayed, not stored."""

import json

import numpy as np
import pytest

from pencil.checker.values import MIME, Published, Reference, publish
from pencil.trace import Trace
from pencil.worked import Worked


def stored(tmp_path, published, code="abc"):
    """A notebook as the render tool writes it, as far as `Published.read` looks."""
    data = published._repr_mimebundle_()
    cells = [{"cell_type": "markdown", "source": []}, {"cell_type": "code", "outputs": [{"output_type": "stream"}, {"data": data}]}]
    path = tmp_path / "06_x.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {"pencil": {"code": code}}}), encoding="utf-8")
    return path


def test_the_notebook_gives_back_what_was_published(tmp_path, review):
    again = Published.read(stored(tmp_path, review))
    assert again.code == "abc"
    for reference in ["nolan.context", "mix.mixing", "dials", "spread[1]", "count nolan.query"]:
        np.testing.assert_array_equal(again.find(reference).paper, review.find(reference).paper)
        np.testing.assert_array_equal(again.find(reference).exact, review.find(reference).exact)
    assert again.find("nolan.scores[ended]").sums("paper") == review.find("nolan.scores[ended]").sums("paper") != set()
    assert again.find("mix.mixing[0]").sums("paper") == review.find("mix.mixing[0]").sums("paper") != set()


def test_both_tracks(review):
    found = review.find("nolan.context")
    assert found.paper.tolist() == [0.094, 2.859, 0.953, 0.047]
    np.testing.assert_allclose(found.exact, [0.0949, 2.8577, 0.9526, 0.0474], atol=5e-5)
    assert review.find("exact nolan.context").reference.track == "exact"


def test_nothing_computed_is_stored(review):
    text = json.dumps(review.content["runs"])
    assert "2.859" not in text and "0.9525" not in text


def test_a_run_keeps_its_labels_and_its_way_with_whole_numbers(review):
    worked = review.content["runs"][""]
    assert worked["labels"]["query"] == "WANT" and worked["whole"] is True


def test_figures_settle_to_twelve_digits():
    content = publish(figures={"sum": 0.1 + 0.2, "grid": [[1, 2.5]], "n": np.int64(8)}).content["figures"]
    assert content == {"sum": 0.3, "grid": [[1, 2.5]], "n": 8}
    assert json.dumps(content["n"]) == "8"


def test_it_says_what_it_holds(review):
    assert repr(review) == "Published: 2 runs, 17 named values, 5 figures."
    assert repr(publish(figures={"a": 1})) == "Published: 0 runs, 0 named values, 1 figure."
    assert set(review._repr_mimebundle_()) == {"text/plain", MIME}


@pytest.mark.parametrize("name", ["scores", "nolan", "page"])
def test_a_name_is_taken_only_once(review, name):
    main = review.find("nolan.context").worked["paper"]
    with pytest.raises(ValueError, match=name):
        publish(main, figures={name: 1})
    with pytest.raises(ValueError, match=name):
        publish(main, **{name: main})


def test_a_figure_is_a_number():
    with pytest.raises(ValueError, match=r"loss.*nan"):
        publish(figures={"loss": float("nan")})


def test_a_chapter_that_publishes_nothing_says_so(tmp_path):
    path = tmp_path / "01_x.ipynb"
    path.write_text(json.dumps({"cells": [], "metadata": {}}), encoding="utf-8")
    with pytest.raises(KeyError, match="publish"):
        Published.read(path).find("scores")
    assert Published.read(path).nearest(3) is None


def test_the_nearest_value_is_named(review):
    assert review.nearest(0.954) == "nolan.weights[ended] is 0.953"
    assert review.nearest(5.6) == "spread[1] is 5.651"
    assert review.nearest(-1.2) == "mix.mixing[1] is −1.273"


@pytest.mark.parametrize(
    "text, parsed",
    [
        ("nolan.weights[ended]", ("", "", "nolan.weights[ended]")),
        ("exact 06:nolan.context", ("exact", "06", "nolan.context")),
        ("count nolan.query", ("count", "", "nolan.query")),
        ("10:mixing[0, 1]", ("", "10", "mixing[0, 1]")),
        ("exact 13b:loss", ("exact", "13b", "loss")),
        ("paper\nmixing", ("paper", "", "mixing")),
    ],
)
def test_the_grammar_of_references(text, parsed):
    reference = Reference.parse(text)
    assert (reference.mode, reference.chapter, reference.name) == parsed


def test_a_plain_trace_is_published_as_well(review):
    trace = review.find("mix.mixing").worked["paper"].trace
    assert publish(trace).find("mixing[0]").paper == publish(Worked(trace)).find("mixing[0]").paper == 0.707


@pytest.fixture
def main(review):
    return review.find("nolan.context").worked["paper"].trace


def small(**names):
    trace = Trace()
    for name, value in names.items():
        trace.given(name, value)
    return trace


@pytest.mark.parametrize("name", ["nolan.embedding", "a b", "", "06:x", "head1.scores[0]", "2nd"])
def test_a_name_that_no_reference_can_hold_is_refused(main, name):
    with pytest.raises(ValueError, match="cannot be quoted; name it with letters"):
        publish(main, figures={name: [7, 7]})
    with pytest.raises(ValueError, match="cannot be quoted"):
        publish(main, **{name: small(x=[1])})


def test_a_run_may_not_hide_a_scope_of_the_main_run(main):
    with pytest.raises(ValueError, match=r"run 'params' would hide the value 'params\.\w+' of the main run"):
        publish(main, params=small(x=[1]))
    with pytest.raises(ValueError, match="figure 'mix' would hide the run 'mix'"):
        publish(main, figures={"mix": 1}, mix=small(x=[1]))


def test_a_run_is_published_by_the_name_it_was_worked_under(main):
    trace = small(x=[1])
    with pytest.raises(ValueError, match=r"the run 'mix' was worked as ''; write Worked\(\.\.\., run=\"mix\"\)"):
        publish(main, mix=Worked(trace))
    with pytest.raises(ValueError, match=r"the run 'mix' was worked as 'other'"):
        publish(main, mix=Worked(trace, run="other"))
    with pytest.raises(ValueError, match=r"the main run was worked as 'mix'"):
        publish(Worked(trace, run="mix"))
    assert publish(main, mix=Worked(trace, run="mix")).find("mix.x[0]").paper == publish(main, mix=trace).find("mix.x[0]").paper == 1
