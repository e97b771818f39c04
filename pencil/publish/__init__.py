"""From a chapter's source to its notebook.

A chapter's last cell calls `publish` (of `pencil.checker.values`), which stores the chapter's values in the notebook; the checker, the exercises
and the built pages read them from there. In reading order:

    exercises     the options of a your-turn box
    boxes         directives of a chapter (your-turn, worked-answer, …) as HTML
    source_words  what a chapter's source calls things, where it has words of its own
    lessons       how long the sections of a chapter take, and the lessons that they make
    figures       matplotlib figures as short SVG in the colours of the page
    slides        the drawings of a chapter as slides, with what is said of each
    deck          the slides of some chapters as one page for a hall or for print
    still         a built page without scripts, for an e-book
    released      what a chapter on Colab installs: a version's tag, or the main branch
    render        the command `python -m pencil notebooks`: notebooks/NN_name.md becomes NN_name.ipynb
"""

from pencil.checker.values import Published, publish

__all__ = ["Published", "publish"]
