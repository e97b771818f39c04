"""Pitfalls of Markdown: every digit that the built page shows is counted, or its place is refused."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from docutils.core import publish_doctree
from docutils.nodes import Text, comment, footnote_reference, label, raw
from hypothesis import given
from hypothesis import strategies as st
from judging import failures, reasons
from myst_parser.parsers.docutils_ import Parser

from pencil.checker import markdown, page
from pencil.checker.digits import DIGIT
from pencil.checker.numerals import find_numerals, line_of
from pencil.checker.page import read_page
from pencil.publish import boxes

ROOT = Path(__file__).parents[2]
QUIET = {"report_level": 5, "halt_level": 5, "file_insertion_enabled": True, "raw_enabled": True, "doctitle_xform": False}
SETTINGS = QUIET | {"myst_enable_extensions": sorted(markdown.EXTENSIONS), "myst_suppress_warnings": ["myst"]}


def shown(text):  # str -> str
    """What a reader of the built page sees: MyST's own document, as text."""
    document = publish_doctree(text, parser=Parser(), settings_overrides=SETTINGS)
    for node in list(document.findall(raw)):
        node.replace_self(Text(BeautifulSoup(node.astext(), "html.parser").get_text()))
    for node in list(document.findall(lambda node: isinstance(node, comment | footnote_reference | label))):
        if not isinstance(node, footnote_reference) or node.get("auto"):  # the number of a footnote is Sphinx's, unless it was typed
            node.clear()
    return "\n".join(document.findall(Text))


def counted(text):
    blocks = read_page(text).blocks
    return "¦".join(block.text[start:end] for block in blocks if block.kind != "marker" for start, end in find_numerals(block))


TRAPS = {  # the case: a text, and the digits of it that a reader sees
    "a definition behind a paragraph": ("The model has so many heads:\n[heads]: 99", "99"),
    "a definition": ("The model has [heads].\n\n[heads]: 99", ""),
    "a definition that is broken": ("[heads]: 99 of them", "99"),
    "a definition of two lines": ("[heads]:\n99\n\nMany.", ""),
    "a definition in a quotation": ("> [heads]: 99\n\n[heads] of it", ""),
    "a definition behind a lazy line": ("> The heads\n[heads]: 99", "99"),
    "a definition in a list": ("- a\n\n  [heads]: 99\n- b", ""),
    "a definition behind an item": ("- The heads:\n  [heads]: 99", "99"),
    "a definition in code": ("    [heads]: 99", "99"),
    "a definition in a fence": ("```\n[heads]: 99\n```", "99"),
    "a definition in a box": (":::{note}\nThe heads:\n[heads]: 99\n:::", "99"),
    "a definition in html": ("<div>\n[heads]: 99\n</div>", "99"),
    "a setext heading": ("Heads\n[heads]: 99\n===", "99"),
    "a footnote that nobody defined": ("Heads[^99] of it", "99"),
    "a footnote": ("Heads[^99] of it\n\n[^99]: Seven.", "99"),
    "a footnote with a name": ("Heads[^a99] of it\n\n[^a99]: Seven.", ""),
    "a footnote behind a paragraph": ("Heads[^98]\n[^98]: 99", "9899"),
    "a label that nobody defined": ("The [heads][99] of it", "99"),
    "a label": ("The [heads][99] of it\n\n[99]: a.html", ""),
    "indented code": ("Words.\n\n    x = 99 `98`", "9998"),
    "a lazy line, no code": ("Words\n    and `99`", "99"),
    "a comment": ("Words <!-- 99 --> of it.", ""),
    "a comment of its own": ("<!-- 99\n\n98 -->\n\nWords.", ""),
    "a comment with words behind": ("<!-- 99 --> 98", "98"),
    "a comment in code": ("`<!-- 99 -->`", "99"),
    "a line comment": ("% 99\n\nWords.", ""),
    "a comment that is none": ("\\<!-- 99 -->", "99"),
    "a target": ("(part-99)=\n\n# Words", ""),
    "a target behind a paragraph": ("Words (part-99)=", "99"),
    "a block break": ('Words.\n\n+++ {"cell": 99}\n\nWords.', ""),
    "a rule that is no front matter": ("Words.\n\n---\npart: 99\n---\n", "99"),
    "escaped brackets": (r"\[one\](99)", "99"),
    "an escaped tick": (r"\`99\`", "99"),
    "an escaped dollar": (r"\$99\$", "99"),
    "a bracket in code": ("`[a`](99)", "99"),
    "a target with brackets": ("[a](b(99)c)", ""),
    "a target with a space": ("[a](b 99)", "99"),
    "an autolink": ("<https://a.org/99>", "99"),
    "no autolink": ("<a 99 b>", "99"),
    "nested lists": ("- a\n  1. b 99\n\n     > c 98\n     > - d 97", "999897"),
    "a definition list": ("term 99\n: meaning 98\n\n  more 97", "999897"),
    "a definition list with a definition": ("term\n: Heads:\n  [heads]: 99", "99"),
    "a table": ("| a 99 | b \\| 98 |\n|---|---|\n| `c 97` | 96 |", "99989796"),
    "no table": ("| a 99 |\n| b 98 |", "9998"),
    "text in an html element": ("<p>\n99</p>\n\n98", "9998"),
    "an option of a box without options": (":::{one-breath}\n:name: 99\n:::", "99"),
    "an option behind a line": (":::{note}\nWords.\n:name: 99\n:::", "99"),
    "options between rules": ("```{note}\n---\nname: n-a\n---\n99\n```", "99"),
    "a box without a name": ("::: 98\n99\n:::", "99"),
    "boxes with as many colons": (":::{note}\n:::{tip}\n99\n:::\n98\n:::\n97", "999897"),
    "a span": ("[99]{.a} `98`{.b}", "9998"),
    "a formula over a bracket": ("[a $x_9](b$8)", "98"),
}  # fmt: skip


@pytest.mark.parametrize("text, digits", TRAPS.values(), ids=TRAPS)
def test_what_counts_is_what_the_built_page_shows(text, digits):
    assert "".join(DIGIT.findall(counted(text))) == digits
    if "{one-breath}" not in text:  # which docutils alone does not know
        assert "".join(DIGIT.findall(shown(text))) == digits


@pytest.mark.parametrize("name", ["a definition behind a paragraph", "a definition in a box", "a footnote that nobody defined"])
def test_a_digit_that_is_shown_is_refused(review, name):
    assert [written for _, written in failures(TRAPS[name][0], review)] == ["99"]


@pytest.mark.parametrize(
    "text", ["&#49; head", "&#x31; head", "&frac12; of it", "&minus;4 + 4 = 0", "<div>&#49;</div>", "![&#49;](a.png)", "2&nbsp;%"]
)
def test_an_entity_that_may_be_of_a_number_is_refused(review, text):
    assert "write the sign itself" in reasons(text, review)


@pytest.mark.parametrize("text", ["AT&amp;T", "a &lt; b", "&eacute;", "\\&#x6e;", "`&amp;`"])
def test_an_entity_of_a_word_is_left_alone(review, text):
    assert "write the sign itself" not in reasons(text, review)


@pytest.mark.parametrize("text", ["2*3 = 6*", "2 = 2*3 = 3*", "2 = 2<!-- -->3 = 3"])
def test_a_sum_is_judged_as_it_is_shown(review, text):
    """The signs of emphasis and of a comment are not shown: 23 stands there."""
    assert failures(text, review) != []


PIECES = (
    "8", " 7 ", "\n", "\n\n", "\n    ", "\n> ", "\n- ", "\n1. ", "[a]", "[a]: 6", "\n[a]: 5", "[^b]", "\n[^b]: 4", "`", "$", "*", "_", "**", "](c3)",
    "[", "]",
    "<!--", "-->", "\\", "<b>", "<d9>", "\n===", "\n---", "\n: ", "| ", "\n|---|\n", "\n```\n", "\n:::{note}\n", "\n:::\n", "\n% ", "\n+++ ", "(d)=",
    "{.e}", "word", "# ", "\t", "{math}`f`",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), min_size=2, max_size=14).map("".join))
def test_no_mixture_hides_a_digit_of_the_built_page(text):
    known = DIGIT.findall(counted(text))
    missed = [digit for digit in DIGIT.findall(shown(text)) if digit not in known or known.remove(digit)]
    assert missed == []


@pytest.mark.parametrize("text", ["<!--> 99 -->", "<!---> 99 -->", "a <!--> 99 -->", "<!-- a --!> 99"])
def test_a_comment_ends_where_it_ends_for_a_browser(text):
    assert counted(text) == "99"


def test_the_parser_is_that_of_the_book():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    assert set(config["parse"]["myst_enable_extensions"]) == markdown.EXTENSIONS


def test_the_boxes_without_options_are_known():
    assert set(boxes.BOXES) - {"your-turn"} == page.BARE


def test_the_line_of_a_failure_is_that_of_the_file():
    text = "Words.\n\n> - a\n>\n>   :::{note} b\n>   :class: c\n>\n>   Heads:\n>   [heads]: 99\n>   :::\n\n$$\nx_8\n$$ (l-7)\n\n<div>\n6\n"
    places = [(line_of(block, at), block.text[at:end]) for block in read_page(text).blocks for at, end in find_numerals(block)]
    assert places == [(9, "99"), (13, "8"), (17, "6")]


def test_exercises_and_worksheets_need_no_markdown():
    loaded = (
        "import sys, pencil.publish, pencil.exercises, pencil.widgets, pencil.cli.worksheet; print({'markdown_it', 'myst_parser'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, cwd=ROOT).stdout.strip() == "set()"
