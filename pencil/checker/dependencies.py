"""What the code of a chapter depends on in the package: the definitions that it reaches by name, and the records that it reads.

`ran_with.json` beside the chapters keeps a hash of that for each, as of its run: where one differs, the notebook is stale.

Nothing is run. From the names in a chapter's cells, each definition is followed to the definitions that it names itself, through the imports
of the package; a method counts with its class. Comments and docstrings do not count, save in a chapter that reads the source of what it imports.
"""

import ast
import io
import json
import tokenize
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path

from pencil.checker.page import load, read_page
from pencil.paths import write_whole

PACKAGE = Path(__file__).resolve().parents[1]
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
LOOPS = (ast.For, ast.With, ast.While)  # what they do is seldom what they bind
RECORDS, READER = "experiments/recorded", "experiments/records.py"
READS_SOURCE = "getsource"
DIGITS = 12  # of a hash
KEPT = "ran_with.json"


def changed_since_its_run(source):  # Path of a chapter -> list of paths
    """The files of the package that the chapter's code depends on and that have changed since it was run. Empty where its run is not recorded."""
    then = (_kept(source.parent) or {}).get(source.stem)
    now = of_source(source) if then is not None else {}
    return [name for name in sorted({**now, **(then or {})}) if now.get(name) != then.get(name)]


def is_left_out(source):  # Path of a chapter -> bool
    """Whether there is a record of runs that does not have the chapter's, or cannot be read, and its code depends on the package."""
    kept = _kept(source.parent)
    return kept is not None and source.stem not in kept and bool(of_source(source))


def record_run(source):
    """Write down what the code of a chapter depends on now, and forget chapters that are not there any more."""
    before = _kept(source.parent) or {}
    kept = {name: one for name, one in before.items() if (source.parent / f"{name}.md").exists()} | {source.stem: of_source(source)}
    if any(kept.values()):
        write_whole(source.parent / KEPT, json.dumps(dict(sorted(kept.items())), indent=1) + "\n")


def _kept(folder):  # -> {chapter: {path: hash}}, empty where the file cannot be read, as with the two halves of a merge; None where it is not there
    try:
        return json.loads((folder / KEPT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        return {}


def of_source(source):  # Path of a chapter -> {path in the package: hash}
    """What the code of a chapter depends on; nothing where it is no Python."""
    try:
        return dependencies(tuple(code for _, _, code in read_page(load(source)).sources))
    except SyntaxError:
        return {}


@cache
def dependencies(cells):  # tuple of code -> {path in the package: hash}
    """A hash of what these cells depend on, for each file of the package that holds some of it. Raises SyntaxError where they are no Python."""
    own = Module("\n".join(map(_without_magic, cells)))
    found, open_, whole = {}, [(own, statement) for statement in own.tree.body], set()
    if READS_SOURCE in own.text:
        whole = set(chain.from_iterable(definitions(own, name) for name in own.bound))
    files = set()
    while open_:
        module, statement = open_.pop()
        if statement not in found.setdefault(module, {}):
            found[module][statement] = (module, statement) in whole
            needs, read = module.needs(statement)
            open_ += needs
            files |= read
    del found[own]
    hashes = {module.name: module.hash(statements) for module, statements in found.items()}
    if READER not in hashes:
        files = {name for name in files if not name.startswith(RECORDS)}
    return dict(sorted((hashes | {name: _hash((PACKAGE / name).read_text(encoding="utf-8")) for name in files}).items()))


def definitions(module, name):  # Module, str -> [(Module, statement)]
    """The statements that bind a name of a module, through the imports that hand it on; all of a module, if it is one. Empty for other packages."""
    found = []
    for statement in module.bound.get(name, ()):
        found += _imported(statement, name) if isinstance(statement, IMPORTS) else [(module, statement)]
    return found


def _imported(statement, name):  # what an import binds to this name
    target = _target(statement, name)
    if isinstance(target, Module):
        return [(target, each) for each in target.tree.body if not isinstance(each, IMPORTS)] + [
            pair for other in target.bound for pair in definitions(target, other)
        ]
    return definitions(*target) if target else []


def _target(statement, name):  # -> Module, (Module, name in it), or None for another package
    alias = next(each for each in statement.names if name == _bound_by(each))
    if isinstance(statement, ast.Import):
        return module_of(alias.name if alias.asname else name)
    module = module_of(statement.module)
    if module is None or alias.name in module.bound:
        return module and (module, alias.name)
    return module_of(f"{statement.module}.{alias.name}")


def _bound_by(alias):
    return alias.asname or alias.name.partition(".")[0]


@cache
def module_of(dotted):  # "pencil.reference" -> Module, or None for another package
    """A module of the package, parsed once."""
    root, *parts = (dotted or "").split(".")
    if root != PACKAGE.name:
        return None
    place = PACKAGE.joinpath(*parts)
    file = next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)
    return file and Module(file.read_text(encoding="utf-8"), file.relative_to(PACKAGE).as_posix())


class Module:
    """The statements of a module, and the names that each of them binds and needs.

    Args:
        text: its source
        name: its path in the package; "" for the cells of a chapter
    """

    def __init__(self, text, name=""):
        self.text, self.name, self.lines = text, name, text.splitlines(keepends=True)
        self.tree, self.bound, self._needs, self._cut = ast.parse(text), {}, {}, {}
        for statement in self.tree.body:
            for bound, node in _bindings(statement):
                self.bound.setdefault(bound, []).append(node)
        loose = [each for each in self.tree.body if isinstance(each, LOOPS) or not (_bindings(each) or _is_text(each))]
        self.loose = [(self, each) for each in loose]  # run wherever the module is imported

    def needs(self, statement):  # -> [(Module, statement)], set of paths
        """The definitions that a statement names, and the files that it reads."""
        if statement not in self._needs:
            pairs, read, seen, nodes = list(self.loose), set(), set(), list(ast.walk(statement))
            local = {_bound_by(alias): node for node in nodes if isinstance(node, IMPORTS) for alias in node.names}
            for node in nodes:  # an attribute comes before the name that it is of
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    module = self._module(node.value.id, local)
                    if module and (node.attr in module.bound):
                        seen.add(node.value)
                        pairs += definitions(module, node.attr)
                elif isinstance(node, ast.Name) and node not in seen:
                    pairs += _imported(local[node.id], node.id) if node.id in local else definitions(self, node.id)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in data_files():
                    read.add(data_files()[node.value])
            self._needs[statement] = pairs, read
        return self._needs[statement]

    def _module(self, name, local):  # the module that a name stands for, or None
        statement = local.get(name) or next(iter(self.bound.get(name, ())), None)
        target = _target(statement, name) if isinstance(statement, IMPORTS) else None
        return target if isinstance(target, Module) else None

    def hash(self, statements):  # {statement: with its comments and docstrings?} -> str
        """A hash of some of the module's statements, in their order."""
        return _hash("".join(self.code(each, statements[each]) for each in self.tree.body if each in statements))

    def code(self, statement, whole=False):  # -> str
        """The lines of a statement, without its comments and docstrings unless `whole`."""
        if (statement, whole) not in self._cut:
            first = first_line(statement)
            lines = self.lines[first - 1 : statement.end_lineno]
            if not whole:
                for node in ast.walk(statement):
                    if isinstance(node, DEFINITIONS) and _is_text(node.body[0]):
                        lines[node.body[0].lineno - first : node.body[0].end_lineno - first + 1] = [""] * _height(node.body[0])
                lines = _without_comments("".join(lines)) if any("#" in line for line in lines) else lines
            self._cut[statement, whole] = "".join(f"{line.rstrip()}\n" for line in lines if line.strip())
        return self._cut[statement, whole]


def first_line(statement):  # -> int
    """The line on which a statement begins, with its decorators."""
    return min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))])


def _bindings(statement):  # -> [(name, what binds it: the statement, or an import in it)]
    if isinstance(statement, DEFINITIONS):
        return [(statement.name, statement)]
    found = []
    for node in ast.walk(statement):
        if isinstance(node, IMPORTS):
            found += [(_bound_by(alias), node) for alias in node.names]
        elif isinstance(node, DEFINITIONS) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)):
            found.append((node.name if isinstance(node, DEFINITIONS) else node.id, statement))
    return found


def _is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, str)


def _height(node):
    return node.end_lineno - node.lineno + 1


def _without_comments(text):  # -> lines
    lines = text.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return lines


def _without_magic(cell):
    return "\n".join(f"{line[: len(line) - len(line.lstrip())]}pass" if line.lstrip().startswith(("%", "!")) else line for line in cell.splitlines())


@cache
def data_files():  # -> {the string by which code names a file: its path in the package}
    """The records and the style sheets of figures."""
    files = {path.stem: path for path in PACKAGE.joinpath(RECORDS).glob("*.json")}
    files |= {f"{PACKAGE.name}.{path.stem}": path for path in PACKAGE.glob("*.mplstyle")}
    return {name: path.relative_to(PACKAGE).as_posix() for name, path in files.items()}


def _hash(content):  # str -> str
    return sha256(content.encode()).hexdigest()[:DIGITS]
