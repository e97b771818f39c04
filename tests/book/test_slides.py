"""The two pages of slides: every drawing once, with its chapter and steps, and without interactive numbers."""

import json
import sys

import pytest
from bs4 import BeautifulSoup, SoupStrainer

from pencil.cli.slides import main
from pencil.errors import TaskError
from pencil.paths import ROOT, chapter_number, chapter_sources
from pencil.publish.deck import deck
from pencil.publish.slides import as_html, slides

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.path import path

SOURCES = chapter_sources(ROOT / "notebooks")
DRAWN = SoupStrainer(class_=["pencil-drawing", "pencil-lab"])


def test_every_drawing_of_a_chapter_is_a_slide(built):
    pages = [BeautifulSoup((built / f"book/{name}.html").read_text(encoding="utf-8"), "html.parser") for name in ("slides", "slides_today")]
    shown_slides = [slide for page in pages for slide in page.select(".pencil-slides > .pencil-drawing")]
    shown = [
        (str(stop), drawing.find("figcaption").text)
        for name, stop in path(ROOT).items()
        for drawing in BeautifulSoup((built / f"notebooks/{name}.html").read_text(encoding="utf-8"), "html.parser", parse_only=DRAWN).select(
            ".pencil-drawing:not(.pencil-lab *)"
        )
    ]
    assert len(shown) > 20 and [(one.small.text, one.find("figcaption").text.removeprefix(one.small.text)) for one in shown_slides] == shown
    assert all(one.select("li") and one.select_one(".pencil-claim").text for one in shown_slides)
    for page in pages:
        assert page.find("script", src=lambda src: src and "pencil.js" in src) and not page.select("[data-value], [data-exact]")


def test_a_drawing_keeps_its_steps_and_what_they_hide(tmp_path):
    html = (
        '<figure class="pencil-drawing"><figcaption>How?</figcaption><svg><g data-step="1"><path data-paint="x 1"></path>'
        '<tspan class="pencil-number" data-value="a" data-exact="2.5">2</tspan></g></svg><ol><li>So.</li></ol></figure>'
    )
    shown = [{"outputs": [{"data": {"text/html": [html]}}]}, {"outputs": [{"data": {"text/html": ['<section class="pencil-lab">', html]}}]}, {}]
    cells = [*shown, *({"cell_type": "markdown", "source": [f"## {heading}\n"]} for heading in ("Sources", "And then?"))]
    (tmp_path / "01_x.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (one,) = slides(tmp_path / "01_x.ipynb", {"How?": ["It does.", "Does it?"]})
    assert (one.sentence, one.question, one.leads) == ("It does.", "Does it?", "And then?")
    assert as_html(one, "1 · Here & there", lambda heading: "there.html") == (
        '<figure class="pencil-drawing"><figcaption><small>1 · Here &amp; there</small>How?</figcaption><p class="pencil-claim">It does.</p><svg>'
        '<g data-step="1"><path data-paint=""></path>'
        "<tspan>2</tspan></g></svg><ol><li>So.</li></ol>"
        '<div class="pencil-asks"><p>For the class: Does it?</p><p>It leads to: <a href="there.html">And then?</a></p></div></figure>'
    )
    (one,) = slides(tmp_path / "01_x.ipynb", {})
    assert (one.sentence, one.question) == ("So.", ""), "a drawing of which nothing is told says its last step"


def test_a_deck_has_its_contents_and_needs_nothing_else():
    page = BeautifulSoup(deck([source for source in SOURCES if chapter_number(source) in ("05", "06")], ROOT), "html.parser")
    drawn = page.select(".pencil-deck > .pencil-drawing")
    listed = [page.select_one(link["href"]).small.text for link in page.select(".contents a")]
    assert listed == [link.text for link in page.select(".contents a")] == ["5 · The soft lookup", "6 · The look-across machine"]
    assert all(one.select_one(".pencil-claim").text and one.select_one(".pencil-asks a")["href"].startswith("https://") for one in drawn)
    assert not page.select("[src], link") and "url(" not in page.style.text


def test_the_deck_of_a_chapter_lists_its_slides():
    source = next(source for source in SOURCES if chapter_number(source) == "18")
    page = BeautifulSoup(deck([source], ROOT), "html.parser")
    drawn = page.select(".pencil-deck > .pencil-drawing")
    assert [link.text for link in page.select(".contents a")] == [one.find("figcaption").text.removeprefix(one.small.text) for one in drawn]


def test_the_command_writes_a_deck_or_says_what_is_wrong(tmp_path, capsys):
    assert main(["--chapter", "6", "18", "--to", str(tmp_path)]) == 0
    assert (tmp_path / "slides_06_18.html").is_file() and str(tmp_path.resolve() / "slides_06_18.html") in capsys.readouterr().out
    with pytest.raises(TaskError, match="There is no chapter '77'"):
        main(["--chapter", "77", "--to", str(tmp_path)])
    with pytest.raises(TaskError, match="make it first"):
        main(["--to", str(tmp_path / "nowhere")])
