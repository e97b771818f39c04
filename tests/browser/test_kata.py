"""The YOUR TURNs of the built pages, driven as a reader does: right answers, known mistakes, nonsense; by mouse and by keyboard alone."""

import json

import pytest

from pencil.kata import Sheet, exercise_of, read
from pencil.kata.exercises import asked_by, turns
from pencil.prose.library import Library
from pencil.rounding import show
from pencil.tasks import ROOT

NOTEBOOKS = ROOT / "notebooks"
KATA = "notebooks/09_kata.html"
LOOK = "notebooks/06_look_across.html"
NO_STORE = """for (const name of ["getItem", "setItem"]) {
  const plain = Storage.prototype[name]
  Storage.prototype[name] = function (key, ...more) {
    if (key.startsWith("pencil")) throw new Error("forbidden")
    return plain.call(this, key, ...more)
  }
}"""
ANSWER_ALL = """pairs => pairs.map(([key, text]) => {
  const form = document.querySelector(`[data-turn="${key}"] form.pencil-answer`)
  form.querySelector("input[type=text]").value = text
  form.requestSubmit()
  return form.querySelector(".says").textContent
})"""


def box(tab, key):
    return tab.locator(f"[data-turn='{key}']")


def answer(tab, key, text):
    """Write an answer and send it off with the Enter key. -> what is said"""
    field = box(tab, key).locator("form.pencil-answer input[type=text]")
    field.fill(text)
    field.press("Enter")
    return box(tab, key).locator(".says").text_content()


def of_chapter(number):
    return {name[3:]: turn for name, turn in turns(NOTEBOOKS).items() if name.startswith(number)}


def sheet(page):
    """The file of a page's chapter: notebooks/06_look_across.html -> 06"""
    return page.rpartition("/")[2][:2]


RIGHT, NONSENSE = {"Right."}, {"“banana” is no number; type one, such as 0.5, −2, 1/3 or √2."}


def wanted_of(page):
    """What is written into each box of a page, and what may be said to it: (key, text), {sentences}."""
    library = Library(NOTEBOOKS, sheet(page))
    for key, turn in of_chapter(sheet(page)).items():
        if not turn.choices:
            exercise = asked_by(turn, library)
            yield (key, " ".join(map(show, exercise.right.paper))), RIGHT
            yield (key, json.dumps(exercise.right.exact)), RIGHT
            for numbers, _ in exercise.wrong.values():
                yield (key, json.dumps(numbers.exact)), {says for other, says in exercise.wrong.values() if other.is_meant(read(list(numbers.exact)))}
            yield (key, "banana"), NONSENSE


def test_every_question_takes_the_right_answer_its_mistakes_and_nonsense(book):
    asked, mistakes = 0, 0
    for page in book.chapters:
        with book.tab() as (tab, log):
            tab.goto(book.url(page))
            wanted = list(wanted_of(page))
            told = tab.evaluate(ANSWER_ALL, [pair for pair, _ in wanted])
            wrong = [(page, pair, says, right) for (pair, right), says in zip(wanted, told, strict=True) if says not in right]
            assert not wrong and log.wrong == []
            asked += sum(right == NONSENSE for _, right in wanted)
            mistakes += sum(right not in (RIGHT, NONSENSE) for _, right in wanted)
    assert asked >= 109 and mistakes >= 100, (asked, mistakes)


def test_a_choice_among_words(book):
    chosen = 0
    for page in book.chapters:
        choices = {key: turn for key, turn in of_chapter(sheet(page)).items() if turn.choices}
        if not choices:
            continue
        with book.tab() as (tab, log):
            tab.goto(book.url(page))
            for key, turn in choices.items():
                form = box(tab, key).locator("form")
                form.get_by_role("button", name="Check").click()
                assert form.locator(".says").text_content() == "Choose one of these."
                for word in turn.choices:
                    form.get_by_label(word, exact=True).check()
                    form.get_by_role("button", name="Check").click()
                    says = form.locator(".says").text_content()
                    assert says == ("Right." if word == turn.right else dict(turn.wrong).get(word, "Not yet."))
                chosen += 1
            assert log.wrong == []
    assert chosen >= 11


def test_right_brings_the_worked_lines_and_a_hint_covers_the_result(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        turn = box(tab, "match")
        turn.get_by_role("button", name="Hint").click()
        assert turn.locator(".more").text_content() == "Multiply number by number, and add. It is made of query and key."
        turn.get_by_role("button", name="Another hint").click()
        line = turn.locator(".more .pencil-worked")
        assert line.text_content().replace("\u00a0", " ") == "nolan.query · another.key = 2·1 + 0·0 + 1·1 + 0·0 = …"
        assert not turn.locator("details").evaluate("d => d.open")
        turn.get_by_role("button", name="Open the worked answer").click()
        assert turn.locator("details").evaluate("d => d.open && d.contains(document.activeElement)")
        assert answer(tab, "match", "3") == "Right."
        assert line.text_content().replace("\u00a0", " ").endswith("2·1 + 0·0 + 1·1 + 0·0 = 2 + 1 = 3")
        assert answer(tab, "match", "0,5") == "A comma separates two numbers; the decimal mark is a point: 0.5."
        assert line.count() == 0 and log.wrong == []


def test_the_key_follows_a_changed_number(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        assert answer(tab, "ended-tags", "3 0 2 0") == "Right."
        tab.evaluate("location.hash = '#pencil:/grid.key:0=1'")
        tab.locator(".pencil-changed").wait_for(state="visible")
        assert box(tab, "ended-tags").locator(".says").text_content() == ""  # what was said holds no longer
        tab.evaluate("location.hash = '#pencil:/stick:4=2,/grid.key:0=1'")
        tab.locator(".pencil-number.changed").first.wait_for()
        assert answer(tab, "ended-tags", "3 0 2 0") != "Right."
        assert answer(tab, "ended-tags", "5 0 2 0") == "Right."
        assert log.wrong == []


def test_with_the_keyboard_alone(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK))
        box(tab, "scale").locator("xpath=preceding::a[1]").focus()
        for _ in range(40):
            tab.keyboard.press("Tab")
            if tab.evaluate("document.activeElement.matches('.pencil-answer input')"):
                break
        key = tab.evaluate("document.activeElement.closest('[data-turn]').dataset.turn")
        tab.keyboard.type("12")
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
        for name in ("Check", "Hint"):
            tab.keyboard.press("Tab")
            assert tab.evaluate("document.activeElement.textContent") == name
        tab.keyboard.press("Space")
        assert "It is made of" in box(tab, key).locator(".more").text_content()
        assert log.wrong == []


def test_what_is_solved_is_kept_in_this_browser_and_can_go(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(LOOK, "http"))
        answer(tab, "scale", "6")
        tab.reload()
        assert box(tab, "scale").locator(".pencil-box-title .solved").text_content() == "solved"
        assert box(tab, "match").locator(".solved").count() == 0
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
        drawer.locator("input").set_input_files([{"name": "a.json", "mimeType": "application/json", "buffer": b'{"entries": {"<b>": 1}}'}])
        drawer.get_by_text("This is no file of the kata's progress").wait_for()
        drawer.locator("input").set_input_files([{"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(kept).encode()}])
        drawer.get_by_text("Brought back.").wait_for()
        assert "Questions solved: 1." in drawer.locator(".count").text_content()
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_box_is_wider_than_a_phone(book, scheme):
    with book.phone(color_scheme=scheme) as (tab, log):
        tab.goto(book.url(LOOK))
        assert answer(tab, "mix", "2 2") == "Right."
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        assert box(tab, "mix").evaluate("b => b.scrollWidth <= b.clientWidth")
        assert log.wrong == []


def test_print_leaves_the_forms_out(book):
    with book.tab() as (tab, _):
        tab.goto(book.url(LOOK))
        tab.emulate_media(media="print")
        assert tab.locator("form.pencil-answer:visible, form.pencil-answer :visible").count() == 0


def test_print_keeps_what_is_asked(book):
    """Of a choice its words, of a sheet its givens and what to fill in; no button, no field."""
    sheet = Sheet("attention", 7)
    with book.tab() as (tab, _):
        tab.goto(book.url(KATA))
        tab.emulate_media(media="print")
        for key, turn in of_chapter("09").items():
            assert all(box(tab, key).get_by_text(word, exact=True).first.is_visible() for word in turn.choices)
        assert tab.locator(".pencil-sheet li label:visible").all_text_contents() == [f"{sheet.label(asked)} =" for asked in sheet.asks]
        assert tab.locator(".pencil-sheet .pencil-given-grid:visible").count() == len(sheet.givens)
        assert tab.locator(":is(.pencil-answer, .pencil-sheet) :is(button, input[type=text]):visible").count() == 0


def test_marks_agree_with_python_s_check(book):
    """One exercise by both ways, in the words of each."""
    exercise = exercise_of(Library(NOTEBOOKS, "05").find("even.weights"))
    with book.tab() as (tab, _):
        tab.goto(book.url("notebooks/05_soft_lookup.html"))
        for numbers, says in exercise.wrong.values():
            assert answer(tab, "softmax", json.dumps(numbers.exact)) == says


# ---- a sheet of fresh numbers

SOLVE = """asks => asks.map(([k, text]) => {
  const form = document.querySelectorAll(".pencil-sheet form.pencil-answer")[k]
  form.querySelector("input").value = text
  form.requestSubmit()
  return form.querySelector(".says").textContent
})"""


def dealt(tab, seed):
    """Deal a sheet on the page. -> its given grids as rows of digits"""
    tab.locator(".pencil-sheet .deal input[type=text]").fill(str(seed))
    tab.get_by_role("button", name="Deal this sheet").click()
    tables = tab.locator(".pencil-sheet .pencil-given-grid")
    return tables.evaluate_all(
        "tables => tables.map(table => [...table.rows].map(row => [...row.cells].filter(c => c.matches('td')).map(c => c.textContent)))"
    )


@pytest.mark.parametrize("seed", [0, 7, 4294967295])
def test_a_seed_deals_the_sheet_of_python_marks_it_and_keeps_the_time(book, seed):
    sheet = Sheet("attention", seed)
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        tab.get_by_label("Take my time").check()
        assert dealt(tab, seed) == [rows for _, _, rows in sheet.givens]
        exercises = [sheet.exercise(asked) for asked in sheet.asks]
        wrong = [(k, told) for k, exercise in enumerate(exercises) for told in exercise.wrong.values()]
        said = tab.evaluate(SOLVE, [(k, json.dumps(numbers.exact)) for k, (numbers, _) in wrong])
        for (k, (numbers, _)), says in zip(wrong, said, strict=True):
            assert says in {told for other, told in exercises[k].wrong.values() if other.is_meant(read(list(numbers.exact)))}
        right = [(k, " ".join(map(show, exercise.right.paper))) for k, exercise in enumerate(exercises)]
        assert set(tab.evaluate(SOLVE, right[:-1])) == {"Right."}
        assert "The clock runs." in tab.locator(".pencil-sheet > .says").text_content()
        assert tab.evaluate(SOLVE, right[-1:]) == ["Right."]
        assert tab.locator(".pencil-sheet > .says").text_content().startswith("The whole sheet is right, in 0:")
        assert tab.locator(".pencil-sheet .history tbody tr").count() == 1
        lines = tab.locator(".pencil-sheet .pencil-worked").last.locator("p").all_text_contents()
        assert lines == sheet.key(sheet.asks[-1]) and log.wrong == []


def test_what_is_no_seed_is_told_so(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        before = tab.locator(".pencil-sheet .pencil-givens").text_content()
        for text in ("", "seven", "-1", "4294967296", "1e3"):
            dealt(tab, text)
            assert "A seed is a whole number from 0 to 4294967295." in tab.locator(".pencil-sheet > .says").text_content()
        assert tab.locator(".pencil-sheet .pencil-givens").text_content() == before and log.wrong == []
        tab.get_by_role("button", name="Another one").click()
        assert "is dealt." in tab.locator(".pencil-sheet > .says").text_content()


def test_the_sheet_prints_with_its_key_and_nothing_else(book):
    with book.tab() as (tab, log):
        tab.goto(book.url(KATA))
        tab.evaluate("window.print = () => {}")
        tab.get_by_role("button", name="Print it, with its key").click()
        tab.emulate_media(media="print")
        assert tab.locator(".pencil-print .key").is_visible() and not tab.locator("article").is_visible()
        assert tab.locator(".pencil-print .key li").count() == tab.locator(".pencil-print .task li").count() == 15
        tab.evaluate("dispatchEvent(new Event('afterprint'))")
        assert tab.locator(".pencil-print").count() == 0 and tab.locator("article").is_visible()
        assert log.wrong == []


def test_a_sheet_on_a_phone(book):
    with book.phone(color_scheme="dark") as (tab, log):
        tab.goto(book.url(KATA))
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        assert log.wrong == []
