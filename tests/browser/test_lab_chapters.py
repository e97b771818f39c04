"""The labs in their chapters: driven where they stand, from a file and over http, wide and narrow, light and dark."""

import pytest
from conftest import PHONE
from labs import LABS, cell, expected, put, shown

from pencil.widgets import DigitsLab, WriterLab

MOUNTED = [
    ("notebooks/05_soft_lookup.html", "softmax", "scores"),
    ("notebooks/06_look_across.html", "attention", "grid.query"),
    ("notebooks/06_look_across.html", "pooling", "stick"),
    ("notebooks/07_heads.html", "heads", "stick"),
    ("notebooks/10_block.html", "block", "x"),
    ("notebooks/11_order.html", "position", "stick"),
    ("notebooks/14_tiny_gpt.html", "sampling", "scores"),
    ("notebooks/15_vit.html", "patch", "class_token"),
]
every_mounted = pytest.mark.parametrize("page, name, given", MOUNTED, ids=[name for _, name, _ in MOUNTED])
HTML = "document.querySelector('article').innerHTML"


def box_of(tab, lab):
    return tab.locator(f".pencil-lab[aria-label='{lab.name.removesuffix('Lab')} lab']")


@every_mounted
@pytest.mark.parametrize("scheme", ["file", "http"])
@pytest.mark.parametrize("size", ["wide", "narrow"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_lab_follows_and_goes_back_to_the_letter(book, page, name, given, scheme, size, theme):
    lab = LABS[name]()
    with book.tab(color_scheme=theme, **(PHONE if size == "narrow" else {"viewport": {"width": 1280, "height": 900}})) as (tab, log):
        tab.goto(book.url(page, scheme))
        box, before = box_of(tab, lab), tab.evaluate(HTML)
        assert shown(box) == expected(lab)
        cell(box, given, 0).fill("0.5")
        put(lab, given, 0, 0.5)
        assert shown(box) == expected(lab)
        cell(box, given, 1).press("ArrowUp")
        put(lab, given, 1, _flat(lab.givens[given])[1] + 1)
        assert shown(box) == expected(lab)
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert not tab.locator(".pencil-changed").is_visible()  # the chapter's own numbers stand
        box.get_by_role("button", name="Reset this lab").click()
        assert tab.evaluate(HTML) == before
        assert log.wrong == []


def _flat(rows):
    return [x for row in rows for x in (_flat(row) if isinstance(row, list) else [row])]


def test_every_lab_of_every_chapter_is_driven_here(book):
    found = []
    for page in book.chapters:
        with book.tab() as (tab, _):
            tab.goto(book.url(page))
            found += [
                (page, label)
                for label in tab.locator(".pencil-lab:not([data-script])").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
            ]
    assert sorted(found) == sorted((page, f"{LABS[name]().name.removesuffix('Lab')} lab") for page, name, _ in MOUNTED)


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_the_writer_writes_in_its_chapter(book, scheme):
    """Its own tests are in test_writer.py; here it finds its numbers beside the built page."""
    with book.tab() as (tab, log):
        tab.goto(book.url("notebooks/14_tiny_gpt.html", scheme))
        box, lab = tab.locator(".pencil-writer"), WriterLab()
        box.get_by_role("button", name="Write a letter").click()
        box.locator(".pencil-said[role=status]:not(:empty)").wait_for(state="attached")
        assert box.locator("textarea").input_value() == lab.write(count=1)
        assert log.wrong == []


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_the_digits_are_read_in_their_chapter(book, scheme):
    """Their own tests are in test_digits.py."""
    with book.tab() as (tab, log):
        tab.goto(book.url("notebooks/15_vit.html", scheme))
        box, lab = tab.locator(".pencil-digits"), DigitsLab()
        for number in (0, 4):
            shares = lab.shares(lab.begin[number][0])
            box.locator("[data-pixels]").nth(number).click()
            box.locator("[role=status]", has_text=f"The machine says {shares.argmax()}.").wait_for()
            assert box.locator(".pencil-lab-live .pencil-bars td:not(.bar)").all_inner_texts() == [f"{share:.3f}" for share in shares]
        assert log.wrong == []


def test_all_scripts_of_the_labs_are_at_most_60_kb(book):
    assert len((book.folder / "_static/pencil-live.js").read_bytes()) <= 60_000


def test_the_cells_of_a_lab_in_jupyter_s_notation_do_not_leak(book):
    """What a notebook shows of a lab is its static page and no widget view."""
    for page in {page for page, _, _ in MOUNTED}:
        assert "application/vnd.jupyter.widget" not in (book.folder / page).read_text(encoding="utf-8")


def test_a_link_leads_to_the_first_change(book):
    with book.tab() as (tab, log):
        tab.goto(book.url("notebooks/06_look_across.html") + "#pencil:AttentionLab/stick:0=3")
        box = box_of(tab, LABS["attention"]())
        assert cell(box, "stick", 0).input_value() == "3"
        tab.wait_for_function("scrollY > 1000")
        tab.evaluate("location.hash = '#pencil:/grid.query:0=0.5'")
        tab.wait_for_function("document.querySelector('article .changed:not(.pencil-lab *)').getBoundingClientRect().top < innerHeight")
        assert "WANT grid row 1, number 1 is yours" in tab.locator(".pencil-changed").inner_text()
        assert log.wrong == []
