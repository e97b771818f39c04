"""The labs in their chapters. Each is driven in its page, wide and narrow, by chapter_checks.py."""

from labs import LABS, MOUNTED, box_of, cell


def test_the_cells_of_a_lab_in_jupyter_s_notation_do_not_leak(book):
    """What a notebook shows of a lab is its static page and no widget view."""
    for page in MOUNTED:
        assert "application/vnd.jupyter.widget" not in (book.folder / page).read_text(encoding="utf-8"), page


def test_a_link_leads_to_the_first_change(book):
    tab, log = book.visit("notebooks/06_look_across.html#pencil:AttentionLab/embedding:0=3")
    box = box_of(tab, LABS["attention"]())
    assert cell(box, "embedding", 0).input_value() == "3"
    tab.wait_for_function("scrollY > 1000")
    tab.evaluate("location.hash = '#pencil:/params.query:0=0.5'")
    tab.wait_for_function("document.querySelector('article .changed:not(.pencil-lab *)').getBoundingClientRect().top < innerHeight")
    assert "W_Q row 1, number 1 is yours" in tab.locator(".pencil-changed").inner_text()
    assert log.wrong == []
