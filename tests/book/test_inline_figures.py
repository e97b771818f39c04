"""Figures of cells are inlined as SVG with alt text."""

import sys
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.figures import InlineFigures, inlined


@pytest.fixture
def drawn(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text('<svg viewBox="0 0 9 9"><path d="M0 0" style="fill:var(--edge,#c9d5da)" /></svg>', encoding="utf-8")
    return path


def test_a_figure_carries_the_words_and_the_width_of_its_cell(drawn):
    said = inlined(drawn, nodes.image(uri="a.svg", alt='a "b" < c', width="440px"))
    head = '<svg class="pencil-figure" role="img" aria-label="a &quot;b&quot; &lt; c" style="max-width:440px" viewBox="0 0 9 9">'
    assert said == head + '<path d="M0 0" style="fill:var(--edge)" /></svg>'
    assert "max-width:100%" in inlined(drawn, nodes.image(uri="a.svg", alt="a line"))


def test_a_figure_without_words_is_refused(drawn):
    with pytest.raises(ValueError, match=r"a\.svg: a figure without a word .*alt"):
        inlined(drawn, nodes.image(uri="a.svg"))


def test_only_the_figures_of_cells_stand_in_the_page(drawn):
    document = new_document("page")
    document.settings.env = SimpleNamespace(srcdir=drawn.parent)
    icon, figure, photo = (nodes.image(uri=uri, alt="a line") for uri in ("a.svg", "a.svg", "a.png"))
    document += [icon, nodes.container("", figure, photo, classes=["cell_output"])]
    InlineFigures(document).run()
    assert [type(node) for node in document.children] == [nodes.image, nodes.container]
    assert [type(node) for node in document[1].children] == [nodes.raw, nodes.image]
