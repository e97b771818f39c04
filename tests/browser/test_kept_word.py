"""Exercises keep their word: in a frame that forbids forms, without storage, in two tabs, after a reload, whatever the clock is set to."""

import json
from contextlib import contextmanager

import pytest
from katas import KATA, LOOK, answer, awaited, box, deal, of_chapter, wanted_of

from pencil.exercises import Worksheet
from pencil.rounding import show

FRAME = '<iframe sandbox="{allows}" src="{src}" width="1200" height="800"></iframe>'
NOT_KEPT = "This browser keeps nothing for a page opened so: what you solve is forgotten when you leave."
DENIED = "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('denied') } })"


@contextmanager
def framed(book, page, allows):  # -> frame, log
    """A page as a learning platform shows it."""
    with book.tab() as (tab, log):
        tab.goto(book.url("404.html", "http"))
        tab.set_content(FRAME.format(allows=allows, src=book.url(page, "http")))
        frame = tab.locator("iframe").element_handle().content_frame()
        frame.wait_for_selector("html.pencil-started")
        yield frame, log


def rows(frame):
    return frame.locator(".pencil-sheet form.pencil-answer")


def right(sheet):  # -> list of str
    """The right answers of a sheet, as a reader types them."""
    return [" ".join(map(show, sheet.exercise(asked).right.paper)) for asked in sheet.asks]


def fill(row, text):  # -> what is said
    row.locator("input").fill(text)
    row.locator("input").press("Enter")
    return row.locator(".says").text_content()


def sheet_says(frame):
    return frame.locator(".pencil-sheet > .says").text_content()


@pytest.mark.parametrize("allows", ["allow-scripts", "allow-scripts allow-same-origin"])
def test_answers_are_marked_in_a_frame_without_forms(book, allows):
    with framed(book, LOOK, allows) as (frame, _):
        assert answer(frame, "scale", "banana").startswith("“banana” is no number")
        turn = box(frame, "scale")
        turn.locator("input[type=text]").fill("apple")
        turn.get_by_role("button", name="Check").click()
        assert turn.locator(".says").text_content().startswith("“apple” is no number")
        notes = frame.locator(".not-kept")
        assert notes.count() == (0 if "same-origin" in allows else 1) and (notes.count() == 0 or notes.text_content() == NOT_KEPT)


@pytest.mark.slow
def test_a_sheet_is_dealt_in_a_frame_without_forms(book):
    with framed(book, KATA, "allow-scripts") as (frame, _):
        frame.get_by_role("textbox", name="Seed").fill("8")
        deal(frame)
        assert sheet_says(frame).startswith("Sheet 8 is dealt.")
        frame.get_by_role("textbox", name="Seed").fill("9")
        frame.get_by_role("textbox", name="Seed").press("Enter")
        awaited(frame)
        assert sheet_says(frame).startswith("Sheet 9 is dealt.")


def test_without_storage_it_is_said_once_that_nothing_is_kept(book):
    with book.tab() as (tab, log):
        tab.add_init_script(DENIED)
        tab.goto(book.url(LOOK))
        assert tab.locator(".not-kept").count() == 0
        answer(tab, "scale", "7")
        answer(tab, "scale", "8")
        assert tab.locator(".not-kept").all_text_contents() == [NOT_KEPT]
        assert [wrong for wrong in log.wrong if "denied" not in wrong and "theme mode" not in wrong] == []  # the theme's own


def dealt(tab, topic, seed):
    tab.get_by_role("combobox", name="Topic").select_option(topic)
    tab.get_by_role("textbox", name="Seed").fill(str(seed))
    deal(tab)
    return Worksheet(topic, seed)


def test_a_sheet_says_how_many_rows_are_left_and_a_reload_keeps_it(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        sheet = dealt(tab, "softmax", 8)
        typed, many = right(sheet), rows(tab).count()
        for done, text in enumerate(typed[:-1], 1):
            assert fill(rows(tab).nth(done - 1), text) == "Right."
            assert sheet_says(tab) == (f"{many - done} rows are left." if many - done > 1 else "1 row is left.")
        fill(rows(tab).nth(0), "banana")
        assert sheet_says(tab) == "2 rows are left."
        rows(tab).last.locator("input").fill("0.5 and more")  # not marked yet
        tab.reload()
        awaited(tab)
        assert tab.locator(".pencil-sheet strong").text_content() == "Softmax." and sheet_says(tab) == "2 rows are left."
        assert rows(tab).locator("input").evaluate_all("all => all.map(one => one.value)") == ["banana", *typed[1:-1], "0.5 and more"]
        assert rows(tab).nth(1).locator(".says").text_content() == "Right." and rows(tab).last.locator(".says").text_content() == ""
        assert fill(rows(tab).nth(0), typed[0]) == fill(rows(tab).last, typed[-1]) == "Right."
        assert sheet_says(tab) == "The whole sheet is right." and log.wrong == []


SLOW = "let now = 0; performance.now = () => (now += 20)"  # each look at the clock takes longer than most of a slice
ASKED = """([topic, seed]) => {
  const sheet = document.querySelector(".pencil-sheet")
  sheet.querySelector("select").value = topic
  sheet.querySelector(".deal input").value = seed
  sheet.querySelector("[data-do=deal]").click()
  return [sheet.querySelector("strong").textContent, sheet.querySelector(":scope > .says").textContent]
}"""


def test_a_sheet_is_dealt_in_slices_and_says_so_and_one_asked_for_meanwhile_takes_its_place(book):
    with book.tab() as (tab, log):
        tab.add_init_script(SLOW)
        tab.goto(book.url(KATA))
        awaited(tab)
        before = tab.locator(".pencil-sheet strong").text_content()
        assert tab.evaluate(ASKED, ["block", "7"]) == [before, "Sheet 7 is being dealt."]
        assert tab.evaluate(ASKED, ["attention", "9"]) == [before, "Sheet 9 is being dealt."]
        awaited(tab)
        assert sheet_says(tab) == "Sheet 9 is dealt." and rows(tab).count() == len(Worksheet("attention", 9).asks)
        tab.evaluate(ASKED, ["block", "7"])
        awaited(tab)
        assert sheet_says(tab) == "Sheet 7 is dealt." and rows(tab).count() == len(Worksheet("block", 7).asks)
        assert log.wrong == []


@pytest.mark.slow
def test_a_spoilt_store_of_a_sheet_is_no_sheet(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        topic = tab.locator(".pencil-sheet").get_attribute("data-topic")
        for text in (
            "{",
            "null",
            '{"topic": "toString", "seed": 1}',
            json.dumps({"topic": topic, "seed": 1, "written": [{"text": 7, "marked": {}}, None]}),
        ):
            tab.evaluate("text => sessionStorage.setItem('pencil.sheet.' + document.querySelector('.pencil-sheet').dataset.topic, text)", text)
            tab.reload()
            awaited(tab)
            assert rows(tab).count() > 2 and log.wrong == []


SLIP = "This follows from what you wrote; the slip is in"


def test_a_row_that_was_told_of_a_slip_is_marked_again_once_that_is_mended(book):
    """Of softmax: e raised to one number is wrong, and the total that is made of it is right but for that."""
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        sheet = dealt(tab, "softmax", 3)
        keys = list(sheet.asks)
        powers, total = keys.index(next(key for key in keys if "exp" in key)), keys.index(next(key for key in keys if "sum" in key))
        typed = right(sheet)
        numbers = [float(one) for one in typed[powers].split()]
        wrong = [numbers[0] + 1, *numbers[1:]]
        fill(rows(tab).nth(powers), " ".join(map(show, wrong)))
        said = fill(rows(tab).nth(total), show(sum(wrong)))
        assert said.startswith(SLIP), (keys, said)
        fill(rows(tab).nth(powers), typed[powers])
        said = rows(tab).nth(total).locator(".says").text_content()
        assert said and not said.startswith(SLIP) and rows(tab).nth(total).get_attribute("data-verdict") == "wrong"
        assert log.wrong == []


def test_a_row_that_is_right_once_the_slip_is_mended_is_counted_as_solved(book):
    """A total follows from exps of which two have changed places; once they are in order it is right, by the digits that the reader carried."""
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        many = len(dealt(tab, "softmax", 2).asks)
        assert fill(rows(tab).nth(0), "1.000 2.71828 0.13534 0.368") != "Right."
        assert fill(rows(tab).nth(1), "4.222").startswith(SLIP) and sheet_says(tab) == f"{many} rows are left."
        assert fill(rows(tab).nth(0), "2.71828 1.000 0.13534 0.368") == "Right."
        assert rows(tab).nth(1).locator(".says").text_content() == "Right." and sheet_says(tab) == f"{many - 2} rows are left."
        assert log.wrong == []


@pytest.mark.slow
def test_two_tabs_see_each_other_s_progress(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK, "http"))
        other = tab.context.new_page()
        other.goto(book.url(LOOK, "http"))
        kata = tab.context.new_page()
        kata.goto(book.url(KATA, "http"))
        key, text = next(asked for asked, said in wanted_of(LOOK) if said == {"Right."} and not of_chapter("06")[asked[0]].choices)
        assert answer(tab, key, text) == "Right."
        box(other, key).locator(".pencil-box-title .solved").wait_for(timeout=5000)
        kata.wait_for_function(
            "document.querySelector('.pencil-progress .count')?.textContent.startsWith('Questions solved: 1.') ?? true", timeout=5000
        )
        assert log.wrong == []


def test_the_day_of_a_sheet_is_the_reader_s_and_a_clock_set_back_takes_no_time_away(book):
    with book.tab(timezone_id="Pacific/Auckland") as (tab, log):
        tab.add_init_script("{ const now = Date.now; window.back = 0; Date.now = () => now() - window.back }")
        tab.clock.set_fixed_time("2026-11-27T20:00:00Z")  # the 28th in Auckland
        tab.goto(book.url(KATA))
        tab.get_by_label("Time me").check()
        sheet = dealt(tab, "softmax", 8)
        tab.clock.set_fixed_time("2026-11-27T19:00:00Z")
        for k, text in enumerate(right(sheet)):
            assert fill(rows(tab).nth(k), text) == "Right."
        assert sheet_says(tab).startswith("The whole sheet is right, in 0:")
        assert tab.locator(".pencil-sheet .history tbody td").first.text_content() == "2026-11-28" and log.wrong == []
