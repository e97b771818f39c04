"""axe on every page: no violation at all, of whatever weight."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import PHONE

AXE = Path(find_spec("axe_playwright_python").origin).with_name("axe.min.js")
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(" | ")}`)"""
UNFOLD = "document.querySelectorAll('details').forEach(box => { box.open = true })"


def violations(tab):
    """What axe finds wrong with a page as it stands."""
    tab.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    return tab.evaluate(RUN)


@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}], ids=["wide and light", "narrow and dark"])
def test_axe_finds_nothing(book, options):
    wrong = {}
    for page in book.pages:
        with book.tab(reduced_motion="reduce", **options) as (tab, _):  # what unfolds would fade in
            tab.goto(book.url(page, "http"))
            tab.wait_for_function(f"document.documentElement.dataset.theme === '{options['color_scheme']}'")
            tab.evaluate(UNFOLD)
            if found := violations(tab):
                wrong[page] = found
    assert wrong == {}


def test_axe_finds_nothing_on_a_changed_page_with_its_card_open(book):
    with book.tab() as (tab, _):
        tab.goto(book.url("notebooks/06_look_across.html", "http"))
        tab.evaluate("location.hash = '#pencil:/grid.query:0=0.5,AttentionLab/stick:0=3'")
        tab.locator(".pencil-changed").wait_for(state="visible")
        tab.locator("article .pencil-worked .pencil-number[data-value='nolan.scores[ended]']").first.click()
        tab.locator(".pencil-lab .pencil-cell").first.fill("x")
        assert violations(tab) == []


def test_axe_sees_what_is_wrong(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(book.chapters[0], "http"))
        tab.evaluate("document.querySelector('article').append(document.createElement('button'))")
        assert any(found.startswith("button-name") for found in violations(tab))
