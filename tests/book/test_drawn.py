"""The directive for a drawing in a page without code: the page carries the run of the drawing."""

import sys

import pytest
from docutils import nodes
from sphinx.errors import ExtensionError

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.drawn import drawn, runs, worked_of


def page(*carried):
    document = nodes.paragraph()
    document += [drawn("", "<svg></svg>", format="html", run=run) for run in carried]
    return document


def test_a_page_carries_each_run_once():
    one, other = {"run": "", "program": 1}, {"run": "post", "program": 2}
    assert runs(page()) == [] and runs(page(one, other, dict(one))) == [one, other]


def test_different_runs_of_one_name_are_refused():
    with pytest.raises(ExtensionError, match="different runs of one name; give each a page of its own"):
        runs(page({"run": "", "program": 1}, {"run": "", "program": 2}))


@pytest.mark.parametrize("options", [{}, {"lab": "RowLab", "chapter": "block"}])
def test_a_drawing_says_what_it_is_drawn_from(options):
    with pytest.raises(ValueError, match="write :chapter: block or :lab: RowLab"):
        worked_of(ROOT, options)
