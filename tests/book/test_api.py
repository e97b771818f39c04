"""The API pages: every public name with its shapes and the first sentence of its docstring."""

import inspect
import sys

import pytest
from bs4 import BeautifulSoup

import pencil.model
import pencil.reference
import pencil.trace
import pencil.worked
from pencil.paths import ROOT
from pencil.reference import attention

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from pencil_book.api import list_of_args


@pytest.fixture(scope="module")
def page(built):
    return BeautifulSoup((built / "book/api.html").read_text(encoding="utf-8"), "html.parser")


@pytest.mark.parametrize("package", [pencil.reference, pencil.trace, pencil.worked, pencil.model], ids=lambda package: package.__name__)
def test_every_public_function_and_class_stands_there(page, package):
    listed = {term.text.partition("(")[0].rstrip("#").strip() for term in page.select("dt")}
    public = {name for name in package.__all__ if inspect.isclass(thing := getattr(package, name)) or inspect.isfunction(thing)}
    assert public and public <= listed


def test_a_function_says_its_call_its_shapes_and_its_sentence(page):
    term = next(term for term in page.select("dt") if term.text.startswith("attention(query"))
    assert "mask=None" in term.text and "<" not in term.text
    said = term.find_next_sibling("dd").text
    assert said.split("\n")[0].strip() == attention.shapes == "... T d_k, ... S d_k, ... S d_v -> ... T d_v"
    assert inspect.getdoc(attention).split("\n")[0] in said


def test_the_parameters_of_a_docstring_stand_in_a_list_one_item_each():
    said = list_of_args("What it does.\n\nArgs:\n    x: (T, d) rows,\n        one a word.\n    note: a function.\n\nRaises: never.")
    assert said == "What it does.\n\n**Parameters**\n\n- `x`: (T, d) rows,\n  one a word.\n- `note`: a function.\n\nRaises: never."
    assert list_of_args("One sentence.") == "One sentence."


def test_no_parameters_run_into_a_paragraph(page):
    said = next(term for term in page.select("dt") if term.text.startswith("verify(")).find_next_sibling("dd")
    assert [item.code.text for item in said.select("li")] == ["trace", "model", "tolerance", "compiled", "inputs"]
    assert not [paragraph for paragraph in page.select("dd p") if "Args:" in paragraph.text]
