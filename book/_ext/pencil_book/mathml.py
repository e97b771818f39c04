"""Formulas as MathML, written while the book is built: no script, no font and no request when it is read."""

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.util import logging

logger = logging.getLogger(__name__)
converter = LatexToMathML(fancy_error=False)


def mathml(node, display):  # node, bool -> str
    """The formula of a node; one that cannot be set is a warning, and so fails the build."""
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
    """A formula on lines of its own; it scrolls inside itself where the page is too narrow, by keyboard too."""
    writer.body.append(writer.starttag(node, "div", CLASS="math-block", tabindex="0"))
    writer.body.append(f"{mathml(node, display=True)}</div>\n")
    raise nodes.SkipNode


def setup(app):
    """`html_math_renderer: pencil_mathml` in _config.yml chooses this one."""
    app.add_html_math_renderer("pencil_mathml", (visit_inline, None), (visit_block, None))
