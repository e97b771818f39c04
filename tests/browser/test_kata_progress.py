"""Progress: stored in this browser only, exported, imported, cleared; everything works without storage."""

import json

from katas import LOOK, answer, box

NO_STORE = """for (const name of ["getItem", "setItem"]) {
  const plain = Storage.prototype[name]
  Storage.prototype[name] = function (key, ...more) {
    if (key.startsWith("pencil")) throw new Error("forbidden")
    return plain.call(this, key, ...more)
  }
}"""


def test_what_is_solved_is_kept_in_this_browser_and_can_go(book):
    tab, log = book.visit(LOOK, scheme="http")
    answer(tab, "scale", "6")
    tab.reload()
    assert box(tab, "scale").locator(".pencil-box-title .solved").text_content() == "solved"
    assert box(tab, "score").locator(".solved").count() == 0
    tab.goto(book.url("book/how_to_use.html", "http"))
    drawer = tab.locator(".pencil-progress")
    assert "Questions solved: 1." in drawer.locator(".count").text_content()
    with tab.expect_download() as saved:
        drawer.get_by_role("button", name="Save as a file").click()
    kept = json.loads(saved.value.path().read_text(encoding="utf-8"))
    assert kept["entries"] == {"06:scale": {"solved": True, "tries": 1}}
    drawer.get_by_role("button", name="Clear").click()
    drawer.get_by_role("button", name="Clear it all").click()
    assert "Questions solved: 0." in drawer.locator(".count").text_content()
    drawer.locator("[type=file]").set_input_files([{"name": "a.json", "mimeType": "application/json", "buffer": b'{"entries": {"<b>": 1}}'}])
    drawer.get_by_text("This is no file of the kata’s progress").wait_for()
    drawer.locator("[type=file]").set_input_files([{"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(kept).encode()}])
    drawer.get_by_text("Brought back.").wait_for()
    assert "Questions solved: 1." in drawer.locator(".count").text_content()
    assert log.wrong == []


def test_two_tabs_keep_what_the_other_has_solved(book):
    tab, log = book.visit(LOOK, scheme="http")
    with tab.context.new_page() as other:
        other.goto(book.url(LOOK, "http"))
        answer(tab, "scale", "6")
        answer(other, "mix", "2 2")
        answer(tab, "ended-key", "3 0 2 0")
        other.reload()
        marks = [box(other, key).locator(".pencil-box-title .solved").text_content() for key in ("scale", "mix", "ended-key")]
    assert marks == ["solved"] * 3 and log.wrong == []


def test_beside_a_later_wrong_answer_the_mark_says_that_it_was_solved_before(book):
    tab, log = book.visit(LOOK, scheme="http")
    mark = box(tab, "mix").locator(".pencil-box-title .solved")
    answer(tab, "mix", "2 2")
    assert mark.text_content() == "solved"
    assert answer(tab, "mix", "4 4") != "Right." and mark.text_content() == "solved before"
    answer(tab, "mix", "2 2")
    assert mark.text_content() == "solved" and mark.count() == 1
    assert log.wrong == []


def test_without_a_store_it_marks_all_the_same(book):
    with book.tab() as (tab, log):
        tab.add_init_script(NO_STORE)
        tab.goto(book.url(LOOK))
        assert answer(tab, "scale", "6") == "Right."
        assert box(tab, "scale").locator(".solved").count() == 1
        tab.goto(book.url("book/how_to_use.html"))
        assert "keeps nothing" in tab.locator(".pencil-progress .count").text_content()
        assert log.wrong == []


def test_a_slip_comes_back_the_next_day_unless_it_is_not_wanted(book):
    with book.tab() as (tab, log):
        tab.clock.install(time="2026-11-30T20:00:00")
        tab.goto(book.url(LOOK, "http"))
        answer(tab, "scale", "5")
        tab.reload()
        line = tab.locator(".pencil-review")
        assert line.count() == 0
        tab.clock.set_fixed_time("2026-12-01T07:00:00")
        tab.reload()
        link = line.get_by_role("link", name="A score is 12, and the keys are 4 wide. What is the scaled score?", exact=True)
        link.click()
        tab.wait_for_url("**/06_look_across.html#your-turn-scale")
        tab.goto(book.url("notebooks/05_soft_lookup.html", "http"))
        assert line.get_by_role("link").inner_text() == "A score is 12, and the keys are 4 wide. What is the scaled score? (chapter 06)"
        line.get_by_role("link").click()
        tab.wait_for_url("**/06_look_across.html#your-turn-scale")
        line.get_by_role("button", name="Do not bring them back").click()
        line.get_by_role("link", name="How to use this book").click()
        tab.wait_for_url("**/how_to_use.html#what-you-have-solved")
        tab.go_back()
        tab.reload()
        assert line.count() == 0
        tab.goto(book.url("book/how_to_use.html", "http"))
        switch = tab.get_by_role("checkbox", name="comes back")
        assert not switch.is_checked()
        switch.check()
        tab.goto(book.url(LOOK, "http"))
        line.wait_for()
        answer(tab, "scale", "6")
        assert line.count() == 0  # what is solved goes at once
        tab.reload()
        assert line.count() == 0 and log.wrong == []
