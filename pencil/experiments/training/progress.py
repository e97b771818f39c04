"""A progress bar, shown only where somebody watches."""

import sys

from tqdm.auto import tqdm


def is_watched():  # -> bool
    """Whether somebody is there: at a terminal, or at a notebook in which an answer could be typed.

    What runs notebooks unattended (nbclient, nbval, the book's own tool) allows no input. A bar there would be
    stored in the notebook, and be different each time.
    """
    ipython = sys.modules.get("IPython")
    kernel = getattr(ipython and ipython.get_ipython(), "kernel", None)
    return sys.stderr.isatty() if kernel is None else bool(getattr(kernel, "_allow_stdin", False))


def progress_bar(total, done=0, description=""):  # -> tqdm
    """A bar of `total` steps, of which some are done already; disabled where nobody watches."""
    return tqdm(total=total, initial=done, desc=description, leave=False, disable=not is_watched())
