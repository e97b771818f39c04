"""From a chapter's source to its notebook.

A chapter's last cell calls `publish` (of `pencil.checker.values`), which stores the chapter's values in the notebook; the checker, the exercises
and the built pages read them from there. In reading order:

    exercises  the options of a your-turn box
    boxes      directives of a chapter (your-turn, worked-answer, …) as HTML
    figures    matplotlib figures as short SVG in the colours of the page
    render     the command `python -m pencil notebooks`: notebooks/NN_name.md becomes NN_name.ipynb
"""

from pencil.checker.values import Published, publish

__all__ = ["Published", "publish"]
