"""Inline the SVG figures of cells into the page, so that they use its colours."""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

FALLBACK = re.compile(r"(?<=[a-z]),#[0-9a-f]{6}(?=\))")  # fallback colours, which the page does not need


class InlineFigures(SphinxPostTransform):
    """Replace the image of each figure by its SVG, with the image's alt text."""

    default_priority = 5  # before Sphinx collects images
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
    """The SVG with an accessible name and the image's maximum width. Raises ValueError without alt text."""
    if not image.get("alt"):
        raise ValueError(f"{path.name}: a figure without a word of what there is to see; give its cell mystnb: {{image: {{alt: …}}}}")
    said = f'class="pencil-figure" role="img" aria-label="{escape(image["alt"])}" style="max-width:{image.get("width", "100%")}"'
    figure = FALLBACK.sub("", path.read_text(encoding="utf-8"))
    return figure.replace("<svg ", f"<svg {said} ", 1)


def setup(app):
    """Register the transform."""
    app.add_post_transform(InlineFigures)
