"""The tiny GPT in the page: its scores are NumPy's, it writes NumPy's letters, and it says what it cannot do."""

import numpy as np
import pytest
from conftest import PHONE
from labs import carried

from pencil.labs import page_writer
from pencil.widgets import WriterLab
from pencil.widgets.writer_lab import SCRIPT

PROMPTS = ["The film ", "T", "\n", "It was not the best film, and yet nobody left before the end. The music was", "xQ!,.Zz"]
ASKED = """async text => { const [writer] = pencil.carried; writer.box.querySelector("textarea").value = text; await writer.run();
  return { scores: [...writer.value("scores")], shares: [...writer.value("shares")], drawn: writer.value("drawn")[0],
           weights: [...writer.value("block2.head3.weights")] } }"""


@pytest.fixture(scope="module")
def lab():
    return WriterLab()


@pytest.fixture
def opened(launched, tmp_path, lab):
    """A function that opens a page with the lab."""
    return lambda script=SCRIPT, **options: carried(launched, tmp_path, lab, script, **options)


def numpy_s(lab, text):
    """Every value by its name, and the letter that is drawn."""
    named = {}
    u = page_writer.throw(lab.seed, len(text))
    drawn = lab.writer.follow(text, lab.temperature, lab.keep, u, lambda name, value: named.setdefault(name, value))
    return named, drawn


def settings(box, **numbers):
    for name, number in numbers.items():
        box.locator(f"input[name={name}]").fill(str(number))


def written(box, tab, count):
    """The text, once so many letters have come."""
    before = len(box.locator("textarea").input_value())
    box.get_by_role("button", name={1: "Write a letter", 60: "Write sixty"}[count]).click()
    tab.wait_for_function(f"document.querySelector('.pencil-writer [role=status]').textContent.length >= {before + count}", timeout=60_000)
    return box.locator("textarea").input_value()


def test_scores_shares_and_looks_are_numpy_s(opened, lab):
    with opened() as (_, tab):
        for text in PROMPTS:
            found = tab.evaluate(ASKED, text)
            named, drawn = numpy_s(lab, text)
            np.testing.assert_allclose(found["scores"], named["scores"], atol=1e-9, rtol=0)
            np.testing.assert_allclose(found["shares"], named["shares"], atol=1e-9, rtol=0)
            assert found["drawn"] == drawn and np.count_nonzero(found["shares"]) == lab.keep
            looks, seen = named["block2.head3.weights"], min(len(text), lab.writer.seats)
            grid = np.reshape(found["weights"], (lab.writer.seats, lab.writer.seats))[:seen, :seen]
            np.testing.assert_allclose(grid, looks, atol=1e-9, rtol=0)


@pytest.mark.parametrize("how", [{"keep": 1}, {}, {"temperature": 1.5, "keep": 57, "seed": 7}], ids=["greedy", "as it begins", "wild"])
def test_it_writes_numpy_s_letters(opened, lab, how):
    with opened() as (box, tab):
        settings(box, **how)
        asked = {"temperature": lab.temperature, "keep": lab.keep, "seed": lab.seed} | how
        assert written(box, tab, 60) == lab.writer.write(lab.text, 60, **asked)
        assert written(box, tab, 1) == lab.writer.write(lab.text, 61, **asked)


def test_what_follows_from_the_first_text_stands_there_before_anybody_writes(opened, lab):
    with opened() as (box, _):
        box.locator(".pencil-looks p").first.wait_for()
        assert box.locator("script").count() == 1  # asked for once; that it waits to be seen is asked in test_digits
        likely, named = box.locator(".pencil-bars tr"), numpy_s(lab, lab.text)[0]
        assert likely.count() == 5 and box.locator("textarea").input_value() == lab.text
        assert likely.first.inner_text().split()[0] == lab.writer.letters[int(np.argmax(named["shares"]))]


def test_every_head_of_every_written_letter_by_the_keyboard(opened, lab):
    """The slider goes back from letter to letter; eyes get the darkest letter, ears its name and its share."""
    with opened() as (box, tab):
        text = written(box, tab, 60)
        named, _ = numpy_s(lab, text)
        slider, seen = box.locator("input[type=range]"), text[-lab.writer.seats :]
        assert slider.get_attribute("max") == slider.input_value() == str(len(seen))
        slider.focus()
        for back in range(3):
            lines, at = box.locator(".pencil-looks p"), len(seen) - 1 - back
            assert lines.count() == 8
            for line, (name, grid) in zip(lines.all(), [(n, g) for n, g in named.items() if n.endswith("weights")], strict=True):
                row = grid[at, : at + 1]
                most = int(row.argmax())
                assert line.locator("b").inner_text() == name.replace("block", "block ").replace(".head", ", head ").removesuffix(".weights")
                assert line.locator("i").count() == at + 1
                assert line.locator("i").nth(most).get_attribute("style") == "--v:1.000"
                assert f"letter {most + 1}: {row[most]:.3f}" in line.locator(".pencil-said").text_content()
            tab.keyboard.press("ArrowLeft")
        assert slider.get_attribute("aria-valuetext").endswith(f"letter {len(seen) - 3}")


BAD = [
    ("textarea", "Straße", "ß is none of its 57 letters"),
    ("textarea", "", "nothing to go on from"),
    ("textarea", "<b>", "&lt; is none of its"),
    ("input[name=temperature]", "0", "temperature: type 0.01 or more"),
    ("input[name=temperature]", "warm", "temperature: “warm” is no number"),
    ("input[name=keep]", "-3", "keep: type 1 to 57, whole."),
    ("input[name=keep]", "58", "keep: type 1 to 57, whole."),
    ("input[name=seed]", "", "seed: Type a number"),
]


@pytest.mark.parametrize("field, typed, says", BAD, ids=[says for *_, says in BAD])
def test_it_says_what_is_wrong_and_goes_on_when_it_is_mended(opened, lab, field, typed, says):
    with opened() as (box, tab):
        good = box.locator(field).input_value()
        box.locator(field).fill(typed)
        tab.wait_for_function("document.querySelector('.pencil-writer .wrong').textContent")
        assert says.replace("&lt;", "<") in box.locator(".wrong").inner_text()
        assert box.locator("[aria-invalid=true]").count() == 1 and box.locator(field).get_attribute("aria-invalid") == "true"
        box.get_by_role("button", name="Write sixty").click()
        assert box.locator(field).input_value() == typed  # nothing is written
        box.locator(field).fill(good)
        assert written(box, tab, 1) == lab.write(count=1)
        assert box.locator(".wrong").text_content() == "" and box.locator("[aria-invalid=true]").count() == 0


def test_typing_ends_the_writing(opened):
    with opened() as (box, tab):
        box.get_by_role("button", name="Write sixty").click()
        tab.wait_for_function("document.querySelector('textarea').value.length > 12")
        box.locator("textarea").evaluate("text => { text.value = 'Stop'; text.dispatchEvent(new InputEvent('input', { bubbles: true })) }")
        tab.wait_for_timeout(500)
        assert box.locator("textarea").input_value() == "Stop"


def test_stop_ends_the_writing_says_the_text_and_lets_it_go_on(opened, lab):
    with opened() as (box, tab):
        box.get_by_role("button", name="Write sixty").click()
        tab.wait_for_function("document.querySelector('textarea').value.length > 12")
        box.get_by_role("button", name="Stop").click()
        tab.wait_for_function("document.querySelector('.pencil-writer [role=status]').textContent")
        text = box.locator("textarea").input_value()
        tab.wait_for_timeout(500)
        assert box.locator("textarea").input_value() == text and box.locator("[role=status]").text_content() == f"The text is now: {text}"
        assert len(lab.text) < len(text) < len(lab.text) + 60 and written(box, tab, 1) == lab.write(count=len(text) + 1 - len(lab.text))


def test_numbers_that_are_not_there_are_missed_by_name(opened):
    with opened(script=None) as (box, _):
        box.get_by_role("button", name="Write a letter").click()
        assert SCRIPT in box.locator(".wrong:not(:empty)").inner_text()


def test_without_a_script_a_text_stands_that_numpy_wrote(opened, lab):
    with opened(java_script_enabled=False) as (box, _):
        assert " ".join(lab.write(count=160).split()) == " ".join(box.inner_text().split())


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_it_is_no_wider_than_the_page(opened, theme):
    with opened(color_scheme=theme, **PHONE) as (box, tab):
        written(box, tab, 60)
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert box.locator(".pencil-looks p").last.is_visible()
