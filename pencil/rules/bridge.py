"""The section on library code at the end of a chapter: its place, its formula, what it may use, and its digits."""

import ast
import builtins
import re

SECTION = re.compile(r"^## What does it look like in (?:PyTorch|NumPy|scikit-learn)\?\n(?P<text>.*?)(?=^## )", re.M | re.S)
CELL = re.compile(r"^```\{code-cell\}(?: ipython3)?\n:tags: \[learn(?:, (?:hide-output|still))*\]\n\n(?P<code>.*?)\n```$", re.M | re.S)
TABLE = re.compile(r"^\| symbol \| this (?:book|chapter says \| the field says) \|\n\|[-|]+\|\n(?P<rows>(?:\|.*\|\n)+)", re.M)
BOUND = re.compile(r"\{v\}`([^`<]*) <(?!page\.)[^`]*>`")
NUMBER = re.compile(r"-?\d[\d,]*\.?\d*")
LIBRARIES = ("torch", "numpy", "sklearn")
TITLE = "## What does it look like in PyTorch?"


def bridge(chapter):
    """It stands before the one breath, with code to learn, a formula, and a table of its symbols."""
    found = list(SECTION.finditer(chapter.text))
    if len(found) != 1:
        line = chapter.line_of(found[1].start()) if found else chapter.end
        yield chapter.at(line, f"a chapter has one section {TITLE} (or NumPy, or scikit-learn), and a section behind it; there are {len(found)}")
        return
    section, line = found[0], chapter.line_of(found[0].start())
    breath = chapter.boxes("one-breath")
    if breath and breath[0].line < line:
        yield chapter.at(line, "the library's code comes before the one breath")
    if not CELL.search(section["text"]):
        yield chapter.at(line, "show the sums in a cell with the tag learn")
    if section["text"].count("$$") < 2:
        yield chapter.at(line, "write the formula in the field's symbols, between $$ and $$")
    tables = list(TABLE.finditer(section["text"]))
    if not tables or any(len(table["rows"].splitlines()) < 2 for table in tables):
        yield chapter.at(line, "say each symbol of the formula in a table | symbol | this book |, of two rows at least")


def own_code(chapter):
    """Its cells use the library alone, and of the book the given numbers of pencil.examples."""
    for line, cell in _cells(chapter):
        try:
            ast.parse(cell)
        except SyntaxError as wrong:
            yield chapter.at(line + (wrong.lineno or 1) - 1, f"this is no Python: {wrong.msg}")
            return
    cells = _cells(chapter)
    if not cells:
        return
    trees = [(line, ast.parse(cell)) for line, cell in cells]
    modules = [(line + node.lineno - 1, module) for line, tree in trees for node in ast.walk(tree) for module in _modules(node)]
    for line, module in modules:
        if module.partition(".")[0] not in LIBRARIES:
            yield chapter.at(line, f"this section shows the library alone: {module} is none of {', '.join(LIBRARIES)}")
    if not modules:
        yield chapter.at(cells[0][0], f"import the library in this section: {', '.join(LIBRARIES)}")
    known = {name for _, tree in trees for node in ast.walk(tree) for name in _given(node)} | set(dir(builtins)) | _examples(chapter.text)
    strange = {node.id: line + node.lineno - 1 for line, tree in reversed(trees) for node in ast.walk(tree) if _reads(node) and node.id not in known}
    for name, line in strange.items():
        yield chapter.at(line, f"{name} is made elsewhere: this section takes nothing of the chapter but the given numbers of pencil.examples")


def same_digits(chapter):
    """What its prose quotes of the chapter, its cells print."""
    for section in SECTION.finditer(chapter.text):
        begin = section.start("text")
        codes = {cell["code"] for cell in CELL.finditer(section["text"])}
        printed = numbers("\n".join("".join(out.get("text", "")) for cell in chapter.cells if cell.code.strip("\n") in codes for out in cell.outputs))
        prose = CELL.sub(lambda cell: re.sub(r"[^\n]", " ", cell[0]), section["text"])
        quoted = list(BOUND.finditer(prose))
        if not quoted:
            yield chapter.at(chapter.line_of(section.start()), "quote a number of the chapter here, bound, that the library prints as well")
        for number in quoted:
            if not numbers(number[1]) <= printed:
                yield chapter.at(chapter.line_of(begin + number.start()), f"{number[1]} is not what the section's cells print")


def numbers(text):  # -> set of float
    """The numbers in a text."""
    return {float(found.replace(",", "")) for found in NUMBER.findall(text.replace("\N{MINUS SIGN}", "-"))}


def _cells(chapter):  # -> [(line of its first line, code)]
    found = [(section.start("text"), cell) for section in SECTION.finditer(chapter.text) for cell in CELL.finditer(section["text"])]
    return [(chapter.line_of(begin + cell.start("code")), cell["code"]) for begin, cell in found]


def _modules(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) else []


def _given(node):  # the names that a statement gives
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.arg):
        return [node.arg]
    return [node.name] if isinstance(node, ast.FunctionDef) else []


def _reads(node):
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)


def _examples(text):  # the names that a chapter takes from pencil.examples
    listed = re.findall(r"^from pencil\.examples import (\([^)]*\)|.+)$", text, re.M)
    return {name for names in listed for name in re.findall(r"\w+", names)}
