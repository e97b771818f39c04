"""The gallery: every drawing and every lab that the package exports, with its arguments, a picture, and the cell that shows it."""

import inspect
import re
import sys
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from pencil import drawings, widgets
from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.gallery import LISTED, all_drawings, all_labs, call, elsewhere, first_step, sample, shown_by, uses
from pencil_book.path import path

DRAWINGS = {name for name in drawings.__all__ if inspect.isfunction(getattr(drawings, name))}
LABS = {name for name in widgets.__all__ if name.endswith("Lab") and name != "Lab"} | {"Stepper"}


@pytest.fixture(scope="module")
def page(built):
    return BeautifulSoup((built / "book/gallery.html").read_text(encoding="utf-8"), "html.parser")


@pytest.fixture(scope="module")
def used():
    return uses(ROOT, path(ROOT))


def test_what_the_packages_export_is_listed():
    assert {*all_drawings()} == DRAWINGS and {*all_labs()} == LABS and len(DRAWINGS) > 50 and len(LABS) > 20


@pytest.mark.parametrize("name", sorted(DRAWINGS))
def test_a_drawing_is_shown_somewhere_as_a_picture_that_stands_alone(used, name):
    use = min(used.get(name, ()), key=lambda use: len(use.html), default=None) or elsewhere(ROOT, name)
    drawn = sample(name, use.html, inspect.getdoc(getattr(drawings, name)))
    assert ElementTree.fromstring(drawn["svg"]).tag == "{http://www.w3.org/2000/svg}svg" and "data-" not in drawn["svg"]
    assert len(re.search('alt="([^"]*)"', drawn.astext())[1]) >= 40, "say in the first sentence of the docstring what is drawn"
    assert name in use.lines and f'src="../_static/{drawn["file"]}"' in drawn.astext()


def test_a_picture_says_its_title_and_its_size():
    drawn = sample(
        "plane", '<svg style="" viewBox="0 0 400 200" overflow="" aria-label="Two &amp; two"><g data-step="1"/></svg>', "Rows as arrows.\nMore."
    )
    assert 'alt="Two &amp; two Rows as arrows." width="400" height="200"' in drawn.astext() and "<g/>" in drawn["svg"]


def test_a_drawing_that_nothing_shows_is_refused():
    with pytest.raises(LookupError, match="no chapter and no page shows nothing"):
        elsewhere(ROOT, "nothing")


@pytest.mark.parametrize(
    "code, names",
    [
        ("%pip install x\ndrawings.plane(sheet)", {"plane"}),
        ("x = 1\nRowLab()", {"RowLab"}),
        ("x = drawings.plane(sheet)", set()),
        ("sheet.show('a')", set()),
        ("", set()),
    ],
)
def test_a_cell_shows_what_its_last_line_calls(code, names):
    assert shown_by(code) == names


def test_a_call_leaves_long_arguments_out():
    assert call("plane", drawings.plane) == "plane(worked, arrows, title, slots=(0, 1), closing=(), answer='')"
    assert "rows=…" in call("AttentionLab", widgets.AttentionLab) and "begin=2" in call("AttentionLab", widgets.AttentionLab)


def test_of_a_lab_the_first_step_stands_there():
    html = '<div class="pencil-lab-still"><p><strong>One</strong></p><i data-value="x">1</i><p><strong>Two</strong></p><b>2</b></div>'
    assert first_step(html) == "<p><strong>One</strong></p><i>1</i>"


def test_the_page_has_them_all_with_their_lines(page, built):
    terms = {term.text.partition("(")[0].strip(): term.find_next_sibling("dd") for term in page.select(".pencil-gallery > dt")}
    assert terms.keys() == DRAWINGS | LABS == {name for listed in LISTED.values() for name in listed()}
    for name, said in terms.items():
        assert said.select_one(".pencil-sample").decode_contents().strip() and name in said.pre.text and said.p.text.strip()
    files = [built / "book" / image["src"] for image in page.select(".pencil-sample img")]
    assert len(files) >= len(DRAWINGS) and all(path.is_file() for path in files)
