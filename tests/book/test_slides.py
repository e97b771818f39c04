"""The two pages of slides: every drawing once, with its chapter and steps, and without interactive numbers."""

import json
import sys

from bs4 import BeautifulSoup, SoupStrainer

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.path import numbered, path
from pencil_book.slides import drawings, slide

DRAWN = SoupStrainer(class_=["pencil-drawing", "pencil-lab"])


def test_every_drawing_of_a_chapter_is_a_slide(built):
    pages = [BeautifulSoup((built / f"book/{name}.html").read_text(encoding="utf-8"), "html.parser") for name in ("slides", "slides_today")]
    slides = [slide for page in pages for slide in page.select(".pencil-slides > .pencil-drawing")]
    shown = [
        (numbered(stop), drawing.find("figcaption").text)
        for name, stop in path(ROOT).items()
        for drawing in BeautifulSoup((built / f"notebooks/{name}.html").read_text(encoding="utf-8"), "html.parser", parse_only=DRAWN).select(
            ".pencil-drawing:not(.pencil-lab *)"
        )
    ]
    assert len(shown) > 20 and [(one.small.text, one.find("figcaption").text.removeprefix(one.small.text)) for one in slides] == shown
    assert all(one.select("li") for one in slides)
    for page in pages:
        assert page.find("script", src=lambda src: src and "pencil.js" in src) and not page.select("[data-value], [data-exact]")


def test_a_drawing_keeps_its_steps_and_what_they_hide(tmp_path):
    html = (
        '<figure class="pencil-drawing"><figcaption>How?</figcaption><svg><g data-step="1"><path data-paint="x 1"></path>'
        '<tspan class="pencil-number" data-value="a" data-exact="2.5">2</tspan></g></svg><ol><li>So.</li></ol></figure>'
    )
    cells = [{"outputs": [{"data": {"text/html": [html]}}]}, {"outputs": [{"data": {"text/html": ['<section class="pencil-lab">', html]}}]}, {}]
    (tmp_path / "01_x.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    (drawing,) = drawings(tmp_path / "01_x.ipynb")
    assert slide(drawing, "1 · Here & there") == (
        '<figure class="pencil-drawing"><figcaption><small>1 · Here &amp; there</small>How?</figcaption><svg>'
        '<g data-step="1"><path data-paint=""></path>'
        '<tspan class="pencil-number">2</tspan></g></svg><ol><li>So.</li></ol></figure>'
    )
