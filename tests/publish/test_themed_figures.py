"""Figures as SVG: the page's colours, unique ids, short, and otherwise unchanged."""

import re
from io import StringIO
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest

from pencil.paths import ROOT
from pencil.publish.figures import COLOURS, SVG, themed


@pytest.fixture(scope="module")
def plt():
    matplotlib.use("svg")
    from matplotlib import pyplot

    pyplot.style.use("pencil.book")
    return pyplot


def saved(fig, plt):
    out = StringIO()
    fig.savefig(out, format="svg")
    plt.close(fig)
    return out.getvalue()


@pytest.fixture(scope="module")
def figure(plt):
    """Curves of all inks, with dots, a label and words on two lines, and a grid of shades."""
    fig, (ax, grid) = plt.subplots(1, 2)
    for k in range(5):
        ax.plot([k, k + 1, k + 3], "o-", label="a < b")
    ax.set_title("Above\nbelow")
    ax.set_ylabel("up")
    ax.legend()
    grid.imshow(np.eye(3))
    return saved(fig, plt)


def marks(svg, kind):
    return list(ElementTree.fromstring(svg).iter(f"{{{SVG}}}{kind}"))


def test_every_colour_of_the_style_is_a_variable_with_itself_to_fall_back_on(figure):
    drawn = themed(figure)
    assert set(re.findall(r"var\((--[a-z-]+),", drawn)) == set(COLOURS.values())
    assert set(re.findall(r"var\((--[a-z-]+),(#[0-9a-f]{6})\)", drawn)) == {(name, colour) for colour, name in COLOURS.items()}
    assert "#" not in re.sub(r"var\(.*?\)|url\(#|href=\"#|data:image\S+", "", drawn)  # no colour besides


def test_the_style_and_the_pages_know_the_same_colours():
    style = (ROOT / "pencil/book.mplstyle").read_text(encoding="utf-8")
    written = {f"#{colour}" for colour in re.findall(r"\b(?=[0-9]*[a-f])[0-9a-f]{6}\b|'(\d{6})'", re.sub("#.*", "", style)) if colour}
    assert written <= set(COLOURS)
    page = (ROOT / "pencil/web/styles/common.css").read_text(encoding="utf-8")
    assert all(f"{name}: #" in page for name in COLOURS.values())


def test_nothing_that_is_seen_is_lost(figure):
    drawn = themed(figure)
    for kind in ("text", "use", "image", "clipPath"):
        assert len(marks(drawn, kind)) == len(marks(figure, kind)) > 0
    assert [text.text for text in marks(drawn, "text")] == [text.text for text in marks(figure, "text")]
    assert not marks(drawn, "metadata") and "font-family" not in "".join(text.get("style") for text in marks(drawn, "text"))
    assert len(drawn) < 0.7 * len(figure)
    for before, after in zip(marks(figure, "use"), marks(drawn, "use"), strict=True):
        assert float(after.get("x")) == pytest.approx(float(before.get("x")), abs=0.051)


def test_two_figures_of_a_page_share_no_id_and_each_knows_its_own(figure, plt):
    fig, ax = plt.subplots()
    ax.plot([1, 2], "o")
    both = [themed(figure), themed(saved(fig, plt))]
    ids = [re.findall(r' id="([^"]+)"', drawn) for drawn in both]
    assert all(ids) and not set(ids[0]) & set(ids[1])
    for own, drawn in zip(ids, both, strict=True):
        assert len(own) == len(set(own)) and set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', drawn)) <= {
            *((i, "") for i in own),
            *(("", i) for i in own),
        }


def test_the_same_figure_is_written_in_the_same_way(figure):
    assert themed(figure) == themed(figure)


def test_the_time_of_the_run_changes_nothing(figure):
    dated = re.search("<dc:date>([^<]+)<", figure)[1]
    assert themed(figure.replace(dated, "1999-12-31T23:59:59")) == themed(figure)


def test_what_is_too_long_for_a_page_is_refused(plt):
    fig, ax = plt.subplots()
    ax.scatter(*np.random.default_rng(0).normal(size=(2, 2000)))
    with pytest.raises(ValueError, match=r"a figure of \d{3},\d{3} characters, at most 100,000 fit a page; .*rasterized=True"):
        themed(saved(fig, plt))
