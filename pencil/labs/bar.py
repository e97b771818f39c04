"""A progress bar for whoever watches, and for nobody else."""

import sys

from tqdm.auto import tqdm


def watched():  # -> bool
    """Is somebody there: at a terminal, or at a notebook in which an answer could be typed?

    What runs notebooks by itself (nbclient, nbval, the book's own tool) lets nobody type. A bar there would be
    stored in the notebook, and it is another one each time.
    """
    ipython = sys.modules.get("IPython")
    kernel = getattr(ipython and ipython.get_ipython(), "kernel", None)
    return sys.stderr.isatty() if kernel is None else bool(getattr(kernel, "_allow_stdin", False))


def bar_of(total, done=0, says=""):  # -> a bar; bar.update() moves it on
    """A bar of that many steps, and none where nobody watches."""
    return tqdm(total=total, initial=done, desc=says, leave=False, disable=not watched())
