"""Drawing images by pointer, touch and keyboard: DigitsLab, whose output is NumPy's, and PatchLab."""

import numpy as np
import pytest
from labs import carried, expected, opened, put, shown, write_page

from pencil.experiments.vision import page_digits
from pencil.widgets import DigitsLab, PatchLab
from pencil.widgets.digits_lab import SCRIPT, SIXTEENTHS

ASKED = """async image => { const [digits] = pencil.exported
  document.querySelectorAll(".pencil-ink").forEach((cell, k) => { cell.value = image[k] })
  await digits.run()
  return Object.fromEntries(["logits", "probs", ...Object.keys(digits.data.heads)].map(name => [name, digits.value(name)])) }"""


@pytest.fixture(scope="module")
def lab():
    return DigitsLab()


@pytest.fixture
def bare(tabs, tmp_path, lab):
    """A function that opens a page with the lab."""
    return lambda script=SCRIPT, **options: carried(tabs, tmp_path, lab, script, **options)


def pixels(box):
    return np.array([float(value) for value in box.locator(".pencil-ink").evaluate_all("all => all.map(one => one.value)")]).reshape(8, 8)


def middle(box, row, column, side=8):
    """Where a pixel is on the screen."""
    at = box.locator(".pencil-ink").nth(side * row + column).bounding_box()
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2


def stroke(box, tab, *places, side=8):
    """Press on the first pixel, go on to the others, let go."""
    box.locator(".pencil-ink").first.scroll_into_view_if_needed()
    tab.mouse.move(*middle(box, *places[0], side))
    tab.mouse.down()
    for place in places[1:]:
        tab.mouse.move(*middle(box, *place, side), steps=2)  # a quick hand
    tab.mouse.up()


def answers(box, lab):
    """Hold what stands there against NumPy."""
    probs = lab.probabilities(pixels(box))
    said = f"The machine says {int(probs.argmax())}."
    box.locator("[role=status]", has_text=said).wait_for(state="attached")
    assert [f"{prob:.3f}" for prob in probs] == box.locator(".pencil-lab-live .pencil-bars td:not(.bar)").all_inner_texts()


def test_every_number_is_numpy_s(bare, lab):
    rng = np.random.default_rng(0)
    pictures = [*(image for image, _ in lab.begin), np.zeros((8, 8)), np.ones((8, 8)), rng.random((8, 8)), rng.integers(0, 2, (8, 8))]
    with bare() as (_, tab):
        for image in pictures:
            found, named = tab.evaluate(ASKED, image.ravel().tolist()), {}
            page_digits.probabilities(image, lab.params, lambda name, value, named=named: named.setdefault(name, value))
            assert len(found) == 10
            for name, numbers in found.items():
                np.testing.assert_allclose(numbers, named[name].ravel(), atol=1e-9, rtol=0)


def test_a_stroke_inks_or_rubs_out(bare, lab):
    with bare() as (box, tab):
        answers(box, lab)  # of the digit that stands there at first, without a touch
        box.get_by_role("button", name="Clear").click()
        assert not pixels(box).any()
        stroke(box, tab, (1, 1), (1, 5), (6, 5))
        wanted = np.zeros((8, 8))
        wanted[1, 1:6] = wanted[1:7, 5] = 1
        assert (pixels(box) == wanted).all()
        answers(box, lab)
        stroke(box, tab, (3, 5), (3, 2), (5, 2))  # it begins on ink: it rubs out, and leaves paper as it is
        wanted[3, 5] = 0
        assert (pixels(box) == wanted).all()
        tab.mouse.move(*middle(box, 0, 0))  # let go: nothing follows the pointer
        assert (pixels(box) == wanted).all()
        answers(box, lab)


def test_the_keyboard_draws(bare, lab):
    with bare() as (box, tab):
        box.get_by_role("button", name="Clear").press("Enter")
        tab.keyboard.press("Tab")
        for key in ("ArrowDown", "ArrowRight", "Space", "ArrowRight", "Space", "ArrowDown", "0", ".", "5", "ArrowUp", "ArrowUp", "ArrowUp"):
            tab.keyboard.press(key)
        wanted = np.zeros((8, 8))
        wanted[1, 1:3], wanted[2, 2] = 1, 0.5
        assert (pixels(box) == wanted).all()
        answers(box, lab)
        at = tab.locator(":focus")
        assert at.get_attribute("aria-label") == "row 1, pixel 3"  # the edge keeps it
        tab.keyboard.press("Shift+Tab")
        tab.keyboard.press("Tab")
        assert at.get_attribute("aria-label") == "row 1, pixel 3"  # one stop for the whole picture


def test_the_arrow_keys_stop_at_every_edge(bare):
    with bare() as (box, tab):
        box.locator(".pencil-ink").first.focus()
        for key, stands in (("ArrowLeft", "1, pixel 1"), ("ArrowRight", "1, pixel 8"), ("ArrowDown", "8, pixel 8"), ("ArrowUp", "1, pixel 8")):
            for _ in range(9):
                tab.keyboard.press(key)
            assert tab.locator(":focus").get_attribute("aria-label") == f"row {stands}", key


def test_ink_that_is_none_is_told_and_marked_until_it_is_mended(bare, lab):
    with bare() as (box, _):
        answers(box, lab)
        pixel, wrong = box.locator(".pencil-ink").nth(9), box.locator(".pencil-ink[aria-invalid=true]")
        for typed, says in (("ink", "“ink” is no number"), ("1.5", "Ink goes from 0 to 1."), ("-0.1", "Ink goes from 0 to 1.")):
            pixel.fill(typed)
            box.locator(".wrong", has_text=says).wait_for()
            assert wrong.count() == 1 and pixel.get_attribute("aria-invalid") == "true", typed
            pixel.fill("0.5")
            answers(box, lab)
            assert wrong.count() == 0 and box.locator(".wrong").text_content() == "", typed


def test_a_digit_to_begin_with_and_what_each_head_looks_at(bare, lab):
    with bare(way="narrow") as (box, tab):
        for number, (image, digit) in enumerate(lab.begin):
            button = box.locator("[data-pixels]").nth(number)
            button.tap()
            assert (pixels(box) * SIXTEENTHS == image * SIXTEENTHS).all()
            answers(box, lab)
            assert ("misreads" in button.inner_text()) == (lab.probabilities(image).argmax() != digit)
        named = {}
        page_digits.probabilities(image, lab.params, named.setdefault)
        lines = box.locator(".pencil-looks p")
        for line, grid in zip(lines.all(), (grid for name, grid in named.items() if name.endswith("weights")), strict=True):
            row, most = grid[0, 1:], int(grid[0, 1:].argmax())
            shades = line.locator("i").evaluate_all("all => all.map(one => Number(one.style.getPropertyValue('--v')))")
            np.testing.assert_allclose(shades, row / row[most], atol=5.1e-4)
            assert line.locator(".pencil-said").text_content() == f"looks most at row {most // 4 + 1}, patch {most % 4 + 1}: {row[most]:.3f}"
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.slow
def test_a_finger_draws_and_does_not_scroll(bare, lab):
    """Real touches, as a phone sends them."""
    with bare(way="narrow") as (box, tab):
        box.get_by_role("button", name="Clear").tap()
        box.locator(".pencil-ink").first.scroll_into_view_if_needed()
        session, before = tab.context.new_cdp_session(tab), tab.evaluate("scrollY")
        for kind, at in (("touchStart", (0, 3)), ("touchMove", (1, 3)), ("touchMove", (2, 3)), ("touchMove", (3, 3)), ("touchEnd", None)):
            points = [dict(zip("xy", middle(box, *at), strict=True))] if at else []
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        wanted = np.zeros((8, 8))
        wanted[:4, 3] = 1
        assert (pixels(box) == wanted).all() and tab.evaluate("scrollY") == before
        assert tab.evaluate("document.activeElement.className") != "pencil-ink"  # no keyboard comes up
        answers(box, lab)


LOW_DOWN = """new MutationObserver((_, watch) => { // as soon as the title is there, before anything is painted
  const title = document.querySelector("h1")
  if (title) watch.disconnect() ?? (title.style.marginBottom = "3000px")
}).observe(document, { childList: true, subtree: true })"""


def test_it_asks_for_its_numbers_only_when_it_is_seen(bare):
    with bare(accept_downloads=False) as (_, tab):  # a tab of its own: its pages begin with what they are told here
        tab.locator(".pencil-looks i").first.wait_for()  # so far it is seen at once
        tab.locator("h1").evaluate("title => { title.style.marginBottom = '3000px' }")
        asked = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.add_init_script(LOW_DOWN)
        tab.reload()
        tab.wait_for_timeout(200)
        assert not any(SCRIPT in url for url in asked)
        tab.locator(".pencil-digits").scroll_into_view_if_needed()
        tab.locator(".pencil-looks i").first.wait_for()
        assert sum(SCRIPT in url for url in asked) == 1


def test_numbers_that_do_not_come_are_missed_by_name_and_asked_for_again(bare, lab, tmp_path):
    with bare(script=None) as (box, _):
        said = f"The machine’s numbers are not at ../_static/{SCRIPT}. Try again, or build the book again."
        assert said in box.locator(".wrong", has_text=".").inner_text()
        (tmp_path / "_static" / SCRIPT).write_text(lab.script(), encoding="utf-8")
        box.locator("[data-pixels]").nth(1).click()
        answers(box, lab)
        assert box.locator(".wrong").text_content() == ""


def test_without_a_script_the_answer_of_numpy_stands(bare, lab):
    with bare(java_script_enabled=False) as (box, _):
        probs = lab.probabilities(lab.begin[0][0])
        assert box.locator(".pencil-lab-still .pencil-bars td:not(.bar)").all_inner_texts() == [f"{prob:.3f}" for prob in probs]
        assert not box.locator(".pencil-lab-live").is_visible()


def test_the_small_picture_is_drawn_as_well(tabs, tmp_path):
    """In PatchLab all that is shown follows, worked lines as well."""
    lab = PatchLab()
    with opened(tabs, write_page(tmp_path, lab)) as (tab, log):
        box = tab.locator(".pencil-lab")
        stroke(box, tab, (0, 1), (0, 3), (1, 3), side=4)
        for place in (1, 2, 3, 7):
            put(lab, "image", place, 1)
        assert shown(box) == expected(lab) and "4 numbers are yours" in box.locator(".pencil-lab-said").inner_text()
        box.locator(".pencil-ink").first.focus()
        for key in ("Space", "ArrowDown", "ArrowRight", "Space"):
            tab.keyboard.press(key)
        put(lab, "image", 0, 0)
        put(lab, "image", 5, 1)
        assert shown(box) == expected(lab)
        box.get_by_role("button", name="Clear the picture").click()
        lab.givens = {"image": np.zeros((4, 4))}
        assert shown(box) == expected(lab)
        box.get_by_role("button", name="Reset this lab").click()
        lab.givens = PatchLab().givens
        assert shown(box) == expected(lab)
        assert log.wrong == []
