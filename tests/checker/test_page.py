"""Splitting a page into front matter, code cells and blocks."""

import pytest
from judging import reasons

from pencil.checker.page import read_page


def test_the_code_hash_follows_the_code_and_nothing_else():
    page = "A.\n\n```{code-cell}\nx = 1\n```\n"
    assert read_page(page).code == read_page("---\na: 2\n---\nB 3.\n\n" + page).code
    assert read_page(page).code != read_page(page.replace("x = 1", "x = 2")).code
    assert read_page(page).cells == ["x = 1"]


def test_a_line_that_begins_with_inline_code_opens_no_fence():
    assert [b.kind for b in read_page("```a``` here\n\nand 2\n").blocks] == ["prose", "prose"]


@pytest.mark.parametrize("text, number", [("1. one", "1"), ("> 12) one", "12")])
def test_the_number_of_an_item_is_a_block_of_its_own(text, number):
    marker, words = read_page(text).blocks
    assert (marker.kind, marker.text, words.text) == ("marker", number, "one")


def test_front_matter_that_is_no_yaml_is_said():
    with pytest.raises(ValueError, match="the front matter is no YAML"):
        read_page("---\na: [1\n---\n")


def test_front_matter_that_cannot_be_read_is_a_failure(review):
    assert "no YAML" in reasons("---\na: [1\n---\n", review)


@pytest.mark.parametrize(
    "front, said",
    [
        ("- a\n- b", r"the front matter is \['a', 'b'\]; it reads NAME: value"),
        ("pencil: 5", "pencil is 5; it reads NAME: value"),
        ("pencil: {declared: [a]}", r"declared is \['a'\]; it reads NAME: value"),
        ('pencil:\n  declared:\n    a: {text: "1"}\n    a: {text: "2"}', "gives 'a' twice; give each of them its own name"),
    ],
)
def test_front_matter_of_another_layout_is_said(front, said):
    with pytest.raises(ValueError, match=said):
        read_page(f"---\n{front}\n---\n")
