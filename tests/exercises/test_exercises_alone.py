"""The questions of the chapters, asked without their pages: each is read by itself, and all that it needs is there."""

import re
from dataclasses import replace
from functools import cache

import pytest

from pencil.checker.library import CHAPTERS
from pencil.errors import TaskError
from pencil.exercises.alone import asked_alone, without_the_page
from pencil.exercises.assignment import build_assignment
from pencil.exercises.question_sheet import question_sheet
from pencil.paths import ROOT, chapter_number, chapter_sources
from pencil.publish.exercises import exercises_in
from pencil.trace.names import positions
from pencil.worked.origin import made_of

NUMBERS = [chapter_number(path) for path in chapter_sources(ROOT / CHAPTERS)]
ELSEWHERE = re.compile(
    r"\b(below|above|the labs?|(?:this|that|the) (?:page|drawing|figure|slider)|predict, then"
    r"|the same (?:exps?|rows?|grids?|matri\w+|embeddings?|scores?|shares?|keys?|words? as|two words, with|parameters)|^and (?:its|the|of))",
    re.I | re.M,
)
PLAIN = {  # in these the words are of the question itself
    "11:six-places": "the same scores",  # as with neighbours, in its own sentence
    "07:stuck-together": "above",  # above zero
}
WRITTEN = re.compile(r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?")

ROW = re.compile(r"\[[^\[\]]*\]")


@cache
def read(chapter):
    return asked_alone(chapter)


def words(question):  # as it is printed, without the section that it stands in: title and address say that
    return "\n".join([question.text, *question.givens])


@pytest.mark.parametrize("chapter", NUMBERS)
def test_no_question_points_to_what_is_not_there(chapter):
    for question in read(chapter)[1]:
        for found in ELSEWHERE.finditer(question.text):
            assert found[0].lower() == PLAIN.get(f"{chapter}:{question.source.key}"), f"{question.source.key}: {found[0]}"


@pytest.mark.parametrize("chapter", NUMBERS)
def test_every_question_has_a_title_and_an_address(chapter):
    _, asked, _ = read(chapter)
    source = next(path for path in chapter_sources(ROOT / CHAPTERS) if chapter_number(path) == chapter)
    headings = re.findall(r"^#+ (.+)$", source.read_text(encoding="utf-8"), re.M)
    for question in asked:
        assert question.title in headings and " " in question.title
        assert question.address.endswith(f"/notebooks/{source.stem}.html#your-turn-{question.source.key}")


def numbers(text):  # "[−1,000, 0.5]" -> [-1000.0, 0.5]
    return [float(x.replace("−", "-").replace(",", "")) for x in WRITTEN.findall(text)]


def there(question, library, text):  # can its answer be worked from the numbers in this text alone?
    found = library.find(question.source.answer)
    worked = found.worked["paper" if question.source.lines == "paper" else "exact"]
    value, single = worked.trace.find(found.local), numbers(ROW.sub("", text))
    rows = [numbers(row) for row in ROW.findall(text)]

    def is_written(array, at):  # its row, or the number by itself
        own = replace(value, array=array, index=at)
        return (at and numbers(worked.written(own.at((*at[:-1], slice(None))))) in rows) or numbers(worked.written(own))[0] in single

    @cache
    def is_there(entry, is_asked):
        array, at = entry
        if array.op == "constant" or (array.name and not is_asked and is_written(array, at)):
            return True
        before = [(other, tuple(map(int, place))) for other, place in made_of(array, at)]
        return bool(before) and all(is_there(one, False) for one in before)

    return all(is_there((value.array, at), True) or value.array.op == "given" for at in positions(value))


@pytest.mark.parametrize("chapter", NUMBERS)
def test_every_number_that_the_worked_answer_starts_from_is_there(chapter):
    _, asked, library = read(chapter)
    for question in asked:
        if question.source.answer and question.source.alone != "yes" and library.find(question.source.answer).worked:
            assert there(question, library, words(question)), f"{question.source.key}: {words(question)}"


@pytest.mark.parametrize(("key", "left_out"), [("ended-key", "ended.embedding"), ("ended-key", "W_K"), ("ended-new", "nolan.value")])
def test_a_question_without_one_of_its_values_is_found(key, left_out):
    _, asked, library = read("06")
    question = next(question for question in asked if question.source.key == key)
    less = "\n".join([question.text, *(line for line in question.givens if not line.startswith(left_out))])
    assert there(question, library, words(question)) and not there(question, library, less)


def test_what_only_its_page_can_ask_stays_out():
    text = (ROOT / CHAPTERS / "05_soft_lookup.md").read_text(encoding="utf-8")
    out = {question.key for question in exercises_in(text) if question.alone == "no"}
    assert "predict-the-share" in out  # The lab below begins with ...
    assert out.isdisjoint(question.source.key for question in read("05")[1])


def test_what_is_said_in_words_alone_is_a_small_part():
    asked = [question for chapter in NUMBERS for question in read(chapter)[1] if question.source.answer]
    assert sum(question.source.alone == "yes" for question in asked) < len(asked) / 6


IN_A_KEY = re.compile(r"\blabs?\b|\bthis page\b|\b(?:curves?|picture|drawing|sentences|cell) (?:below|above)\b", re.I)


@pytest.mark.parametrize("chapter", NUMBERS)
def test_no_key_points_to_what_paper_has_not(chapter):
    for question in read(chapter)[1]:
        assert question.worked and not IN_A_KEY.search(question.worked), (chapter, question.source.key)


@pytest.mark.parametrize(
    "worked, kept",
    [
        ("Two are left. Mask it in the lab below: they stay.\nYou have seen why.", "Two are left."),
        ("It stays. The sum adds one, though: look in the lab where.", "It stays. The sum adds one, though."),
        ("Less than one: positions differ. So the two sentences above end alike.", "Less than one: positions differ."),
        ("It is *sat*, as in the first lines of this page. The norm goes.", "It is *sat*. The norm goes."),
        ("Collaborate: 1.5 is above zero.", "Collaborate: 1.5 is above zero."),
    ],
)
def test_a_key_ends_before_it_points_to_the_page(worked, kept):
    assert without_the_page(worked) == kept


def test_a_chapter_whose_questions_all_need_their_page_gives_no_empty_sheet(tmp_path):
    source = next(path for path in chapter_sources(ROOT / CHAPTERS) if chapter_number(path) == "05")
    text = re.sub(
        r"^(:answer:|:choices:)", r":alone: no\n\1", re.sub(r"^:alone: .*\n", "", source.read_text(encoding="utf-8"), flags=re.M), flags=re.M
    )
    (tmp_path / source.name).write_text(text, encoding="utf-8")
    (tmp_path / f"{source.stem}.ipynb").write_bytes(source.with_suffix(".ipynb").read_bytes())
    for build, says in ((build_assignment, "nothing to hand out"), (question_sheet, "nothing to print")):
        with pytest.raises(TaskError, match=f"no question of chapter 05 is asked without its page: there is {says}"):
            build("05", folder=tmp_path)


def test_an_assignment_shows_them():
    cells = {cell.id: cell.source for cell in build_assignment("06").cells}
    assert cells["ended-key-question"].startswith("### 1. How is a query made?\n\nWhat is the key of *ended*?\n\nGiven:\n\n- W_K = [[0, 0, 1, 1]")
    assert "- ended.embedding = [0, 1, 2, 1]\n\n[In the chapter](https://" in cells["ended-key-question"].replace("\N{NO-BREAK SPACE}", " ")
    assert cells["ended-key-answer"].endswith("ended_key = [3, 0, 2, 0]\n### END SOLUTION")
