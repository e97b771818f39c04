"""WriterLab in the page: its logits and letters are NumPy's, and it reports errors."""

import numpy as np
import pytest
from labs import carried

from pencil.experiments.writer import page_writer
from pencil.widgets import WriterLab
from pencil.widgets.writer_lab import SCRIPT

PROMPTS = ["The film ", "T", "\n", "It was not the best film, and yet nobody left before the end. The music was", "xQ!,.Zz"]
ASKED = """async text => { const [writer] = pencil.exported; writer.box.querySelector("textarea").value = text; await writer.run();
  return { logits: [...writer.value("logits")], probs: [...writer.value("probs")], next_id: writer.value("next_id")[0],
           weights: [...writer.value("block2.head3.weights")] } }"""


@pytest.fixture(scope="module")
def lab():
    return WriterLab()


@pytest.fixture
def bare(tabs, tmp_path, lab):
    """A function that opens a page with the lab."""
    return lambda script=SCRIPT, **options: carried(tabs, tmp_path, lab, script, **options)


def numpy_s(lab, text):
    """Every value by its name, and the id of the letter that follows."""
    named = {}
    u = page_writer.uniform(lab.seed, len(text))
    next_id = lab.writer.sample_next(text, lab.temperature, lab.keep, u, lambda name, value: named.setdefault(name, value))
    return named, next_id


def settings(box, **numbers):
    for name, number in numbers.items():
        box.locator(f"input[name={name}]").fill(str(number))


def written(box, tab, count):
    """The text, once so many letters have come."""
    before = len(box.locator("textarea").input_value())
    box.locator("[role=status]").evaluate("said => { said.textContent = '' }")
    box.get_by_role("button", name={1: "Write a letter", 60: "Write sixty"}[count]).click()
    tab.wait_for_function(f"document.querySelector('.pencil-writer [role=status]').textContent.length >= {before + count}")
    return box.locator("textarea").input_value()


def test_logits_probabilities_and_weights_are_numpy_s(bare, lab):
    with bare() as (_, tab):
        for text in PROMPTS:
            found = tab.evaluate(ASKED, text)
            named, next_id = numpy_s(lab, text)
            np.testing.assert_allclose(found["logits"], named["logits"], atol=1e-9, rtol=0)
            np.testing.assert_allclose(found["probs"], named["probs"], atol=1e-9, rtol=0)
            assert found["next_id"] == next_id and np.count_nonzero(found["probs"]) == lab.keep
            looks, seen = named["block2.head3.weights"], min(len(text), lab.writer.positions)
            grid = np.reshape(found["weights"], (lab.writer.positions, lab.writer.positions))[:seen, :seen]
            np.testing.assert_allclose(grid, looks, atol=1e-9, rtol=0)


WAYS_TO_WRITE = [({}, 60), ({"keep": 1}, 5), ({"temperature": 1.5, "keep": 57, "seed": 7}, 5)]  # as it begins, greedy, wild; and letters to write


@pytest.mark.slow
def test_it_writes_numpy_s_letters(bare, lab):
    with bare() as (box, tab):
        for how, count in WAYS_TO_WRITE:
            asked = {"temperature": lab.temperature, "keep": lab.keep, "seed": lab.seed} | how
            box.locator("textarea").fill(lab.text)
            settings(box, **asked)
            text = written(box, tab, 60) if count == 60 else [written(box, tab, 1) for _ in range(count)][-1]
            wanted = lab.writer.write(lab.text, count + 1, asked["temperature"], asked["keep"], asked["seed"])
            assert text == wanted[:-1] and written(box, tab, 1) == wanted, how


def test_what_follows_from_the_first_text_stands_there_before_anybody_writes(bare, lab):
    with bare() as (box, _):
        box.locator(".pencil-looks p").first.wait_for()
        assert box.locator("script").count() == 1  # asked for once; that it waits to be seen is asked in test_digits
        likely, named = box.locator(".pencil-bars tr"), numpy_s(lab, lab.text)[0]
        assert likely.count() == lab.keep and box.locator("textarea").input_value() == lab.text
        assert likely.first.inner_text().split()[0] == lab.writer.vocabulary[int(np.argmax(named["probs"]))]


@pytest.mark.slow
def test_every_head_of_every_written_letter_by_the_keyboard(bare, lab):
    """The slider goes back from letter to letter; eyes get the darkest letter, ears its name and its share."""
    with bare() as (box, tab):
        for _ in range(3):
            text = written(box, tab, 1)
        named, _ = numpy_s(lab, text)
        slider, seen = box.locator("input[type=range]"), text[-lab.writer.positions :]
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
    ("input[name=temperature]", "0", "Temperature must be a number, 0.01 or more. Type 0.01, for example."),
    ("input[name=temperature]", "warm", "Temperature: “warm” is no number"),
    ("input[name=keep]", "2.5", "Keep the likeliest must be a whole number from 1 to 57. Type 3, for example."),
    ("input[name=keep]", "58", "Keep the likeliest must be a whole number from 1 to 57. Type 57, for example."),
    ("input[name=seed]", "", "Seed: Type a number"),
]


def test_it_says_what_is_wrong_and_goes_on_when_it_is_mended(bare, lab):
    with bare() as (box, tab):
        for field, typed, says in BAD:
            good = box.locator(field).input_value()
            box.locator(field).fill(typed)
            tab.wait_for_function("document.querySelector('.pencil-writer .wrong').textContent")
            assert says.replace("&lt;", "<") in box.locator(".wrong").inner_text()
            assert not box.locator(".pencil-bars").is_visible() and not box.locator(".pencil-looks").is_visible(), says
            assert box.locator("[aria-invalid=true]").count() == 1 and box.locator(field).get_attribute("aria-invalid") == "true", says
            box.get_by_role("button", name="Write sixty").click()
            assert box.locator(field).input_value() == typed, says  # nothing is written
            box.locator(field).fill(good)
            assert box.locator("[aria-invalid=true]").count() == 0 and box.locator(".pencil-bars").is_visible(), says
        assert written(box, tab, 1) == lab.write(count=1)
        assert box.locator(".wrong").text_content() == ""


STANDS = """async text => { // several turns of what writes, which is a timer without a delay
  for (let n = 0; n < 20; n++) await new Promise(done => setTimeout(done))
  return text.value
}"""


def test_every_letter_that_is_kept_is_shown_in_reach_of_the_keyboard(bare, lab):
    with bare() as (box, tab):
        for keep in (1, 3, len(lab.writer.vocabulary)):
            settings(box, keep=keep)
            tab.wait_for_function("keep => document.querySelectorAll('.pencil-bars tr').length === keep", arg=keep)
        assert box.locator(".pencil-likely").get_attribute("tabindex") == "0"


UNDER = """box => {
  const [under, text] = box.querySelector(".pencil-marked").children
  const [one, other] = [under, text].map(each => getComputedStyle(each))
  return [under.textContent === text.value, ...["font", "padding", "lineHeight", "width"].map(kind => one[kind] === other[kind])] }"""


def test_what_is_new_is_marked_until_the_reader_types(bare, lab):
    with bare() as (box, tab):
        mark = box.locator(".pencil-marked mark")
        text = [written(box, tab, 1) for _ in range(3)][-1]
        assert mark.text_content() == text[len(lab.text) :] and len(mark.text_content()) == 3
        assert all(box.evaluate(UNDER))
        settings(box, temperature=1)
        assert mark.text_content() == text[len(lab.text) :], "another temperature makes no letter the reader's"
        box.locator("textarea").fill(text + "!")
        tab.wait_for_function("document.querySelector('.pencil-marked mark').textContent === ''")
        assert all(box.evaluate(UNDER))
        longer = written(box, tab, 1)
        assert mark.text_content() == longer[-1] and longer.startswith(text + "!")


REST = [pytest.param(*one, marks=pytest.mark.slow) for one in (("keep", "3"), ("seed", "2"))]  # they take the same path


@pytest.mark.parametrize("name, value", [("temperature", "1.5"), *REST])
def test_mending_a_setting_stops_the_writing(bare, name, value):
    with bare() as (box, tab):
        box.get_by_role("button", name="Write sixty").click()
        tab.wait_for_function("document.querySelector('textarea').value.length > 12")
        settings(box, **{name: value})
        text = box.locator("textarea").input_value()
        assert box.locator("textarea").evaluate(STANDS) == text


@pytest.mark.slow
def test_typing_ends_the_writing(bare):
    with bare() as (box, tab):
        box.get_by_role("button", name="Write sixty").click()
        tab.wait_for_function("document.querySelector('textarea').value.length > 12")
        box.locator("textarea").evaluate("text => { text.value = 'Stop'; text.dispatchEvent(new InputEvent('input', { bubbles: true })) }")
        assert box.locator("textarea").evaluate(STANDS) == "Stop"


def test_stop_ends_the_writing_says_the_text_and_lets_it_go_on(bare, lab):
    with bare() as (box, tab):
        box.get_by_role("button", name="Write sixty").click()
        tab.wait_for_function("document.querySelector('textarea').value.length > 12")
        box.get_by_role("button", name="Stop").click()
        tab.wait_for_function("document.querySelector('.pencil-writer [role=status]').textContent")
        text = box.locator("textarea").input_value()
        assert box.locator("textarea").evaluate(STANDS) == text and box.locator("[role=status]").text_content() == f"The text is now: {text}"
        assert len(lab.text) < len(text) < len(lab.text) + 60 and written(box, tab, 1) == lab.write(count=len(text) + 1 - len(lab.text))


def test_numbers_that_are_not_there_are_missed_by_name(bare):
    with bare(script=None) as (box, _):
        box.get_by_role("button", name="Write a letter").click()
        assert SCRIPT in box.locator(".wrong:not(:empty)").inner_text()


@pytest.mark.slow
def test_without_a_script_a_text_stands_that_numpy_wrote(bare, lab):
    with bare(java_script_enabled=False) as (box, _):
        assert " ".join(lab.write(count=160).split()) == " ".join(box.inner_text().split())


@pytest.mark.slow
def test_on_a_phone_it_is_no_wider_than_the_page(bare):
    with bare(way="narrow") as (box, tab):
        box.locator("textarea").fill(max(PROMPTS, key=len))
        written(box, tab, 1)
        for theme in ("dark", "light"):
            tab.emulate_media(color_scheme=theme)
            assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), theme
        assert box.locator(".pencil-looks p").last.is_visible()


def test_without_paper_digits_it_works_one_track_alone(bare):
    """Half the work of a letter: what would be on paper is the exact numbers themselves."""
    with bare() as (box, tab):
        box.locator(".pencil-looks p").first.wait_for()
        tab.evaluate("pencil.exported[0].ask()")
        same = "() => { const { exact, paper } = pencil.exported[0].sheet.values.get('block1.head1.weights'); return exact === paper }"
        assert tab.evaluate(same)
