"""The words of a chapter's source: its box, the role {w}, and what is refused."""

import re

import pytest

from pencil.checker.page import read_page
from pencil.checker.rendered import rendered_text
from pencil.publish.render import Failed, build

FRONT = """---
kernelspec: {{name: python3, display_name: Python 3}}
pencil:
  source_words: {words}
---

# A chapter

{text}
"""
WORDS = "{query: WANT, W_Q: WANT grid, weight matrix: grid}"
BOX = ":::{words}\nIts source says WANT.\n:::"


def built(text, words=WORDS, box=BOX):
    return build(FRONT.format(words=words, text=f"{text}\n\n{box}")).cells[-1].source


def test_the_box_has_the_words_side_by_side_behind_its_own_sentence():
    head, _, table = built("Make it.").partition("<details>")
    assert "Its source says WANT." in head and 'class="pencil-box words"' in head
    assert table.split("\n\n")[1].splitlines()[2:] == ["| query | WANT |", "| W_Q | WANT grid |", "| weight matrix | grid |"]


def test_a_word_is_no_mark_of_a_table_nor_of_markdown():
    table = built("Make it.", "{'a|b': '*c*', W_Q: _d_}").partition("<details>")[2]
    assert table.split("\n\n")[1].splitlines()[2:] == [r"| a\|b | \*c\* |", r"| W_Q | \_d\_ |"]


@pytest.mark.parametrize("said", ["query", "Query", "a query", "An weight matrix", "queries", "weight\nmatrices", "W_Q"])
def test_a_marked_word_becomes_a_span(said):
    assert f'Make <span class="pencil-w">{said}</span> now.' in built(f"Make {{w}}`{said}` now.")


def in_a_notebook(text):
    return re.sub("<[^>]+>", "", build(FRONT.format(words=WORDS, text=text)).cells[-1].source)


@pytest.mark.parametrize(
    "text, shown",
    [
        ("A **{w}`query`** asks. {w}`A query` asks.", "A **query** (the source: WANT) asks. A query asks."),
        ("{w}`Queries` and {w}`weight matrices`.", "Queries (the source: WANTs) and weight matrices (the source: grids)."),
        ("The {w}`query`'s row, a [{w}`query`](#a), a {w}`query`.", "The query's row, a [query](#a), a query (the source: WANT)."),
        ("| {w}`query` |\n|---|", "| query (the source: WANT) |\n|---|"),
        ("<details>\n\nIts {w}`query`.\n\n</details>\n\nA {w}`query`.", "Its query.\n\n\n\nA query (the source: WANT)."),
    ],
)
def test_where_no_switch_works_the_first_mention_after_the_box_has_the_word_of_the_source(text, shown):
    said = in_a_notebook(f"Before: {{w}}`query`.\n\n{BOX}\n\n{text}")
    assert said.startswith("# A chapter\n\nBefore: query.\n") and said.endswith(f"\n\n{shown}")


def test_the_check_reads_it_as_plain_text():
    marked, plain = (read_page(f"{{v}}`2 <a>` {said} make 3 {said} + 1.").blocks[0] for said in ("{w}`queries`", "queries"))
    assert rendered_text(marked).text == rendered_text(plain).text


@pytest.mark.parametrize(
    "text, words, why",
    [
        ("Make\n{w}`keys`.", WORDS, "line 10: {w}`keys` — the source has no word for it; source_words has query, W_Q, weight matrix"),
        ("Make {w}`query`.", "{}", "source_words has none"),
        ("Make {w}`query <a>`.", WORDS, "a word {w}`word`"),
        ("## Make {w}`query`", WORDS, "{w} cannot stand in a heading: write the word alone"),
        ("Make it.", "[query]", "it reads FIELD: SOURCE"),
        ("Make it.", "{query: 3}", "it reads FIELD: SOURCE"),
        ("Make it.", "{query: ''}", "it reads FIELD: SOURCE"),
        ("Make {w}`w_q`.", WORDS, "the source has no word for it"),
        (BOX, "{}", "line 9: :::{words} is made from source_words"),
        ("Make {w}`query`.", WORDS, "source_words: write the box :::{words}"),
    ],
)
def test_what_is_refused(text, words, why):
    with pytest.raises(Failed) as refused:
        built(text, words, box="")
    assert why in str(refused.value)
