"""Literal numbers in what a code cell shows, which no code has computed.

The outputs of code are verified by `pytest --nbval`, which runs it again, but `print("share", 0.777)` would pass. So what a cell
prints, draws or displays may not contain a literal number that the code does not use for anything else. This includes all string
literals, since many functions show text: tick labels, names of bars, legends.
"""

import ast
import builtins
import re
from unicodedata import numeric

from pencil.checker.digits import LOWERED, NUMERAL, RAISED
from pencil.checker.words import COUNTED, NUMBER_WORD, in_letters, value_of

UNSEEN = {"remove-cell", "remove-output"}  # tags of a cell whose output no page shows
SHOWS = {
    "print", "display", "HTML", "Markdown", "Latex", "Math", "SVG", "write", "title", "suptitle", "set_title", "text", "figtext",
    "annotate", "xlabel", "ylabel", "set_xlabel", "set_ylabel", "legend", "bar_label", "table", "pprint", "pp", "warn", "warning", "info", "error",
    "set_xticklabels", "set_yticklabels", "set_ticklabels",
}  # fmt: skip
WORDS_OF = ("label", "title", "suptitle", "xlabel", "ylabel", "labels", "cellText")  # keyword arguments that are shown, of any function
WORDS_AT = {"text": slice(2, 3), "figtext": slice(2, 3), "annotate": slice(0, 1)}  # positional arguments that are shown
PLAIN = {  # functions whose result shows their arguments
    *dir(builtins), "show", "format", "join", "array", "asarray", "float64", "float32", "float16", "int64", "Decimal", "Fraction",
    "DataFrame", "Series", "tensor", "full", "linspace", "item", "tolist", "copy", "astype",
}  # fmt: skip
COUNTING = {"sum", "len", "pow", "divmod"}  # functions that compute
_MAGIC = re.compile(r"^([ \t]*)(?:%|(?P<shell>!)).*$", re.M)
TYPED = "is typed into what the cell shows: print what the code works out"
_ALONE = re.compile(  # decimals, whatever letters they touch: 0.777x
    rf"(?<![\d.^{{])(?>\d+\.\d+)(?![.}}])|(?<![\w.^{{])(?:\.\d+|\d+e\d+|{NUMERAL.pattern})(?![\w}}])"
)


def typed(cells):  # list of (line, tags, source) -> list of (line, what is written, reason)
    """The literal numbers in the shown outputs of a page's cells."""
    trees, found = [], []
    for line, tags, source in cells:
        try:
            trees.append((line, tags, _tree(source)))
        except SyntaxError as wrong:
            shown = source.splitlines()[min(wrong.lineno or 1, source.count("\n") + 1) - 1].strip()
            found.append((line + (wrong.lineno or 1) - 1, shown, f"cannot be read as Python, so nobody judges what the cell shows: {wrong.msg}"))
        for spoken in _MAGIC.finditer(source):
            if spoken["shell"] and not UNSEEN & set(tags):
                found += [(line + source.count("\n", 0, spoken.start()), shown[0], TYPED) for shown in _ALONE.finditer(spoken[0])]
    page = _Page([tree for _, _, tree in trees])
    for line, tags, tree in trees:
        if UNSEEN & set(tags):
            continue
        shown = (part for node in _shown(tree) for part in _said(node))
        for part in {id(part): part for part in (*shown, *_texts(tree))}.values():  # without duplicates
            at = line + part.lineno - 1
            found += [(at, shown, TYPED) for shown in page.typed(part)]
        for text in _texts(tree):
            found += [(line + text.lineno - 1, shown, TYPED) for _, shown, _ in in_letters(text.value)]
    return found


def _tree(source):
    """Parse a cell; if that fails, parse it without its Jupyter magics (a line that starts with % may also continue an expression)."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse(_MAGIC.sub(r"\1pass", source))


def _shown(tree):
    """The expressions whose values a cell shows: arguments of printing and drawing functions or aliases of them, and its last line."""
    others = (node for node in ast.walk(tree) if isinstance(node, ast.Assign) and _name(node.value) in SHOWS)
    shows = SHOWS | {target.id for node in others for target in node.targets if isinstance(target, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if (name := _name(node.func)) in shows:
                yield from node.args[WORDS_AT.get(name, slice(None))]
                yield from (keyword.value for keyword in node.keywords if keyword.arg in ("end", "sep", "s"))
            yield from (keyword.value for keyword in node.keywords if keyword.arg in WORDS_OF)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr) and (not isinstance(last.value, ast.Call) or _is_plain(last.value) or _calls_a_name(last.value)):
        yield last.value


def _texts(tree):
    """All string literals of a cell, except for format specifications, indices, and strings that a loop iterates over."""
    nodes = list(ast.walk(tree))
    forms = [node.format_spec for node in nodes if isinstance(node, ast.FormattedValue) and node.format_spec]
    forms += [node.slice for node in nodes if isinstance(node, ast.Subscript)]
    forms += [node.iter for node in nodes if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Constant)]
    unseen = {id(part) for form in forms for part in ast.walk(form)}
    return (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unseen)


def _name(function):
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""


def _is_number(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex) and not isinstance(node.value, bool)


def _numerals(text):  # -> (numeral, value) of digits in any script and of number words
    for found in _ALONE.finditer(text):
        if found[0] not in RAISED + LOWERED:  # they are part of a name
            yield found[0], numeric(found[0], None) if not found[0][-1].isdecimal() else float(found[0].replace(",", ""))
    yield from ((found[0], value_of(found[0])) for found in NUMBER_WORD.finditer(text) if value_of(found[0]) > COUNTED)


def _is_plain(call):
    return _name(call.func) in PLAIN


def _calls_a_name(call):
    return isinstance(call.func, ast.Name) and not call.args


class _Page:
    """All cells of a page: which names are only shown, and which are used."""

    def __init__(self, trees):
        self.shown = {id(part) for tree in trees for node in _shown(tree) for part in _said(node)}
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self.given = self._given(nodes)
        self.numbers = {node.value for node in nodes if _is_number(node) and id(node) not in self.shown and id(node) not in self.given}

    def _given(self, nodes):
        """Of each name that is only ever shown, what is given to it: typed as if it stood in the print itself."""
        loads = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
        bindings, passed_on = [pair for node in nodes for pair in _bindings(node)], set()
        while True:  # a name that is only given to such a name is shown as well
            used = {node.id for node in loads if id(node) not in self.shown | passed_on}
            given = {id(part) for name, value in bindings if name not in used for part in _said(value)}
            if given <= passed_on:
                break
            passed_on |= given
        self.values = {}
        for name, value in bindings:
            if name not in used:
                self.values.setdefault(name, []).append(value)
        return given

    def typed(self, node, known=()):
        """The literal numerals of a shown expression."""
        for part in _said(node):
            if isinstance(part, ast.Name) and part.id not in known:
                for value in self.values.get(part.id, ()):
                    yield from self.typed(value, (*known, part.id))
            elif _is_number(part):
                yield from [f"{part.value}"] * (part.value not in self.numbers)
            elif isinstance(part, ast.Constant) and isinstance(part.value, str | bytes):
                shown = part.value if isinstance(part.value, str) else part.value.decode("latin-1")
                yield from (written for written, value in _numerals(shown) if value not in self.numbers)


def _bindings(node):  # -> (name, the expression that is given to it)
    """The assignments of a statement; a function that only returns an expression counts as one."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts)
            pairs = zip(target.elts, node.value.elts, strict=True) if both else [(target, node.value)]
            yield from ((one.id, value) for one, value in pairs if isinstance(one, ast.Name))
    elif isinstance(node, ast.For | ast.comprehension | ast.AnnAssign | ast.NamedExpr | ast.AugAssign):
        if isinstance(node.target, ast.Name) and (value := getattr(node, "iter", None) or node.value):
            yield node.target.id, value
    elif isinstance(node, ast.FunctionDef):
        defaults = zip(node.args.args[::-1], node.args.defaults[::-1], strict=False)
        yield from ((argument.arg, value) for argument, value in defaults)
        if len(node.body) == 1 and isinstance(node.body[0], ast.Return) and node.body[0].value:
            yield node.name, node.body[0].value


def _said(node):
    """The subexpressions that are shown verbatim: not arguments of computing calls, indices or format specifications."""
    if isinstance(node, ast.Constant | ast.Name):
        yield node
    elif isinstance(node, ast.Call):
        if _is_plain(node) or (isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant)):
            keywords = [keyword.value for keyword in node.keywords if _name(node.func) == "dict"]
            shown = (part for arg in [*node.args[: 1 if _name(node.func) in ("round", "show") else None], *keywords] for part in _said(arg))
            yield from (part for part in shown if not (isinstance(part, ast.Name) and _name(node.func) in COUNTING))
            yield from _said(node.func.value) if isinstance(node.func, ast.Attribute) else ()
        elif _calls_a_name(node):
            yield node.func
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            yield from _said(node.func.value)
        elif isinstance(node.func, ast.Lambda):
            yield from _said(node.func.body)
    elif isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.NamedExpr):
        yield from _said(node.value if isinstance(node, ast.NamedExpr) else node.elt)
    elif isinstance(node, ast.BinOp):
        sides = [list(_said(node.left)), list(_said(node.right))]
        constants = all(
            isinstance(part, ast.Constant)
            for side in (node.left, node.right)
            for part in ast.walk(side)
            if isinstance(part, ast.expr) and not isinstance(part, ast.BinOp)
        )
        yield from sides[0] + sides[1] if constants or isinstance(node.op, ast.Mod) else ()
    elif isinstance(node, ast.Subscript):
        yield from _said(node.value)
    elif isinstance(node, ast.BoolOp):
        yield from (part for value in node.values for part in _said(value))
    elif isinstance(node, ast.JoinedStr | ast.FormattedValue | ast.Starred | ast.Tuple | ast.List | ast.Set | ast.Dict | ast.IfExp | ast.UnaryOp):
        for field, child in ast.iter_fields(node):
            for part in child if isinstance(child, list) else [child]:
                if isinstance(part, ast.expr) and field not in ("format_spec", "test", "keys"):
                    yield from _said(part)
