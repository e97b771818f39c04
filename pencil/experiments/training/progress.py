"""A progress bar that is shown in interactive sessions only."""

import sys

from tqdm.auto import tqdm


def is_interactive():  # -> bool
    """Whether stderr is a terminal, or the Jupyter kernel allows input.

    Tools that execute notebooks (nbclient, nbval, `python -m pencil notebooks`) do not allow input. A bar would be stored in the
    notebook, and differ from run to run.
    """
    ipython = sys.modules.get("IPython")
    kernel = getattr(ipython and ipython.get_ipython(), "kernel", None)
    return sys.stderr.isatty() if kernel is None else bool(getattr(kernel, "_allow_stdin", False))


def progress_bar(total, done=0, description=""):  # -> tqdm
    """A bar of `total` steps, of which `done` are done; disabled unless the session is interactive."""
    return tqdm(total=total, initial=done, desc=description, leave=False, disable=not is_interactive())
