"""OpenWriterLab in the page against NumPy: for texts, heads, letters and ablated heads."""

import numpy as np
import pytest
from labs import carried, text

from pencil.experiments.pretrained.opened import LOOKS
from pencil.rounding import show
from pencil.widgets import OpenWriterLab, WriterLab
from pencil.widgets.writer_lab import SCRIPT


class Carried:
    """The lab of chapter 22 with the numbers that chapter 14 shares with it."""

    def __init__(self):
        self.lab = OpenWriterLab()

    def _repr_html_(self):
        return self.lab._repr_html_()

    def script(self):
        return WriterLab(writer=self.lab.writer).script()


@pytest.fixture(scope="module")
def source():
    return Carried()


@pytest.fixture
def bare(tabs, tmp_path, source):
    """A function that opens a page with the lab."""
    return lambda script=SCRIPT, **options: carried(tabs, tmp_path, source, script, **options)


def stands(box, selector):
    return [text(one) for one in box.locator(selector).all_inner_texts()]


def seen(letter):
    return {" ": "␣", "\n": "↵"}.get(letter, letter)


def answers(box, lab, head=(2, 3), at=None, off=()):
    """Hold all that stands there against NumPy: the lab with this text, the head that is picked, the letter that looks, the heads that are off."""
    opened, letters = lab.opened(off), lab.writer.vocabulary
    t = len(lab.text) - 1 if at is None else at
    box.locator(".pencil-pair", has_text=f"{seen(lab.text[t])}, letter {t + 1}, looks at").wait_for()
    row = opened.weights(*head)[t]
    k = int(box.get_by_label("At whom").input_value()) - 1
    called = f"{seen(lab.text[t])}, letter {t + 1}, looks at {seen(lab.text[k])}, letter {k + 1}: share {show(row[k])}"
    assert stands(box, ".pencil-pair") == [called] and box.locator("svg").count() == 9
    looks, alike = opened.scores(), opened.uniform_scores()
    wanted = [[show(looks[name][one]) if name in looks else "none" for name in LOOKS] for one in opened.heads]
    wanted.append([show(alike[name]) if name in alike else "none" for name in LOOKS])
    assert stands(box, ".pencil-measures td:not(thead td)") == [one for row in wanted for one in row]
    rows = [opened.logit_lens_probs(opened.run[name])[t] for name in ("x", "block1.out", "block2.out")]
    lens = [f"{seen(letters[i])} {show(probs[i])}" for probs in rows for i in np.argsort(-probs, kind="stable")[:3]]
    assert stands(box, ".pencil-lens td") == lens
    for table, taken in zip(box.locator(".pencil-bars").all()[: 1 + bool(off)], ((), off), strict=False):
        shown = [text(one).split() for one in table.locator("tr").all_inner_texts()]
        probs = lab.opened(taken).logit_lens_probs(lab.opened(taken).run["block2.out"])[t]
        assert shown and all(share == show(probs[letters.index(letter.replace("␣", " "))]) for letter, share in shown), shown
    for taken in ((), *([off] if off else ())):
        assert show(lab.losses(taken).mean()) in box.locator(".pencil-loss").inner_text()


@pytest.mark.slow
def test_it_follows_the_text_the_head_the_letter_and_the_heads_that_are_off(bare, source):
    lab = source.lab
    with bare() as (box, _):
        answers(box, lab)
        assert int(box.get_by_label("At whom").input_value()) - 1 == lab.opened().weights(2, 3)[-1].argmax()  # it begins where the head looks most
        box.get_by_role("radio", name="head 2.2").check()
        answers(box, lab, (2, 2))
        box.get_by_role("checkbox", name="head 2.3").check()
        answers(box, lab, (2, 2), off=[(2, 3)])
        assert stands(box, ".pencil-bars:visible caption") == ["After h, letter 42: with all heads", "Without head 2.3"]
        box.get_by_role("checkbox", name="head 1.4").check()
        answers(box, lab, (2, 2), off=[(2, 3), (1, 4)])
        longer = OpenWriterLab(lab.text + "er", writer=lab.writer)
        box.locator("textarea").fill(longer.text)
        answers(box, longer, (2, 2), off=[(2, 3), (1, 4)])
        box.get_by_role("checkbox", name="head 1.4").uncheck()
        worse = longer.losses([(2, 3)]) - longer.losses()
        assert (
            f"{(worse > 0.5).sum()} have a loss that is more than 0.5 higher. Most of all: e, letter 43 ({show(worse.max())});"
            in box.locator(".pencil-looks").inner_text()
        )
        shades = box.locator(".pencil-looks i").evaluate_all("all => all.map(one => Number(one.style.getPropertyValue('--v')))")
        np.testing.assert_allclose(shades, [0, *np.clip(worse / 3, -1, 1)], atol=5.1e-4)
        box.get_by_role("button", name="Reset this lab").click()
        answers(box, lab)
        assert box.locator("textarea").input_value() == lab.text and box.locator(":checked").count() == 1
        assert not box.locator(".pencil-looks").is_visible()


@pytest.mark.slow
def test_the_keyboard_alone_and_a_tap_go_through_the_picture(bare, source):
    lab = source.lab
    with bare() as (box, tab):
        answers(box, lab)
        slider, other = box.get_by_label("Who looks"), box.get_by_label("At whom")
        slider.press("ArrowLeft")
        answers(box, lab, at=40)
        other.press("Home")
        answers(box, lab, at=40)
        assert other.input_value() == "1" and other.get_attribute("max") == "41"
        assert other.get_attribute("aria-valuetext") == f"T, letter 1: {show(lab.opened().weights(2, 3)[40, 0])}"
        assert slider.get_attribute("aria-valuetext") == "␣, letter 41"
        box.get_by_role("radio", name="head 2.3").press("ArrowRight")
        answers(box, lab, (2, 4), at=40)
        picture = box.locator(".pencil-shares-map svg")
        size, cells = picture.bounding_box(), len(lab.text) + 1.2
        scale = size["width"] / cells
        picture.click(position={"x": (5.5 + 1.2) * scale, "y": (9.5 + 1.2) * scale})
        answers(box, lab, (2, 4), at=9)
        assert other.input_value() == "6"
        picture.click(position={"x": (20.5 + 1.2) * scale, "y": (9.5 + 1.2) * scale})  # nobody looks ahead
        answers(box, lab, (2, 4), at=9)
        tab.mouse.move(size["x"] + (2.5 + 1.2) * scale, size["y"] + (3.5 + 1.2) * scale)
        assert stands(box, ".pencil-pair") == [f"␣, letter 4, looks at e, letter 3: share {show(lab.opened().weights(2, 4)[3, 2])}"]
        tab.mouse.move(0, 0)
        answers(box, lab, (2, 4), at=9)
        box.locator("summary").press("Enter")
        box.locator("details li").nth(9).wait_for()  # the list is written when the browser says that it is open
        row = lab.opened().weights(2, 4)[9]
        most = "; ".join(f"{seen(lab.text[k])}, letter {k + 1} ({show(row[k])})" for k in np.argsort(-row, kind="stable")[:3])
        assert stands(box, "details li")[9] == f"␣, letter 10: {most}"


LEFT_OUT = [
    ("Straße", "Strae", "none of its 57 letters: ß", "ß"),
    ("x" * 50 + "yz", "x" * 46 + "yz", "it sees 48 letters at once: the first 4", "xxxx"),
    ("é" + "x" * 49, "x" * 48, "it sees 48 letters at once: the first letter", "éx"),
]


def test_what_it_cannot_read_is_told_and_marked_and_left_out(bare, source):
    lab = source.lab
    with bare() as (box, _):
        answers(box, lab)
        for typed, read, said, marked in LEFT_OUT:
            box.locator("textarea").fill(typed)
            answers(box, OpenWriterLab(read, writer=lab.writer))
            assert said in box.locator("[role=status]").inner_text()
            assert "".join(box.locator("mark").all_text_contents()) == marked
        box.locator("textarea").fill("T")  # a letter alone has none before it and none to guess
        box.locator(".pencil-pair", has_text="T, letter 1, looks at T, letter 1: share 1").wait_for()
        assert set(stands(box, ".pencil-measures td:not(thead td)")) == {"none"}
        assert "no letter to predict" in box.locator(".pencil-loss").inner_text()
        for typed in ("", "ß"):
            box.locator("textarea").fill(typed)
            box.locator(".wrong", has_text="there is nothing to look at").wait_for()
        box.locator("textarea").fill(lab.text)
        answers(box, lab)
        assert box.locator(".wrong").inner_text() == "" and box.locator("mark").count() == 0


def test_without_a_script_a_table_stands_that_numpy_wrote(bare, source):
    lab = source.lab
    with bare(java_script_enabled=False) as (box, _):
        opened, said = lab.opened(), text(box.inner_text())
        best = int(opened.next_token_probs().argmax())
        for (block, head), probs in opened.ablated_probs().items():
            looks = [show(found[block, head]) for found in opened.scores().values()]
            row = [f"head {block}.{head}", *looks, show(probs[best]), show(lab.losses([(block, head)]).mean())]
            assert " ".join(row) in said, row
        assert "Pick a head" not in said


def test_numbers_that_are_not_there_are_missed_by_name(bare):
    with bare(script=None) as (box, _):
        box.locator("textarea").fill("The")
        assert SCRIPT in box.locator(".wrong:not(:empty)").inner_text()


@pytest.mark.parametrize("way", ["wide", "narrow"])
def test_it_is_no_wider_than_the_page_and_a_narrow_picture_scrolls_to_the_cell(bare, source, way):
    with bare(way=way) as (box, tab):
        answers(box, source.lab)
        box.get_by_role("checkbox", name="head 2.3").check()
        for theme in ("dark", "light"):
            tab.emulate_media(color_scheme=theme)
            assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), theme
        inside = """map => { const [outer, inner] = [map, map.querySelector(".cell")].map(one => one.getBoundingClientRect())
          return inner.left >= outer.left && inner.right <= outer.right }"""
        assert box.locator(".pencil-shares-map").evaluate(inside)


def test_another_text_is_answered_at_once(bare, source):
    """A whole window of letters, in the page, from the key to the picture; a slow machine is given ten times what a laptop takes."""
    with bare() as (box, tab):
        answers(box, source.lab)
        took = tab.evaluate("""async () => { const [lab] = pencil.exported, field = lab.box.querySelector("textarea"), times = []
          for (let n = 0; n < 9; n++) { field.value = "The film is not the best, and the music was loud".slice(n % 2)
            const start = performance.now(); await lab.run(); times.push(performance.now() - start) }
          return times.sort((a, b) => a - b)[4] }""")
        print(f"{took:.0f} ms")
        assert took < 500


TYPED = """letters => { const field = document.querySelector(".pencil-open textarea"), start = performance.now()
  field.value = "the film ".repeat(letters / 9 + 1).slice(0, letters)
  field.dispatchEvent(new Event("input", { bubbles: true }))
  return performance.now() - start }"""


def test_a_text_that_is_too_long_is_told_so_at_once(bare, source):
    with bare() as (box, tab):
        answers(box, source.lab)
        assert tab.evaluate(TYPED, 200_000) < 1000
        box.get_by_text("2,000 letters fit here, and this is 200,000: take some away.").wait_for()
        assert tab.evaluate(TYPED, 2000) < 1000
        box.get_by_text("Left out, because it sees").wait_for()
        assert box.locator(".wrong").inner_text() == ""
