"""The directives for boxes in book/*.md: your-turn, worked-answer, wrong-turn, with-letters, one-breath, you-will.

In chapters the render tool has already converted them (pencil.publish.boxes, whose list of kinds is used here). The HTML works without
scripts: folded boxes are `<details>`. A question has its key (`data-turn`) and the reference of its answer (`data-answer`).
"""

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from pencil.publish.boxes import BOXES, is_long
from pencil.publish.exercises import OPTIONS, parse_exercise


class box(nodes.General, nodes.Element):
    """A box; `tag` is its HTML element, `data` its data attributes."""


class box_title(nodes.General, nodes.TextElement):
    """The title of a box: a summary if the box is folded, else a paragraph."""


class Box(SphinxDirective):
    """The base class of all boxes; the directive's name is the kind, which defines the HTML element and the title."""

    has_content = True

    def run(self):
        """The box as one node: its title and its contents."""
        self.assert_has_content()
        kind, content = BOXES[self.name], self.parse_content_to_nodes()
        made = box("", tag=kind.tag, data=self.data(), classes=["pencil-box", self.name])
        made += box_title("", "", *self.title(), tag="summary" if kind.tag == "details" else "p")
        self.set_source_info(made)
        made.extend(content)
        if self.name == "one-breath" and is_long(" ".join(part.astext() for part in content)):
            made["classes"].append("long")
        self.identify(made)
        return [made]

    def title(self):
        """The nodes of the title."""
        return [nodes.Text(BOXES[self.name].title)]

    def data(self):
        """The data attributes, without `data-`."""
        return {}

    def identify(self, made):
        """Give the box an anchor, if its kind has one."""


class YourTurn(Box):
    """A question. The argument is its key, which is unique in the chapter."""

    required_arguments = 1
    option_spec = dict.fromkeys(OPTIONS, directives.unchanged_required)

    def data(self):
        try:
            exercise = parse_exercise(self.arguments[0], self.options)
        except ValueError as wrong:
            raise self.error(f"your-turn {wrong}") from None
        return {"turn": exercise.key, **({"answer": exercise.answer} if exercise.answer else {})}

    def identify(self, made):
        made["names"].append(nodes.fully_normalize_name(f"your-turn-{self.arguments[0]}"))
        self.state.document.note_explicit_target(made, made)  # warns about duplicate keys


class WrongTurn(Box):
    """A common mistake, folded. The argument is its title."""

    required_arguments = 1
    final_argument_whitespace = True

    def title(self):
        words, messages = self.parse_inline(self.arguments[0])
        return [nodes.strong("", BOXES[self.name].title), nodes.Text(" "), *words, *messages]


def visit_box(writer, node):
    """Write the start tag with its data attributes."""
    data = {f"data-{key}": value for key, value in node["data"].items()}
    writer.body.append(writer.starttag(node, node["tag"], **data))


def depart_box(writer, node):
    """Write the end tag."""
    writer.body.append(f"</{node['tag']}>\n")


def visit_title(writer, node):
    """Write the start tag of the title."""
    writer.body.append(writer.starttag(node, node["tag"], "", CLASS="pencil-box-title"))


def setup(app):
    """Register the nodes and the directives."""
    app.add_node(box, html=(visit_box, depart_box))
    app.add_node(box_title, html=(visit_title, depart_box))
    for name in BOXES:
        app.add_directive(name, {"your-turn": YourTurn, "wrong-turn": WrongTurn}.get(name, Box))
