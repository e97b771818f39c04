"""What each rule finds in a chapter with one thing wrong: the file, the line, the sentence."""

import re
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from written import write

from pencil.cli.chapter_check import findings
from pencil.publish import publish
from pencil.publish.render import render_notebook
from pencil.rules import bridge, form, place, programs, questions, words
from pencil.rules.chapter import RunCell
from pencil.rules.held import broken, stale
from pencil.rules.template import DOES, TEACHING, WORKS
from pencil.trace import COUNT, Trace
from pencil.worked import Worked

CHAPTER, PATH = "notebooks/09_vector_length.md", "book/path.yml"
ANSWER = ":::{worked-answer}\n√(9 + 16) = 5.\n:::\n"
TURN = "::::{your-turn} three-and-four"
WORDS = "pencil:\n  source_words: {vector: stick}\n"
WRONG = [  # rule, a text of the chapter, what stands there instead, the line that is named (a text in it), what is said
    (form.parts, ":::{one-breath}\nSquare, add, take the root.\n:::", "", "", "in a box :::{one-breath}"),
    (form.parts, "## Sources", "## Thanks", "", "under a heading ## Sources"),
    (form.parts, "## Sources", ":::{you-will}\n- read\n:::\n\n## Sources", ":::{you-will}\n- read", "a second box you-will"),
    (form.parts, "## Sources", "## Sources\n\nOne.\n\n##  Sources", "##  Sources", "a second heading ## Sources"),
    (form.spelt, "{one-breath}", "{one-braeth}", "{one-braeth}", "there is no directive {one-braeth}. Did you mean 'one-breath'?"),
    (form.spelt, "{code-cell}\n:tags: [remove-cell]\n\npublish", "{code-cel}\n:tags: [remove-cell]\n\npublish", "{code-cel}", "'code-cell'?"),
    (form.spelt, "{one-breath}", "{qqq}", "{qqq}", "there is no directive {qqq}. Those of this book are in CONTRIBUTING.md"),
    (form.boxes, ANSWER, "", TURN, "your-turn three-and-four takes one :::{worked-answer} in it; it has 0"),
    (form.boxes, TURN, "::::{with-letters}", "", "at least 4 questions, each in a box :::{your-turn} KEY; there are 3"),
    (form.cells, "trace = Trace()\n", "trace = Trace()\n" + "x = 1\n" * 19, "trace = Trace()", "this cell has 21 lines; 20 are the most"),
    (bridge.bridge, "## What does it look like in NumPy?", "## And in code?", "", "a chapter has one section ## What does it look"),
    (bridge.bridge, ":tags: [learn]", ":tags: [still]", "## What does it look like", "in a cell with the tag learn"),
    (bridge.bridge, "$$\\lVert", "\\lVert", "## What does it look like", "write the formula"),
    (bridge.bridge, "| $x$, $x_i$ | a vector, a number of it (*component*) |\n", "", "## What does it look like", "of two rows at least"),
    (bridge.own_code, "learn]\n\nimport numpy as np", "learn]\n\nimport scipy as np", "import scipy", "scipy is none of torch, numpy, sklearn"),
    (bridge.own_code, ".round(3))", ".round(3))\nprint(length)", "print(length)", "length is made elsewhere"),
    (bridge.own_code, ".round(3))", ".round(3)", "print(np.linalg.norm", "this is no Python"),
    (words.field_words, "Some vectors are long", "Some sticks are long", "Some sticks are", "'sticks' in … "),
    (words.source_box, "pencil:\n", WORDS, "---", "put the box :::{words}"),
    (words.source_box, "## Sources", ":::{words}\nIts own.\n:::\n\n## Sources", ":::{words}", "takes source_words in the front matter"),
    (place.linked, "## Sources", "## Sources\n\n[A](08_contest.ipynb#old).", "[A](08", "old of 08_contest.md is now called old-and-new"),
    (place.linked, "## Sources", "## Sources\n\n[A](08_contest.ipynb#nwe).", "[A](08", "08_contest.md has no section nwe."),
    (place.linked, "## Sources", '## Sources\n\n<span id="left"></span>[A](#left).', "[A](#left", " has no section left."),
    (place.linked, "## Sources", "## Sources\n\n[A](08_kontest.ipynb).", "[A](08", "there is no page 08_kontest.ipynb. Did you mean '08_contest'?"),
    (questions.plain_hints, ":answer: turn.first.length", ":answer: turn.first.length\n:hint: It is 5.", TURN, "a hint has no digit: It is 5."),
    (questions.hints, "turn.first.length\n", "turn.fist.length\n", TURN, "nothing is named 'fist.length'"),
]  # fmt: skip


@pytest.mark.parametrize("rule, old, new, where, says", WRONG, ids=[f"{rule.__name__}-{k}" for k, (rule, *_) in enumerate(WRONG)])
def test_a_rule_names_the_line_and_says_what_to_do(changed, fresh, rule, old, new, where, says):
    chapter = changed(old, new)
    (finding,) = rule(chapter)
    assert says in finding.says and not [*rule(fresh)]
    assert finding.file == CHAPTER and finding.line == (chapter.line_of(chapter.text.index(where)) if where else chapter.end)


def test_a_chapter_without_a_wrong_turn_is_asked_for_one(changed, fresh):
    chapter = changed(fresh.text, re.sub(r":::\{wrong-turn\}.*?\n:::\n", "", fresh.text, flags=re.S))
    assert ["a mistake that people make" in finding.says for finding in form.boxes(chapter)] == [True]


def test_long_cells_are_named_once(changed, fresh):
    long = re.sub(r"(```\{code-cell\}\n(?::tags.*\n\n)?)", r"\1" + "x = 1\n" * 5, fresh.text)
    (finding,) = form.cells(changed(fresh.text, long))
    assert "half of the cells have more than 4 lines" in finding.says and "this one of" in finding.says


@pytest.mark.parametrize(
    "old, new, says",
    [
        ("Say here what the reader does in it.", "Work out 3 lengths.", "no program checks a number here"),
        ("in it.", "in it.\n  after: [08_contets]", "no chapter 08_contets to go on from. Did you mean '08_contest'?"),
        ("in it.", "in it.\n  after: [09_vector_length]", "goes on from chapters before it"),
        ("in it.", "in it.\n  after: [08_contest]", "say what from, with a link to 08_contest.ipynb"),
        ("09_vector_length:", "10_vector:", "09_vector_length is not there"),
    ],
)
def test_the_path_is_held_to_the_chapter(changed, old, new, says):
    assert any(says in finding.says for finding in place.listed(changed(old, new, PATH)))


def test_a_chapter_that_the_contents_leave_out_is_said(changed):
    (finding, *_) = place.listed(changed("      - file: notebooks/09_vector_length.ipynb\n", "", "_toc.yml"))
    assert str(finding) == "_toc.yml:1: put the chapter into its part of the book: - file: notebooks/09_vector_length.ipynb"


def test_a_link_of_another_page_into_a_renamed_section_names_the_list(changed):
    chapter = changed("# Words", "# Words\n\n[Here](../notebooks/09_vector_length.ipynb#can-you-do-this).", "book/glossary.md")
    (finding,) = place.linked(chapter)
    assert (finding.file, finding.line) == ("book/glossary.md", 3)
    assert "Did you mean 'can-you-do-it'?" in finding.says and "into book/moved.yml, below notebooks/09_vector_length" in finding.says


def test_a_section_that_the_last_commit_has_names_the_list_too(changed):
    chapter = changed()
    git = ["git", "-C", chapter.root, "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for typed in (["init", "-q"], ["add", "."], ["commit", "-q", "--no-gpg-sign", "-m", "One"]):
        subprocess.run([*git, *typed], check=True)
    assert [*place.renamed(changed())] == []
    (finding,) = place.renamed(changed("## Can you do it?", "## Can you do all?"))
    assert "the section can-you-do-it has gone: write into book/moved.yml, below notebooks/09_vector_length:" in finding.says
    moved = changed("notebooks/08", "notebooks/09_vector_length:\n  can-you-do-it: can-you-do-all\nnotebooks/08", "book/moved.yml")
    assert [*place.renamed(moved)] == []


def test_without_a_commit_nothing_is_known_of_old_sections(changed):
    assert [*place.renamed(changed("## Can you do it?", "## Can you do all?"))] == []


def test_an_entry_of_the_glossary_leads_to_a_chapter_that_says_it(changed):
    (finding,) = place.in_glossary(changed("vector\nvectors", "tensor\ntensors", "book/glossary.md"))
    assert str(finding) == "book/glossary.md:4: the entry leads to 09_vector_length, which does not say tensor or tensors"


def test_a_chapter_of_a_few_words_and_one_of_many_are_refused(changed, fresh):
    short, long = "# A row\n\n" + "".join(f":::{{your-turn}} key-{k}\nHow?\n:::\n" for k in range(4)), "word " * 6000
    (finding,) = place.timed(changed(fresh.text, short))
    assert str(finding) == f"{CHAPTER}:1: 0 minutes to read; a chapter has something to read, and 120 minutes at most"
    said = [found.says for found in place.timed(changed(short, f"# A row\n\n## Why?\n\n{long}\n"))]
    assert len(said) == 1 and re.match(r"the lesson that begins here takes \d\d minutes; from 10 to 35", said[0])


# ---- what needs the run


def printing(chapter, text, code="np.linalg.norm", data=None):
    """The chapter, as if that cell had put this out."""
    output = {"text": text} if data is None else {"data": data}
    chapter.cells = [replace(cell, outputs=(output,)) if code in cell.code else cell for cell in chapter.cells]
    return chapter


def test_the_library_prints_the_digits_that_are_quoted(changed):
    (finding,) = bridge.same_digits(printing(changed(), "[2.45 5.]"))
    assert finding.says == "2.449 is not what the section's cells print"


def test_a_bridge_that_quotes_nothing_is_refused(changed):
    (finding,) = bridge.same_digits(changed("digits, {v}`2.449 <nolan.length>` and {v}`5 <ended.length>`", "digits"))
    assert finding.says.startswith("quote a number of the chapter here")


def test_a_private_word_in_an_output_is_found_at_its_cell(changed):
    chapter = printing(changed(), "The stick is 2.449")
    (finding,) = words.field_words(chapter)
    assert "what the cell shows: 'stick'" in finding.says
    assert "import numpy as np" in "\n".join(chapter.text.split("\n")[finding.line - 1 : finding.line + 1])


@pytest.mark.parametrize(
    "said, says",
    [
        ("A row.", "'vector' of source_words stands nowhere on the page"),
        ("A vector, and what we have to vector.", "'have to vector' is a verb, and the source's word for it is a noun"),
    ],
)
def test_the_words_of_a_source_stand_where_the_switch_replaces_them(changed, said, says):
    chapter = changed("pencil:\n", WORDS)
    chapter.cells = [RunCell(1, (), "", ({"data": {"text/html": f'<div class="pencil-worked">{said}</div>'}},))]
    (finding,) = words.replaced(chapter)
    assert says in finding.says and chapter.text.split("\n")[finding.line - 1].startswith("  source_words:")


def test_a_chapter_that_quotes_a_stale_one_is_told_so(changed):
    quoting = changed("digits, {v}", "digits, {v}`3 <08:x>`, {v}")
    render_notebook(quoting.source)
    (told,) = [finding for finding in findings(quoting.source, quoting.root) if "contest" in finding.says]
    assert str(told) == f"{CHAPTER}:1: notebooks/08_contest.ipynb is not there; run `make notebooks`"


def test_a_question_about_a_stale_chapter_is_told_so(changed):
    chapter = changed(":answer: turn.first.length", ":answer: 08:x")
    (finding,) = questions.hints(chapter)
    assert finding.says == "notebooks/08_contest.ipynb is not there; run `make notebooks`"
    assert [*questions.labelled(chapter)] == [*questions.last_line(chapter)] == []


def test_a_question_with_one_hint_is_told_how_to_give_more(changed):
    (finding,) = questions.hints(changed(":answer: turn.first.length", ":choices: five | seven\n:right: five\n:hint: Square them."))
    assert re.search(r"three-and-four has 1 of 2 hints; .* write :hint: and :hint-2:", finding.says)


def test_a_traced_value_is_shown_by_a_line_that_shows(changed):
    (finding,) = programs.bare_values(printing(changed(), "", data={"text/plain": "<length (2,)>"}))
    assert "end it with a line that shows" in finding.says


def asked_of(chapter, make, labels=()):
    """The chapter, as if its questions were about this run."""
    trace = Trace()
    make(trace, trace.given("vector", [[1], [2], [4], [5]], words=["first", "second", "third", "fourth"]))
    chapter.library.__dict__["_chapters"][chapter.library.own] = publish(turn=Worked(trace, dict(labels), run="turn"))
    return chapter


def test_a_worked_line_says_no_name_of_the_code(changed):
    def make(trace, vector):
        trace("side.length", vector + 1)
        trace("length", vector + 1)

    chapter = changed(":answer: turn.first.length", ":answer: turn.first.side.length")
    assert [*questions.labelled(asked_of(chapter, make, {"side.length": "length"}))] == []
    (finding,) = questions.labelled(asked_of(chapter, make))
    assert finding.says == "your-turn three-and-four: give side.length a label in Worked, for a worked line says first.side.length = 1 + 1 = 2"


def test_the_last_worked_line_ends_in_digits_of_the_worked_answer(changed):
    def make(trace, vector):
        trace("length", trace("part", vector / 3) * 3)

    finding, *_ = questions.last_line(asked_of(changed(), make))
    assert finding.says.startswith("your-turn three-and-four: its last worked line says 0.999, its worked answer does not")


def run_with(chapter, make):
    """The chapter, as if it had published this run."""
    trace = Trace()
    make(trace)
    chapter.published = publish(Worked(trace))
    return chapter


def test_a_chapter_publishes_a_run(changed):
    chapter = run_with(changed(), lambda trace: trace.given("x", 1.0))
    assert [*programs.published(chapter)] == []
    chapter.published.content["runs"].clear()
    (finding,) = programs.published(chapter)
    assert "no run is published" in finding.says


def test_a_limited_number_has_a_label(changed):
    (finding,) = programs.limited(run_with(changed(), lambda trace: trace.given("heads", 2, **COUNT)))
    assert "main run: the given number heads has limits: give it a label" in finding.says


def test_a_grid_is_given_and_a_mask_may_be_baked(changed):
    def make(trace):
        x = trace.given("x", [1.0, 2.0])
        trace("masked", np.where(np.array([True, False]), x, 0) * np.array([0, 1]))
        trace("out", x * np.array([3, 4]))

    (finding,) = programs.baked(run_with(changed(), make))
    assert "take the grid [3, 4] by trace.given" in finding.says


def test_a_value_follows_some_given_number(changed):
    def make(trace):
        trace("shifted", trace.given("x", [1.0, 2.0]) + 1)
        trace("fixed", trace.given("y", [1.0, 2.0]) * 0)

    (finding,) = programs.following(run_with(changed(), make))
    assert "main run: fixed follows nothing given" in finding.says


def test_a_direction_and_a_rank_follow_too(changed):
    """The one stands still where a row is made longer, the other where each number rises alike."""

    def make(trace):
        x = trace.given("x", [1.0, 2.0])
        trace("direction", x / np.sqrt((x * x).sum()))
        trace("rank", (trace.given("y", [3.0, 2.0])[:1] < trace.names["y"][1:]) * 1)

    assert [*programs.following(run_with(changed(), make))] == []


# ---- what is left to write


def test_a_new_chapter_is_told_what_is_left_to_write_and_nothing_else(fresh):
    found = [(finding.file, finding.says) for finding in broken(fresh)]
    boxes = ["you-will", *[f'wrong-turn "{box.argument}"' for box in fresh.boxes("wrong-turn")]]
    boxes += [*[f'your-turn "{box.argument}"' for box in fresh.boxes("your-turn")], "one-breath"]
    sections = ["What do you add up?", "What does it look like in NumPy?", "Sources"]
    unwritten = ["the text above the first section", *(f"the box {box}" for box in boxes), *(f'the section "{title}"' for title in sections)]
    assert sorted(says for file, says in found if file == CHAPTER) == sorted(
        [f"{what} is still the example's: write your own" for what in [*unwritten, "the figure year_geometry"]]
    )
    assert [both for both in found if both[0] != CHAPTER] == [
        (PATH, f"say what the reader does in 09_vector_length, in place of {DOES!r}"),
        (
            WORKS,
            "09_vector_length declares year_geometry, the year of Descartes, La Géométrie: list that work, with vector_length among its keywords",
        ),
        (TEACHING, "give 09_vector_length a place in a week, with a link and its name in {hours}"),
    ]


def test_a_chapter_with_all_of_it_written_has_nothing_left(changed):
    chapter = changed()
    write(chapter.source, chapter.root)
    render_notebook(chapter.source)
    assert findings(chapter.source, chapter.root) == []


def test_what_is_written_is_not_said_again(changed):
    chapter = changed("Square, add, take the root.", "Square each number, add all squares, take the root of the sum.")
    assert not [finding for finding in form.unwritten(chapter) if "one-breath" in finding.says]


def test_a_source_that_makes_no_notebook_is_told_with_its_line_and_all_else(changed):
    chapter = changed("## Sources", ":::{one-breth}\nSo.\n:::\n\n## Thanks")
    said = {finding.says.partition(";")[0]: finding.line for finding in broken(chapter)}
    assert said[":::{one-breth} is no box"] == chapter.line_of(chapter.text.index(":::{one-breth}"))
    assert "name the sources, under a heading ## Sources" in said


def test_a_chapter_that_was_not_run_is_told_so_and_what_waits_for_it(changed):
    chapter = changed("square_sum = trace", "squares = trace")
    (finding,) = stale(chapter)
    assert finding.says.startswith("notebooks/09_vector_length.ipynb is stale: ")
    assert finding.says.endswith("What only a run shows is not looked at until then: type `python -m pencil notebooks 09_vector_length`")
