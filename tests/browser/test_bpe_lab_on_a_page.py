"""BPELab: the static pieces are Python's, and a typed text is merged as pencil.reference merges it."""

import pytest
from labs import opened, write_page

from pencil.reference import pair_counts, tokenize, train_bpe
from pencil.widgets import BPELab

CHIPS = "box => [...box.querySelectorAll('.pencil-lab-live li')].map(word => [...word.children].map(piece => piece.textContent))"


@pytest.fixture
def bare(tabs, tmp_path):
    """A function that opens a page with the lab."""
    return lambda **options: opened(tabs, write_page(tmp_path, BPELab()), **options)


def pieces(text, merges):
    """By Python."""
    words = tokenize(text)
    pairs = train_bpe(words, num_merges=merges)
    return [pairs.tokenize(word) for word in words]


def test_it_joins_and_takes_back_and_joins_all(bare):
    with bare() as (tab, log):
        box, text = tab.locator(".pencil-pieces"), BPELab().text
        on, back, everything = (box.get_by_role("button", name=name) for name in ("Join the commonest pair", "Take the last join back", "Join all"))
        said = box.locator("[role=status]")
        assert box.evaluate(CHIPS) == pieces(text, 0) and back.is_disabled()
        for merges in (1, 2, 3):
            on.click()
            assert box.evaluate(CHIPS) == pieces(text, merges)
            pair = train_bpe(tokenize(text), num_merges=merges).merges[-1]
            count = pair_counts(tokenize(text), merges=train_bpe(tokenize(text), num_merges=merges - 1).merges)[pair]
            assert said.inner_text().startswith(f"Join {merges}: {pair[0]} + {pair[1]}, {count} times side by side.")
            assert set(box.locator(".new").all_inner_texts()) == {"".join(pair)}
        back.click()
        assert box.evaluate(CHIPS) == pieces(text, 2)
        everything.click()
        assert box.evaluate(CHIPS) == [[word] for word in tokenize(text)]
        assert on.is_disabled() and everything.is_disabled() and "No two pieces" in said.inner_text()
        assert log.wrong == []


@pytest.mark.parametrize("typed", ["low slow lot", "Ottos Mops trotzt! 漢字", "<b>x</b> & y", "   ", ""])
def test_a_reader_s_own_text(bare, typed):
    with bare() as (tab, log):
        box = tab.locator(".pencil-pieces")
        box.locator("textarea").fill(typed)
        assert box.evaluate(CHIPS) == pieces(typed, 0)
        on = box.get_by_role("button", name="Join the commonest pair")
        for merges in range(1, 4):
            if on.is_enabled():
                on.focus()
                tab.keyboard.press("Enter")
            assert box.evaluate(CHIPS) == pieces(typed, merges)
        assert log.wrong == []


@pytest.mark.parametrize("way", ["wide", "narrow"])
def test_it_is_no_wider_than_the_page_and_readable(bare, way):
    with bare(way=way) as (tab, _):
        tab.locator("textarea").fill("a" * 200 + " and words that are many " * 5)
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        sizes = tab.locator(".pencil-lab-live :is(span, button, textarea, p)").evaluate_all(
            "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert min(sizes) >= 11


def test_without_a_script_the_words_stand_as_python_cuts_them(bare):
    with bare(java_script_enabled=False) as (tab, _):
        assert tab.locator(".pencil-lab-still").inner_text() == "the c·at s·at o·n the m·at"
        assert [word.split("·") for word in tab.locator(".pencil-lab-still").inner_text().split()] == BPELab().splits()
