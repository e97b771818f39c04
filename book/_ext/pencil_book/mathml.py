"""Render formulas as MathML at build time, so that pages need no script or font for them."""

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.util import logging

logger = logging.getLogger(__name__)
converter = LatexToMathML(fancy_error=False)


def mathml(node, display):  # node, bool -> str
    """The MathML of a node's formula. A formula that cannot be converted is a warning, which fails the build."""
    try:
        return converter.convert_with_local_state(node.astext(), displaystyle=display)
    except LatexError as wrong:
        logger.warning("this formula cannot be set: %s (%s)", node.astext(), wrong, location=node)
        return ""


def visit_inline(writer, node):
    """`$d_k$` in running text."""
    writer.body.append(f'<span class="math">{mathml(node, display=False)}</span>')
    raise nodes.SkipNode


def visit_block(writer, node):
    """A display formula, in a box that can be scrolled (with the keyboard too) if the page is narrow."""
    writer.body.append(writer.starttag(node, "div", CLASS="math-block", tabindex="0"))
    writer.body.append(f"{mathml(node, display=True)}</div>\n")
    raise nodes.SkipNode


def load(app, pagename, templatename, context, doctree):
    """Add the font to a page that has formulas."""
    if doctree and next(doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block))), None):
        app.add_css_file("math.css")


def setup(app):
    """Register the renderer, which _config.yml selects by `html_math_renderer: pencil_mathml`."""
    app.add_html_math_renderer("pencil_mathml", (visit_inline, None), (visit_block, None))
