"""`{api} pencil.reference`: every public function and class of a package, its shapes, and what its docstring says."""

import importlib
import inspect
import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

SHAPES = re.compile(r"\)(?: -> [^:#]+)?:\s*# (.+)$", re.M)


class Api(SphinxDirective):
    """One section for each file of the package, in alphabetical order; constants are left out."""

    required_arguments = 1

    def run(self):
        package = importlib.import_module(self.arguments[0])
        files = {}
        for name in sorted(package.__all__, key=str.casefold):
            thing = getattr(package, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                files.setdefault(thing.__module__, []).append((name, thing))
        return [self.section(module, things) for module, things in sorted(files.items())]

    def section(self, module, things):
        """A file: what it is for, and what it has."""
        part = nodes.section(ids=[nodes.make_id(module)], names=[module])
        part += nodes.title(text=module.rpartition(".")[2])
        self.say(part, inspect.getdoc(importlib.import_module(module)).split("\n\n")[0])
        for name, thing in things:
            listed = nodes.definition_list_item(ids=[nodes.make_id(f"{module}-{name}")])
            listed += nodes.term("", "", nodes.literal(text=signature(name, thing)))
            said = nodes.definition()
            if shapes := shapes_of(thing):
                said += nodes.paragraph("", "", nodes.literal(text=shapes), classes=["pencil-shapes"])
            self.say(said, inspect.getdoc(thing) or "")
            listed += said
            part += nodes.definition_list("", listed)
        return part

    def say(self, into, text):
        """A docstring, read as the pages are."""
        self.state.nested_parse(StringList(list_of_args(text).splitlines(), source=self.arguments[0]), 0, into)


def list_of_args(text):  # docstring -> Markdown
    """The parameters under Args: as a list, one item each; in Markdown their lines would run into one paragraph."""
    lines, inside = [], False
    for line in text.splitlines():
        inside = line == "Args:" or (inside and line.startswith(" "))
        if inside and (found := re.match(r" {4}(\w+): (.+)", line)):
            lines.append(f"- `{found[1]}`: {found[2]}")
        else:
            lines += ["**Parameters**", ""] if line == "Args:" else [line[6:] if inside else line]
    return "\n".join(lines)


def signature(name, thing):  # -> str
    """How it is called; a bundle of grids is called with its fields. An error is raised, not called."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return name
    written = re.sub(r"<(?:function|class) '?(?:[\w.]*\.)?(\w+)[^>]*>", r"\1", str(inspect.signature(thing)))
    return name + re.sub(r": '?[\w.\[\], |]+'?(?= =|[,)])|(?: -> .+)$", "", written).replace(" = ", "=")


def shapes_of(thing):  # -> str
    """What goes in and what comes out: the contract that is checked, else the comment on the line of the def; of a class there is none."""
    if contract := getattr(thing, "shapes", ""):
        return contract
    found = None if inspect.isclass(thing) else SHAPES.search(inspect.getsource(thing))
    return found[1] if found else ""


def setup(app):
    """Known to every page."""
    app.add_directive("api", Api)
