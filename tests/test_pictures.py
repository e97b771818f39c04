"""Heat maps and bar charts are tables whose digits are the run's, and whose colours and lengths agree with them."""

import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest

from pencil import examples
from pencil.reference import attention, self_attention
from pencil.trace import Trace
from pencil.worked import Worked
from pencil.worked.tables import Beside, bars, heat
from pencil.worked.tables import table as table_of


@pytest.fixture(scope="module")
def worked():
    trace = Trace()
    self_attention(trace.given("embedding", examples.ROWS, words=examples.REVIEW), trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    trace.given("flat", np.ones((2, 3)), columns=["left", "middle", "right"])
    return Worked(trace)


class Table(HTMLParser):
    """Reads a table back: caption, cells by row, levels, and whether every tag that opens also closes."""

    def __init__(self, source):
        super().__init__()
        self.open, self.rows, self.caption, self.levels, self.scopes = [], [], "", [], []
        self.feed(source)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.scopes.append(attrs.get("scope")) if tag == "th" else None
        if "--v:" in attrs.get("style", ""):
            self.levels.append(float(attrs["style"].removeprefix("--v:")))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "caption" in self.open:
            self.caption += data
        elif {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def test_a_heat_map_shows_its_labels_as_they_were_given():
    trace = Trace()
    x = trace.given("x", np.eye(3), words=["the", "mat.", "the"])
    trace("scores", x @ x.T)
    table = Table(heat(Worked(trace), "scores", "m")._repr_html_())
    assert table.rows[0] == ["", "the", "mat.", "the"] and [row[0] for row in table.rows[1:]] == ["the", "mat.", "the"]


def test_a_heat_map_is_a_table_with_words_along_both_sides(worked):
    table = Table(heat(worked, "scores", "The match grid")._repr_html_())
    assert table.caption == "The match grid"
    assert table.rows == [["", "nolan", "ended"], ["nolan", "2", "8"], ["ended", "0", "4"]]
    assert table.scopes == ["col", "col", "row", "row"]  # the corner heads nothing


def test_zero_is_palest_and_each_side_of_it_has_a_hue_of_its_own(worked):
    assert Table(heat(worked, "scores", "m")._repr_html_()).levels == [0.25, 1, 0, 0.5]
    trace = Trace()
    trace.given("grid", [[-3, 1], [0, -1]])
    assert Table(heat(Worked(trace), "grid", "m")._repr_html_()).levels == [-1, 0.333, 0, -0.333]


def test_a_grid_of_one_number_has_one_shade(worked):
    assert set(Table(heat(worked, "flat", "m")._repr_html_()).levels) == {1}


def test_rows_and_columns_without_words_are_counted(worked):
    assert Table(heat(worked, "params.query", "m")._repr_html_()).rows[0] == ["", "1", "2", "3", "4"]
    assert Table(heat(worked, "embedding", "m")._repr_html_()).rows[1] == ["nolan", "2", "1", "1", "0"]
    assert Table(heat(worked, "flat", "m")._repr_html_()).rows[0] == ["", "left", "middle", "right"]


def test_every_number_of_a_picture_can_be_addressed(worked):
    for picture in (heat(worked, "weights", "m"), bars(worked, "nolan.weights", "b")):
        spans = re.findall(r'data-value="([^"]+)" data-exact="([^"]+)">([^<]+)<', picture._repr_html_())
        assert spans
        for reference, _, digits in spans:
            assert worked.number(unescape(reference)) == digits


def test_bars_are_as_long_as_the_shares(worked):
    picture = bars(worked, "nolan.weights", "nolan listens to ended")
    table = Table(picture._repr_html_())
    assert table.rows == [["nolan", "", "0.047"], ["ended", "", "0.953"]]
    assert table.levels == [0.047, 0.953]
    assert table.caption == "nolan listens to ended"


def test_in_a_terminal_a_picture_is_its_caption_and_its_digits(worked):
    assert repr(heat(worked, "scores", "The match grid")) == "The match grid\n  nolan: 2  8\n  ended: 0  4"
    assert repr(bars(worked, "nolan.weights", "Portions")) == "Portions\n  nolan: 0.047\n  ended: 0.953"


def test_a_part_of_a_value_can_be_drawn(worked):
    expected = [["", "1", "2", "3", "4"], ["nolan", "0.094", "0", "0", "0.047"], ["ended", "0", "2.859", "0.953", "0"]]
    for reference in ("nolan.weighted_values", "weighted_values[nolan]"):
        assert Table(heat(worked, reference, "m")._repr_html_()).rows == expected
    assert Table(bars(worked, "weights[nolan]", "b")._repr_html_()).rows == [["nolan", "", "0.047"], ["ended", "", "0.953"]]


def test_a_masked_grid_can_be_drawn():
    trace = Trace()
    x = trace.given("x", examples.ROWS, words=examples.REVIEW)
    attention(x, x, x, note=trace, mask=np.tri(2, dtype=bool))
    table = Table(heat(Worked(trace), "masked", "m")._repr_html_())
    assert table.rows[1] == ["nolan", "3", "−∞"]
    assert table.levels[1] == 0 and all(0 <= level <= 1 for level in table.levels)


def test_captions_and_words_are_escaped(worked):
    source = heat(worked, "scores", 'a < b & "c"')._repr_html_()
    assert Table(source).caption == 'a < b & "c"' and "a &lt; b &amp;" in source


def test_the_run_is_named_in_the_references(worked):
    swapped = Worked(worked.trace, run="swapped")
    assert 'data-value="swapped.nolan.scores[nolan]"' in heat(swapped, "scores", "m")._repr_html_()


@pytest.mark.parametrize(
    "draw, reference, parts",
    [
        (heat, "nolan.scores", ["nolan.scores has the shape (2,)", "rows and columns"]),
        (heat, "weighted_values", ["weighted_values has the shape (2, 2, 4)"]),
        (heat, "scores[0, 1]", ["shape ()"]),
        (bars, "weights", ["weights has the shape (2, 2)", "one row"]),
        (bars, "nolan.weights[ended]", ["shape ()", "one row"]),
        (bars, "nolan.scores", ["nolan.scores is [2, 8]", "between 0 and 1"]),
        (bars, "params.value[3]", ["[0, 1, 0, −1]", "between 0 and 1"]),
    ],
)
def test_what_cannot_be_drawn_is_refused(worked, draw, reference, parts):
    with pytest.raises(ValueError) as refusal:
        draw(worked, reference, "m")
    for part in parts:
        assert part in str(refusal.value)


def test_a_table_shows_a_grid_a_row_and_a_single_number(worked):
    grid, row, number = (Table(table_of(worked, reference, "given")._repr_html_()) for reference in ("scores", "nolan.scores", "nolan.scores[ended]"))
    assert grid.rows == [["", "nolan", "ended"], ["nolan", "2", "8"], ["ended", "0", "4"]]
    assert row.rows == [["nolan", "ended"], ["2", "8"]] and row.scopes == ["col", "col"]
    assert number.rows == [["8"]] and number.scopes == []
    with pytest.raises(ValueError, match="pick one of its matrices"):
        table_of(worked, "weighted_values", "too deep")


def test_pictures_beside_each_other_are_read_one_after_the_other(worked):
    one, other = heat(worked, "scores", "One"), heat(worked, "flat", "Other")
    both = Beside(one, other)
    assert repr(both) == f"{one!r}\n{other!r}"
    assert both._repr_html_() == f'<div class="pencil-beside">\n{one._repr_html_()}\n{other._repr_html_()}\n</div>'
