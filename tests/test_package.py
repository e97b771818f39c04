"""Rules of the package: import directions, where digits are formatted, length of files."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import pencil
import pencil.reference

PACKAGE = Path(pencil.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
TREES = {path.relative_to(PACKAGE.parent).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


# ---- who imports whom


def test_imports_point_one_way(capfd):
    """The contracts stand in pyproject.toml."""
    linted = subprocess.run([Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=PACKAGE.parent)
    assert linted.returncode == 0, capfd.readouterr().out


def test_no_test_imports_a_test():
    """What several of them need stands in a module of its own."""
    found = re.compile(r"^ *(?:from|import) test_\w+", re.M)
    assert [path.name for path in Path(__file__).parent.rglob("*.py") if found.search(path.read_text(encoding="utf-8"))] == []


HEAVY = {"torch", "ipywidgets", "anywidget", "matplotlib", "IPython", "keras", "sklearn", "scipy", "pandas", "nbformat"}
LOADS_NOTHING_OF = {
    "pencil": HEAVY | {"numpy"},
    "pencil.params": HEAVY | {"numpy"},
    "pencil.note": HEAVY | {"numpy"},
    "pencil.reference": HEAVY | {"pencil.trace", "pencil.worked", "pencil.rounding"},  # the note that does nothing is enough
    "pencil.trace": HEAVY,
    "pencil.worked": HEAVY,
    "pencil.examples": HEAVY,
    "pencil.widgets": HEAVY | {"pencil.checker", "pencil.exercises", "pencil.publish", "yaml"},
}


@pytest.mark.parametrize("module", LOADS_NOTHING_OF)
def test_an_import_loads_no_more_than_it_needs(module):
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent).stdout.split()
    assert module in loaded
    assert not [name for name in loaded if any(f"{name}.".startswith(f"{unwanted}.") for unwanted in LOADS_NOTHING_OF[module])]


MAY_LOOK = {  # by name, for the traced array would be refused where it stands
    "pencil/reference/contracts.py",  # checks shapes, ids and dtypes
    "pencil/reference/generation.py",  # asks for the dtype of a running sum
    "pencil/reference/text.py",  # leaves traced ids alone
}


def test_the_reference_does_not_look_behind_a_traced_value():
    """`.exact` and `.paper` are for the trace and what is built on it."""
    looking = {
        name
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if name.startswith("pencil/reference/") and {getattr(node, "attr", None), getattr(node, "value", None)} & {"exact", "paper"}
    }
    assert looking <= MAY_LOOK


# ---- what is named is there

UNLISTED = {"pencil/cli", "pencil/exercises"}  # the tasks of the one stand in __main__; the other has no table of contents
LISTED = {name.removesuffix("/__init__.py") for name in TREES if name.endswith("/__init__.py")} - UNLISTED
NAMED = re.compile(r"(?<![\w./-])pencil/(?:[\w-]+/)*(?:[\w-]+\.[a-z]+\b|(?<=/)(?!\w|\.\w))")
MADE_UP = {"pencil/experiments/loop.py", "pencil/experiments/recorded/toy.json", "pencil/experiments/recorded/NAME.json"}  # by tests; any record


@pytest.mark.parametrize("package", sorted(LISTED))
def test_a_package_names_every_module_that_it_has(package):
    folder = PACKAGE.parent / package
    words = set(re.findall(r"\w+", (folder / "__init__.py").read_text(encoding="utf-8")))
    modules = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    assert modules - {"__init__"} <= words


@pytest.mark.parametrize("package", sorted(name.removesuffix("/__init__.py") for name in TREES if name.endswith("/__init__.py")))
def test_no_module_is_named_as_what_its_package_exports(package):
    """`from pencil.x import y` gives the module y, or there is no such module."""
    shown, modules = import_module(package.replace("/", ".")), [path.stem for path in (PACKAGE.parent / package).glob("[!_]*.py")]
    assert not [name for name in modules if not inspect.ismodule(getattr(shown, name, inspect))]


def test_every_path_into_the_package_that_is_named_leads_somewhere():
    """In prose, comments, docstrings and code."""
    root = PACKAGE.parent
    texts = [root / "README.md", root / "CONTRIBUTING.md", *FILES, *root.glob("book/*.md"), *root.glob("notebooks/*.md")]
    texts += [path for path in PACKAGE.rglob("*.js") if "dist" not in path.parts]
    texts += [path for end in ("py", "mjs") for path in (root / "tests").rglob(f"*.{end}")]
    named = {(path.relative_to(root).as_posix(), said) for path in texts for said in NAMED.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 30
    assert not {(where, said) for where, said in named if said not in MADE_UP and not (root / said).exists()}


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
            own = name == "quantize" and isinstance(node.func, ast.Name)  # a function of ours; Decimal's and Pillow's are methods
            if name in MAKERS and not colours and not own:
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
        ("quantize(weights)", False),
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


def test_no_number_is_rounded_or_printed_outside_rounding():
    rules = {
        "pencil/rounding.py",
        "pencil/formats.py",
        *(f"pencil/{part}/quantization.py" for part in ("reference", "model")),
    }  # of pencils, machines, whole numbers
    made = [f"{name}:{node.lineno}: {code}" for name, tree in TREES.items() for node, code in made_digits(tree) if name not in rules]
    assert not made, "these belong into pencil/rounding.py"


# ---- what a reader opens

NAMES = {name: getattr(pencil.reference, name) for name in pencil.reference.__all__}
FUNCTIONS = {name: thing for name, thing in NAMES.items() if inspect.isfunction(thing)}
CLASSES = {name: thing for name, thing in NAMES.items() if inspect.isclass(thing)}


def test_every_public_function_of_the_reference_says_its_shapes_and_its_contract():
    assert len(FUNCTIONS) > 50
    for name, function in FUNCTIONS.items():
        assert function.__doc__ and function.__doc__[0].isupper() and "." in function.__doc__, f"{name} has no sentence"
        head = inspect.getsource(function).partition('"""')[0]  # the decorator with its contract, and the def line
        assert "->" in head, f"{name} has no shapes above its docstring"


def test_every_public_class_of_the_reference_has_a_docstring_of_its_own():
    assert len(CLASSES) > 10
    for name, made in CLASSES.items():
        assert made.__doc__ and not made.__doc__.startswith(f"{name}("), name  # a dataclass without one gets its signature


def test_every_function_of_the_reference_that_makes_a_number_takes_a_note():
    silent = {  # text, ids, masks, half a named value
        "build_vocabulary", "pad_or_truncate", "tokenize", "words_and_punctuation", "one_hot", "bag_of_words", "train_bpe", "pre_tokenize",
        "pair_counts", "cooccurrence", "truncated_svd", "most_similar", "count_ngrams", "next_token_probs", "greedy",
        "padding_mask", "key_mask", "causal_mask", "tiles", "linear", "relu", "gelu", "gelu_erf", "silu", "kv_bytes", "page_slots", "ring_slots",
        "write_slots", "ngram_probs", "speculate", "in_groups", "previous_token_mask", "first_token_mask", "same_token_mask", "induction_mask",
        "gate_heads", "without_head", "sink_mask", "top_k_mask", "compressed_mask",
    }  # fmt: skip
    for name, function in FUNCTIONS.items():
        assert ("note" in inspect.signature(function).parameters) == (name not in silent), name


def test_files_and_functions_are_short_enough_to_read():
    files = {name: len((PACKAGE.parent / name).read_text(encoding="utf-8").splitlines()) for name in TREES}
    assert not {name: lines for name, lines in files.items() if lines > 300}
    functions = {
        f"{name}: {node.name}": node.end_lineno - node.lineno + 1
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert not {name: lines for name, lines in functions.items() if lines > 40}


def test_the_examples_in_the_docstrings_come_out():
    import doctest

    import pencil.rounding

    tried = doctest.testmod(pencil.rounding)
    assert tried.attempted >= 2 and tried.failed == 0
