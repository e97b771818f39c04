"""Figures stand in the page itself, not in files beside it, so that they have its colours."""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

FALLBACK = re.compile(r"(?<=[a-z]),#[0-9a-f]{6}(?=\))")  # the page has the variables


class InlineFigures(SphinxPostTransform):
    """Put the SVG of each figure of a cell in the place of its image, with what the image says of itself."""

    default_priority = 5  # before the images of a page are collected
    formats = ("html",)

    def run(self):
        """Every figure of the page."""
        for image in list(self.document.findall(nodes.image)):
            if image["uri"].endswith(".svg") and _of_a_cell(image):
                image.replace_self(nodes.raw("", inlined(self.env.srcdir / Path(image["uri"].lstrip("/")), image), format="html"))


def _of_a_cell(image):
    parent = image.parent
    while parent is not None and "cell_output" not in parent.get("classes", ()):
        parent = parent.parent
    return parent is not None


def inlined(path, image):  # Path, image node -> str
    """The figure as a picture with a name, as wide as the cell says at most. Raises ValueError where it has no alt text."""
    if not image.get("alt"):
        raise ValueError(f"{path.name}: a figure without a word of what there is to see; give its cell mystnb: {{image: {{alt: …}}}}")
    said = f'class="pencil-figure" role="img" aria-label="{escape(image["alt"])}" style="max-width:{image.get("width", "100%")}"'
    figure = FALLBACK.sub("", path.read_text(encoding="utf-8"))
    return figure.replace("<svg ", f"<svg {said} ", 1)


def setup(app):
    """Register the transform."""
    app.add_post_transform(InlineFigures)
