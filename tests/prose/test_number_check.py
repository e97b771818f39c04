"""The checker on whole pages: the first proof, each rule, and the command."""

import json

import pytest

from pencil.prose import Published, check, publish
from pencil.prose.check import check_text
from pencil.prose.page import read_page
from pencil.prose.published import MIME

MIXING = """
The mixing grid, as the article prints its four results:

| row | result |
|-----|--------|
| first | {v}`0.848 <mixing[0]>` |
| second | {v}`−1.131 <mixing[1]>` |
| third | {v}`−0.141 <mixing[2]>` |
| fourth | {v}`−0.707 <mixing[3]>` |
"""


def failures(text, values):
    return [(failure.line, failure.written) for failure in check_text(text, values).failures]


def reasons(text, values):
    return "\n".join(failure.reason for failure in check_text(text, values).failures)


def test_first_proof_the_mixing_grid_of_source_001(mixing):
    report = check_text(MIXING, mixing)
    assert [(f.line, f.written, f.reason) for f in report.failures] == [
        (6, "0.848", "mixing[0] is 0.707"),
        (7, "−1.131", "mixing[1] is −1.273"),
    ]
    assert report.counted == {"bound": 2, "failing": 2}
    assert check_text(MIXING.replace("0.848", "0.707").replace("1.131", "1.273"), mixing).failures == []


GOOD = [
    "nolan listens {v}`0.953 <nolan.weights[ended]>` to ended, {v}`95.3 % <nolan.weights[ended]>`.",
    "# Divide by √4 = 2",
    "Then 8 / 2 = 4 and 2 / 2 = **1**.",
    "{v}`54.60 <nolan.raised[ended]>` / {v}`57.32 <nolan.total>` = {v}`0.953 <nolan.weights[ended]>`",
    "{v}`[2, 8] <nolan.scores>` / √4 = {v}`[1, 4] <nolan.scaled>`",
    "| {v}`2 <nolan.scores[nolan]>` | {v}`8 <nolan.scores[ended]>` |",
    "[a match of {v}`8 <nolan.scores[ended]>`](page_7.html)",
    "1. one\n1. two",
    "In `8 / 2 = 4` and ![√4 = 2](a.png)",
    ":::{your-turn} key-5\n:answer: nolan.scores[0]\nWhich?\n:::",
    ":::{your-turn} key\n:answer: nolan.scores[0]\n:wrong: nolan.scores[1] | That is the other word.\nWhich?\n:::",
    ":::{your-turn} key\n:choices: set | list\n:right: list\n:wrong: set | No, a list.\nWhich?\n:::",
    ":::{wrong-turn} Softmax adds: 2 + 8 = 10.\nNo.\n:::",
    "No digit at all.",
]


@pytest.mark.parametrize("text", GOOD)
def test_what_is_accounted_for_passes(review, text):
    assert failures(text, review) == []


BAD = [
    ("nolan listens 0.953 to ended.", "0.953", "nearest: nolan.weights[ended] is 0.953"),
    ("# 8 heads", "8", "cannot stand in a heading: move the digits into the text or write them in words"),
    ("Half is ½.", "½", "stands for nothing"),
    ("n² matches", "²", "stands for nothing"),
    ("a `width 32`", "32", "cannot stand in code: move the digits into the text or write them in words, or declare the whole of it"),
    ("the match $x = 8$", "8", "cannot stand in TeX: move the digits into the text or write them in words, or declare the whole of it"),
    ("![8 bars](a.png)", "8", "cannot stand in alt text: move the digits into the text or write them in words"),
    ("Then 8 / 2 = 5.", "8 / 2 = 5", "not true on paper"),
    ("So 2·3 + 0·0 = 6.", "0", "another digit would do in 2·3 + 0·0 = 6"),
    ("{v}`8 <nolan.scores[ended]>` / 2 = 5", "8 / 2 = 5", "not true on paper"),
    ("# {v}`8 <nolan.scores[ended]>` matches", "{v}`8 <nolan.scores[ended]>`", "cannot stand in a heading"),
    (":::{wrong-turn} It is {v}`8 <nolan.scores[ended]>`\n:::", "{v}`8 <nolan.scores[ended]>`", "a title or option"),
    ("![{v}`8 <nolan.scores[ended]>`](a.png)", "{v}`8 <nolan.scores[ended]>`", "alt text"),
    ("$x {v}`8 <nolan.scores[ended]>`$", "$x {v}`8 <nolan.scores[ended]>`$", "TeX"),
    ("`` {v}`8 <nolan.scores[ended]>` ``", "`` {v}`8 <nolan.scores[ended]>` ``", "code"),
    ("```\n{v}`8 <nolan.scores[ended]>`\n```", "{v}`8 <nolan.scores[ended]>`", "code"),
    ("{v}`8`", "{v}`8`", "a binding reads"),
    ("2. two", "2", "number every item"),
    (":::{your-turn} key\n:answer: nolan.turn[0]\n:::", ":answer: nolan.turn[0]", "nothing is named"),
    (":::{your-turn} key\n:answer: scores\n:wrong: scores | It is 8.\n:::", "8", "cannot stand in a title or option"),
    (":::{your-turn} key\n:choices: 8 | nine\n:right: nine\n:::", "8", "cannot stand in a title or option"),
    ("{v}`two <count stick>` words", "two", "holds no digit"),
]


@pytest.mark.parametrize("text, written, reason", BAD)
def test_what_is_not_accounted_for_fails_where_it_stands(review, text, written, reason):
    found = check_text(f"Words.\n\n{text}", review).failures
    assert found[0].written == written
    assert reason in found[0].reason
    assert found[0].line == 3 + next(n for n, line in enumerate(text.split("\n")) if written.split()[0] in line)
    assert check_text(text, review).counted["failing"] >= ("answer" not in text and "two" not in written)


def test_a_wrong_turn_of_a_box_names_a_value(review):
    (failure,) = check_text(":::{your-turn} key\n:answer: scores\n:wrong: nolan.turn[0] | No.\n:::", review).failures
    assert failure.line == 3 and "nothing is named" in failure.reason


def declaring(entry, body):
    return f"---\npencil:\n  declared:\n    {entry}\n---\n{body}\n"


YEAR = 'year: {text: "2014", is: "the year of Bahdanau et al."}'
USE = "In {v}`2014 <page.year>`."


def test_a_declared_numeral_is_bound_by_name(review):
    assert failures(declaring(YEAR, USE), review) == []
    assert failures(declaring(YEAR, "In {v}`2015 <page.year>`."), review) == [(6, "2015")]
    assert failures(declaring(YEAR, "In 2014."), review) == [(4, "year: 2014"), (6, "2014")]


def test_a_declaration_says_what_it_is(review):
    assert "does not say what it is" in reasons(declaring('year: {text: "2014"}', USE), review)
    assert "in quotes" in reasons(declaring('year: {text: 2014, is: "a year"}', USE), review)
    assert "with a digit" in reasons(declaring('year: {text: "soon", is: "a year"}', USE), review)


def test_an_unused_declaration_fails(review):
    assert failures(declaring(YEAR, "Nothing."), review) == [(4, "year: 2014")]


@pytest.mark.parametrize(
    "text, code, refused",
    [
        ("32", "width = 32", True),
        ("10,000", "top = 10_000", True),
        ("0.10", "answer = 0.1", True),
        ("2014", "width = 32", False),
        ("2014", "x2014 = 12014", False),
        ("GPT-2", "heads = 2", False),
        ("word2vec", "heads = 2", False),
        ("the 2 heads", "heads = 2", True),
    ],
)
def test_a_number_of_the_code_may_not_be_declared(review, text, code, refused):
    page = declaring(f'it: {{text: "{text}", is: "it"}}', f"{{v}}`{text} <page.it>`\n\n```{{code-cell}}\n{code}\n```")
    assert ("occurs in the code cells" in reasons(page, review)) is refused
    assert bool(failures(page, review)) is refused


def test_formulas_and_code_spans_are_declared_whole(review):
    formula = declaring('square: {text: "$n^2$", is: "the square"}', "There are $n^2$ matches, $$n^2$$ and {math}`n^2`.")
    assert failures(formula, review) == []
    assert failures(formula.replace("are $n^2$", "are $n^3$"), review) == [(6, "3")]
    span = declaring("kind: {text: \"`float64`\", is: 'the type'}", "It is `float64`.")
    assert failures(span, review) == []
    assert failures(span.replace("It is `float64`", "It is float64"), review) == [(4, "kind: `float64`"), (6, "64")]


@pytest.mark.parametrize(
    "span, quoted",
    [
        ("axis=-1", True),
        ("x.sum(axis=-1)", True),
        ("axis=-2", False),
        ("heads[0]", False),  # heads[1] stands there too, so the digit proves nothing
        ("-1", False),  # no name: a bare number may be anything
        ("d_k=3", False),  # the code says 32
        ("d_k=32", True),
    ],
)
def test_a_code_span_may_quote_the_code(review, span, quoted):
    page = f"See `{span}`.\n\n```{{code-cell}}\nx.sum(axis=-1)\nheads[0] + heads[1]\nf(d_k=32)\n```\n"
    assert (failures(page, review) == []) is quoted


def test_each_numeral_is_counted_once_with_its_way(review):
    text = declaring(YEAR, USE + " {v}`[2, 8] <nolan.scores>`, √4 = 2, `axis=-1`.\n\n```{code-cell}\nf(axis=-1)\n```")
    report = check_text(text, review)
    assert report.failures == []
    assert report.counted == {"declared": 1, "bound": 2, "computed": 2, "quoted": 1}


def test_front_matter_that_cannot_be_read_is_a_failure(review):
    assert "no YAML" in reasons("---\na: [1\n---\n", review)


# ---- the command


@pytest.fixture
def book(tmp_path, monkeypatch, review):
    """A book of one chapter, 06, and one page beside it."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "book").mkdir()
    chapter = "A match of {v}`8 <nolan.scores[ended]>`.\n\n```{code-cell}\npublish(...)\n```\n"
    (tmp_path / "notebooks" / "06_x.md").write_text(chapter, encoding="utf-8")
    write_notebook(tmp_path, review, read_page(chapter).code)
    (tmp_path / "book" / "home.md").write_text("Chapter six has {v}`[2, 8] <06:nolan.scores>`.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_notebook(folder, published, code):
    cells = [{"cell_type": "code", "outputs": [{"data": {MIME: published.content}}]}]
    notebook = {"cells": cells, "metadata": {"pencil": {"code": code}}}
    (folder / "notebooks" / "06_x.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def test_a_good_book_passes_and_says_its_coverage(book, capsys):
    assert check.main([]) == 0
    said = capsys.readouterr().out
    assert "notebooks/06_x.md: 1 numeral: 1 bound" in said and "book/home.md: 2 numerals: 2 bound" in said


def test_a_failing_numeral_is_printed_with_its_place(book, capsys):
    page = book / "book" / "home.md"
    page.write_text("\nIt is {v}`9 <06:nolan.scores[ended]>`.\n", encoding="utf-8")
    assert check.main(["book/home.md"]) == 1
    assert "book/home.md:2: 9 — nolan.scores[ended] is 8" in capsys.readouterr().out


@pytest.mark.parametrize(
    "reference, said",
    [
        ("nolan.scores[ended]", "name the chapter first, as in <06:nolan.scores[ended]>"),
        ("07:nolan.scores[ended]", "there is no chapter 07"),
    ],
)
def test_a_page_outside_the_chapters_names_the_chapter(book, capsys, reference, said):
    (book / "book" / "home.md").write_text(f"It is {{v}}`8 <{reference}>`.\n", encoding="utf-8")
    assert check.main(["book"]) == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("path", ["notebooks", "book"])
def test_stale_values_are_refused_with_the_remedy(book, capsys, review, path):
    write_notebook(book, review, "other code")
    assert check.main([path]) == 1
    said = capsys.readouterr().out
    assert "was run with other code cells" in said and "make notebooks" in said


def test_a_program_of_another_version_is_refused(book, capsys, review):
    old = json.loads(json.dumps(review.content))
    old["runs"][""]["program"]["steps"][0]["shape"] = [7]
    write_notebook(book, Published(old), read_page((book / "notebooks" / "06_x.md").read_text(encoding="utf-8")).code)
    assert check.main(["notebooks"]) == 1
    assert "cannot replay" in (said := capsys.readouterr().out) and "make notebooks" in said


def test_a_chapter_that_was_never_rendered_is_refused(book, capsys):
    (book / "notebooks" / "06_x.ipynb").unlink()
    assert check.main([]) == 1
    assert "is not there; run `make notebooks`" in capsys.readouterr().out


def test_a_page_that_is_not_there_is_said(book, capsys):
    assert check.main(["book/none.md"]) == 1
    assert "none.md" in capsys.readouterr().out


def test_prose_alone_does_not_make_values_stale(book, capsys):
    page = book / "notebooks" / "06_x.md"
    page.write_text("Other words.\n\n" + page.read_text(encoding="utf-8"), encoding="utf-8")
    assert check.main(["notebooks"]) == 0


def test_publish_nothing_binds_nothing():
    assert "publish" in reasons("{v}`8 <x>`", publish())
