"""The data of a run for a page: sufficient for writing its lines, without computed numbers."""

import json

import numpy as np
import pytest

from pencil import examples
from pencil.reference import block, embed, multi_head_attention, self_attention
from pencil.trace import Trace
from pencil.worked import Worked, as_json, export
from pencil.worked.fragments import constant_digits, has_more


def review(**how):
    trace = Trace()
    self_attention(trace.given("embedding", examples.ROWS, words=examples.REVIEW), trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    return Worked(trace, **how)


def test_what_a_run_says_of_itself():
    worked = review(labels={"query": "asks"}, whole=False, track="exact", run="swapped")
    data = export(worked)
    assert {key: data[key] for key in ("run", "track", "whole", "labels")} == {
        "run": "swapped", "track": "exact", "whole": False, "labels": worked.labels,
    }  # fmt: skip
    assert (data["labels"]["query"], data["labels"]["weights"]) == ("asks", "share") and "key" not in data["labels"]


def test_words_are_written_once_and_stand_along_axes():
    data = export(review())
    assert data["words"] == [list(examples.REVIEW)]
    assert {name: data["axes"][name] for name in ("embedding", "scores", "exp_sum")} == {
        "embedding": [0, None],
        "scores": [0, 0],
        "exp_sum": [0, None],
    }
    assert "params.query" not in data["axes"] and data["of"] == {}


def test_whose_a_picked_row_is():
    trace = Trace()
    x = trace.given("x", examples.ROWS, words=examples.PAIR, columns=["a", "b", "c", "d"])
    trace("second", x[1] * 2)
    data = export(Worked(trace))
    assert data["of"] == {"second": ["sat"]}
    assert [data["words"][place] for place in data["axes"]["second"]] == [["a", "b", "c", "d"]]


@pytest.mark.parametrize("track", ["paper", "exact"])
def test_nothing_computed_is_handed_over(track):
    """Two runs of other numbers differ in their given ones alone."""

    def data(rows):
        trace = Trace()
        block(trace.given("x", rows, words=examples.PAIR), trace.given_each("params", examples.PAIR_BLOCK), note=trace)
        found = export(Worked(trace, track=track))
        for step in found["program"]["steps"]:
            if step["op"] == "given":
                del step["value"]
        return found

    assert data(examples.ROWS) == data(examples.ROWS * 3 - 0.5)


def test_every_named_value_has_its_words_and_the_program_its_names():
    trace = Trace()
    x = embed(trace.given("ids", [1, 0, 1], words=["the", "cat", "the2"]), trace.given("table", examples.ROWS), note=trace)
    heads = trace.given_each("params", examples.PAIR_BLOCK.attention)
    multi_head_attention(x, heads, note=trace)
    data = json.loads(json.dumps(export(Worked(trace)), allow_nan=False))
    names = [step["name"] for step in data["program"]["steps"] if "name" in step]
    assert sorted(names) == sorted(trace.names)
    for name, array in trace.names.items():
        axes = [place if place is None else tuple(data["words"][place]) for place in data["axes"].get(name, [None] * array.ndim)]
        assert tuple(axes) == array.axes and tuple(data["of"].get(name, ())) == array.row_word


def test_what_stands_in_a_script_cannot_end_it():
    data = {"says": "</script><!-- −1", "rows": [1, 2]}
    written = as_json(data)
    assert json.loads(written) == data and "<" not in written and " " not in written.replace(" −1", "")
    with pytest.raises(ValueError, match="JSON"):
        as_json(float("inf"))


def test_it_is_small():
    worked = review(labels={"query": "asks", "key": "is asked", "value": "is handed over"})
    program = len(json.dumps(worked.trace.program()))
    assert len(json.dumps(export(worked))) < program + 600


def test_what_is_handed_over_is_a_copy():
    worked = review(labels={"query": "asks"})
    export(worked)["labels"]["query"] = "looks"
    assert worked.labels["query"] == "asks"


# ---- digits that only a reader's numbers can bring forth


@pytest.mark.parametrize(
    "x, digits", [(32**0.5, "√32"), (0.5**0.5, "0.7071067812"), (1000000.5, "1000000.5"), (12345678.9, "12345678.9"), (np.inf, "∞")]
)
def test_a_constant_keeps_its_root_only_where_the_square_is_whole_and_not_where_it_settles_to_be(x, digits):
    assert constant_digits(x) == digits


def test_an_infinite_number_has_other_digits_than_a_finite_one():
    assert has_more("1000", "∞") and has_more("∞", "−∞") and not has_more("∞", "∞")
    trace = Trace()
    third = trace("third", trace.given("x", [3.0]) / 9)
    trace("over", 1 / trace("rest", 1 - 3 * third))  # 1 − 3·0.333 is 0.001 on paper, and nothing exactly
    assert Worked(trace).lines("over") == ["over = 1 / 0.001 = 1000"]
