"""The directive `{api} pencil.reference`: all public functions and classes of a package, with shapes and docstrings."""

import importlib
import inspect
import re

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.ext.autodoc.mock import mock
from sphinx.util.docutils import SphinxDirective

SHAPES = re.compile(r"\)(?: -> [^:#]+)?:\s*# (.+)$", re.M)


class Api(SphinxDirective):
    """A section for each module of the package, in alphabetical order; constants are left out."""

    required_arguments = 1

    def run(self):
        files = {}
        for name, thing in public(self.arguments[0]).items():
            files.setdefault(thing.__module__, []).append((name, thing))
        return [self.section(module, things) for module, things in sorted(files.items())]

    def section(self, module, things):
        """A module: its docstring, and its functions and classes."""
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
        """Parse a docstring as MyST Markdown."""
        self.state.nested_parse(StringList(list_of_args(text).splitlines(), source=self.arguments[0]), 0, into)


def public(package):  # -> {name: function or class}
    """What a package exports. It is imported without torch and safetensors, which building the pages does not need."""
    with mock(["torch", "safetensors"]):
        imported = importlib.import_module(package)
    exported = {name: getattr(imported, name) for name in sorted(imported.__all__, key=str.casefold)}
    return {name: thing for name, thing in exported.items() if inspect.isclass(thing) or inspect.isfunction(thing)}


def list_of_args(text):  # docstring -> Markdown
    """Turn the parameters below Args: into a Markdown list; otherwise they would become one paragraph."""
    lines, inside = [], False
    for line in text.splitlines():
        inside = line == "Args:" or (inside and line.startswith(" "))
        if inside and (found := re.match(r" {4}(\w+): (.+)", line)):
            lines.append(f"- `{found[1]}`: {found[2]}")
        else:
            lines += ["**Parameters**", ""] if line == "Args:" else [line[6:] if inside else line]
    return "\n".join(lines)


def signature(name, thing):  # -> str
    """The signature: of a dataclass its fields, of an exception its name alone."""
    if inspect.isclass(thing) and issubclass(thing, Exception):
        return name
    written = re.sub(r"<(?:function|class) '?(?:[\w.]*\.)?(\w+)[^>]*>", r"\1", str(inspect.signature(thing)))
    written = re.sub(r"=torch\.(?:\w+\.)*(\w+)", r"=\1", written)  # a class of torch, which is a mock here
    return name + re.sub(r": '?[\w.\[\], |]+'?(?= =|[,)])|(?: -> .+)$", "", written).replace(" = ", "=")


def shapes_of(thing):  # -> str
    """The shapes of a function: the contract of the decorator, or the comment on the def line. A class has none."""
    if contract := getattr(thing, "shapes", ""):
        return contract
    found = None if inspect.isclass(thing) else SHAPES.search(inspect.getsource(thing))
    return found[1] if found else ""


def setup(app):
    """Register the directive."""
    app.add_directive("api", Api)
