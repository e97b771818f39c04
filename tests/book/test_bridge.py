"""The section on library code at the end of each chapter: its digits are the page's, and its formula uses the field's symbols."""

import ast
import builtins
import json
import re

import pytest

from pencil.cli.chapter import SKELETON
from pencil.paths import ROOT, chapter_sources

CHAPTERS = chapter_sources(ROOT / "notebooks")
SECTION = re.compile(r"^## What does it look like in (?:PyTorch|NumPy|scikit-learn)\?\n(.*?)(?=^## )", re.M | re.S)
CELL = re.compile(r"^```\{code-cell\}(?: ipython3)?\n:tags: \[learn(?:, (?:hide-output|still))*\]\n\n(.*?)\n```$", re.M | re.S)
TABLE = re.compile(r"^\| symbol \| this chapter says \| the field says \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", re.M)
BOUND = re.compile(r"\{v\}`([^`<]*) <(?!page\.)[^`]*>`")
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*")
LIBRARIES = {"torch", "numpy", "sklearn"}


def bridge(source):
    """The one section of a chapter that holds its bridge, and the cells in it."""
    (section,) = SECTION.findall(source.read_text(encoding="utf-8"))
    return section, CELL.findall(section)


def imported(tree):  # -> (the modules, the names that they are given)
    asked = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {alias.name for node in asked if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module for node in asked if isinstance(node, ast.ImportFrom)}
    return modules, {(alias.asname or alias.name).split(".")[0] for node in asked for alias in node.names}


def given_numbers(text):
    """The names that a chapter takes from pencil.examples."""
    listed = re.findall(r"^from pencil\.examples import (\([^)]*\)|.+)$", text, re.M)
    return {name for names in listed for name in re.findall(r"\w+", names)}


def numbers(text):
    return {float(found.replace(",", "")) for found in NUMBER.findall(text.replace("\N{MINUS SIGN}", "-"))}


@pytest.mark.parametrize("source", [*CHAPTERS, SKELETON], ids=lambda path: path.stem)
def test_the_bridge_comes_behind_the_path_with_its_code_and_its_formula(source):
    section, cells = bridge(source)
    text = source.read_text(encoding="utf-8")
    assert text.index(section) < text.index("{one-breath}")
    assert cells, "show the sums in a cell with the tag learn"
    assert section.count("$$") >= 2, "write the formula"
    tables = TABLE.findall(section)
    assert tables and all(len(rows.splitlines()) >= 2 for rows in tables), "say each symbol of the formula in a table"


@pytest.mark.parametrize("source", [*CHAPTERS, SKELETON], ids=lambda path: path.stem)
def test_the_bridge_takes_nothing_of_the_book_but_its_given_numbers(source):
    _, cells = bridge(source)
    tree = ast.parse("\n".join(cells))
    modules, known = imported(tree)
    assert modules and {module.split(".")[0] for module in modules} <= LIBRARIES
    known |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    known |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    known |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - known - set(dir(builtins))
    assert used <= given_numbers(source.read_text(encoding="utf-8")), "the rest is not of pencil.examples"


@pytest.mark.parametrize("source", CHAPTERS, ids=lambda path: path.stem)
def test_the_bridge_prints_the_digits_that_the_page_worked(source):
    section, cells = bridge(source)
    notebook = json.loads(source.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    printed = "\n".join("".join(out.get("text", "")) for cell in notebook if "".join(cell["source"]) in cells for out in cell["outputs"])
    quoted = BOUND.findall(CELL.sub("", section))
    assert quoted, "quote a number of the chapter, and bind it"
    for text in quoted:
        assert numbers(text) <= numbers(printed), f"{text} is not what the cell prints"
