"""The package keeps its own rules: who may import whom, where digits are made, how long a file may be."""

import ast
import inspect
import json
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import pencil
import pencil.reference

PACKAGE = Path(pencil.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
TREES = {path.relative_to(PACKAGE.parent).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
STANDARD = set(sys.stdlib_module_names)

# one direction: rounding → trace → worked; the reference needs the note alone. Folder or file: what it may import
ALLOWED = {
    "pencil/__init__.py": set(),
    "pencil/rounding.py": {"numpy"},
    "pencil/bundles.py": set(),
    "pencil/trace/": {"numpy", "pencil.bundles", "pencil.rounding", "pencil.trace"},
    "pencil/worked/": {"numpy", "pencil.rounding", "pencil.trace", "pencil.worked"},
    "pencil/pictures.py": {"numpy", "pencil.rounding", "pencil.trace", "pencil.worked"},
    "pencil/reference/": {"numpy", "pencil.trace.notes", "pencil.reference"},
    "pencil/examples.py": {"numpy", "pencil.reference"},
    "pencil/model/": {"torch", "numpy", "pencil.rounding", "pencil.bundles", "pencil.trace", "pencil.reference", "pencil.model"},
}
# folders that also take libraries of their own: which parts of the package they may import besides themselves
PARTS = {
    "clone": set(),
    "diagrams": set(),
    "data": {"clone", "reference"},
    "prose": {"rounding", "trace", "worked"},
    "kata": {"bundles", "clone", "examples", "prose", "reference", "rounding", "trace", "worked"},
    "labs": {"bundles", "clone", "data", "examples", "kata", "model", "reference", "rounding", "trace"},
    "widgets": {"bundles", "data", "examples", "labs", "pictures", "reference", "trace", "worked"},
    "tasks": {"clone", "data", "kata", "labs", "prose", "rounding"},
}


def imports(tree):
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            yield from (node.module if node.module not in ("pencil",) else f"pencil.{alias.name}" for alias in node.names)


def within(module, allowed):
    return any(module == a or module.startswith(f"{a}.") for a in allowed)


@pytest.mark.parametrize("where", ALLOWED)
def test_imports_point_one_way(where):
    files = {name: tree for name, tree in TREES.items() if name == where or (where.endswith("/") and name.startswith(where))}
    assert files, f"{where} is gone"
    for name, tree in files.items():
        outside = {m for m in imports(tree) if m.split(".")[0] not in STANDARD and not within(m, ALLOWED[where])}
        assert not outside, f"{name} imports {outside}"


@pytest.mark.parametrize("part", PARTS)
def test_parts_point_one_way(part):
    files = {name: tree for name, tree in TREES.items() if name.split("/")[1].removesuffix(".py") == part}
    assert files, f"{part} is gone"
    for name, tree in files.items():
        taken = {module.split(".")[1] for module in imports(tree) if module.startswith("pencil.")}
        assert taken <= PARTS[part] | {part}, f"{name} imports {taken - PARTS[part] - {part}}"


def test_every_part_has_its_rule():
    ruled = {where.split("/")[1].removesuffix(".py") for where in ALLOWED} | set(PARTS)
    assert {name.split("/")[1].removesuffix(".py") for name in TREES} - ruled == {"__main__"}


def test_no_part_leads_back_to_itself():
    parts = {where.split("/")[1].removesuffix(".py"): {m.split(".")[1] for m in may if m.startswith("pencil.")} for where, may in ALLOWED.items()}
    TopologicalSorter({part: may - {part} for part, may in (parts | PARTS).items()}).prepare()  # raises CycleError


def test_the_reference_takes_the_note_and_nothing_else_from_the_trace():
    """`pencil.trace.notes` is a file of two functions; importing the package around it is all right, using it is not."""
    for name, tree in TREES.items():
        if name.startswith("pencil/reference/"):
            from_trace = {m for m in imports(tree) if m.startswith("pencil.trace")}
            assert from_trace <= {"pencil.trace.notes"}, name


def test_nothing_imports_the_widgets():
    for name, tree in TREES.items():
        if not name.startswith("pencil/widgets/"):
            assert not {m for m in imports(tree) if m.startswith("pencil.widgets")}, name


def test_only_checks_look_behind_a_traced_value():
    """`.exact` and `.paper` are for the trace and its readers; in the reference `checks.numbers` alone may peep."""
    for name, tree in TREES.items():
        if name.startswith("pencil/reference/") and name != "pencil/reference/checks.py":
            peeps = [n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr in ("exact", "paper")]
            assert not peeps, name


@pytest.mark.parametrize("module", ["pencil", "pencil.bundles", "pencil.reference", "pencil.trace", "pencil.worked", "pencil.examples"])
def test_importing_the_core_brings_in_nothing_heavy(module):
    code = f"import sys, json, {module}; print(json.dumps(sorted({{m.split('.')[0] for m in sys.modules}})))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    loaded = set(json.loads(out.stdout))
    assert not loaded & {"torch", "ipywidgets", "anywidget", "matplotlib", "IPython", "keras", "sklearn", "pandas", "nbformat"}
    if module in ("pencil", "pencil.bundles"):
        assert "numpy" not in loaded


# ---- digits are made in one place

MAKERS = {
    "round", "around", "rint", "round_", "quantize", "format_float_positional", "format_float_scientific", "array2string",
    "array_repr", "set_printoptions", "printoptions", "to_integral_value",
}  # fmt: skip
NUMBER_FORMAT = re.compile(r"[<>=^]?[-+ ]?#?0?\d*[_,]?(\.\d+)?[eEfFgGn%]|.*\.\d+$")
OLD_FORMAT = re.compile(r"%[-+ #0]*\d*(\.\d+)?[eEfFgG]|\{[^{}]*:[^{}]*[eEfFgG%]\}")


def made_digits(tree):
    """The expressions that round a number or give it a format of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            colours = name == "quantize" and any(keyword.arg == "dither" for keyword in node.keywords)  # Pillow's: an image with fewer inks
            if name in MAKERS and not colours:
                yield node, ast.unparse(node)
            if name == "format" and isinstance(node.func, ast.Name):
                yield node, ast.unparse(node.args[0])
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            spec = "".join(part.value if isinstance(part, ast.Constant) else "0" for part in node.format_spec.values)
            if NUMBER_FORMAT.fullmatch(spec):
                yield node, ast.unparse(node.value)
        percent = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and node.left
        method = isinstance(node, ast.Attribute) and node.attr == "format" and node.value
        text = percent or method  # "%.3f" % x and "{:.3f}".format(x)
        if isinstance(text, ast.Constant) and OLD_FORMAT.search(str(text.value)):
            yield node, ast.unparse(node)


@pytest.mark.parametrize(
    "code, found",
    [
        ("round(x, 3)", True),
        ("np.round(x)", True),
        ("x.round(2)", True),
        ("d.quantize(q)", True),
        ("image.quantize(256, dither=0)", False),
        ("f'{x:.3f}'", True),
        ("f'{x:g}'", True),
        ("f'{x:.{places}f}'", True),
        ("f'{share:.1%}'", True),
        ("f'{x:.3}'", True),
        ("format(x, '.3f')", True),
        ("'%.2f' % x", True),
        ("'{:.3f}'.format(x)", True),
        ("np.set_printoptions(precision=3)", True),
        ("f'{name:<14}'", False),
        ("f'{count:02d}'", False),
        ("f'{name!r}'", False),
        ("'100 %' % ()", False),
        ("show(x)", False),
    ],
)
def test_the_search_for_made_digits_finds_them(code, found):
    assert bool(list(made_digits(ast.parse(code)))) is found


@pytest.mark.parametrize("name", [n for n in TREES if n != "pencil/rounding.py"])
def test_no_number_is_rounded_or_printed_outside_rounding(name):
    for node, expression in made_digits(TREES[name]):
        raise AssertionError(f"{name}:{node.lineno}: {expression} belongs into pencil/rounding.py")


# ---- what a reader opens


def public_functions():
    for name in pencil.reference.__all__:
        thing = getattr(pencil.reference, name)
        if inspect.isfunction(thing):
            yield name, thing


@pytest.mark.parametrize("name, function", list(public_functions()))
def test_every_public_function_of_the_reference_says_its_shapes_and_its_contract(name, function):
    assert function.__doc__ and function.__doc__[0].isupper() and "." in function.__doc__
    first_line = inspect.getsource(function).splitlines()[0]
    assert re.search(r"# .*->", first_line), f"{name} has no shapes on its def line"


@pytest.mark.parametrize("name", pencil.reference.__all__)
def test_every_public_class_of_the_reference_has_a_docstring(name):
    thing = getattr(pencil.reference, name)
    assert not inspect.isclass(thing) or (thing.__doc__ and not thing.__doc__.startswith(f"{name}("))


def test_every_function_of_the_reference_that_makes_a_number_takes_a_note():
    silent = {
        "dictionary",
        "pad_or_chop",
        "padding_mask",
        "key_mask",
        "causal_mask",
        "dense",
        "linear",
        "relu",
        "gelu",
        "gelu_erf",
        "tokens",
        "words_and_marks",
        "one_hot",
        "count_vectors",
        "byte_pairs",
        "chunks",
        "pair_counts",
        "cooccurrence",
        "squeeze",
        "nearest",
        "ngrams",
        "follow_chances",
        "greedy",
    }  # text, ids, masks, half a named value
    for name, function in public_functions():
        assert ("note" in inspect.signature(function).parameters) == (name not in silent), name


@pytest.mark.parametrize("name", TREES)
def test_every_file_says_what_it_is_for(name):
    assert ast.get_docstring(TREES[name]), f"{name} has no docstring"


@pytest.mark.parametrize("name", TREES)
def test_files_and_functions_are_short_enough_to_read(name):
    assert len((PACKAGE.parent / name).read_text(encoding="utf-8").splitlines()) <= 300
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 40, f"{name}: {node.name} has {node.end_lineno - node.lineno + 1} lines"


def test_the_examples_in_the_docstrings_come_out():
    import doctest

    import pencil.rounding

    tried = doctest.testmod(pencil.rounding)
    assert tried.attempted >= 2 and tried.failed == 0
