"""From a chapter's source to its notebook.

A chapter's last cell calls `publish`, which stands in `pencil.checker.values`, with what finds the values again: the checker, the
exercises and the built pages read them there. In reading order:

    exercises  the options of a your-turn box
    boxes      the boxes of a chapter as HTML
    figures    figures in the colours of the page
    render     the command `python -m pencil notebooks`: notebooks/NN_name.md becomes NN_name.ipynb
"""

from pencil.checker.values import Published, publish

__all__ = ["Published", "publish"]
