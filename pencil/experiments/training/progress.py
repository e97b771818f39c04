"""How far a training run is: a bar where somebody watches, a line for each pass where the output goes into a file."""

import sys

from tqdm.auto import tqdm

from pencil.rounding import show


def is_interactive():  # -> bool
    """Whether stderr is a terminal, or the Jupyter kernel allows input.

    Tools that execute notebooks (nbclient, nbval, `python -m pencil notebooks`) do not allow input. A bar would be stored in the
    notebook, and differ from run to run.
    """
    kernel = _kernel()
    return sys.stderr.isatty() if kernel is None else bool(getattr(kernel, "_allow_stdin", False))


def _kernel():
    ipython = sys.modules.get("IPython")
    return getattr(ipython and ipython.get_ipython(), "kernel", None)


def progress_bar(total, done=0, description=""):  # -> tqdm
    """A bar of `total` steps, of which `done` are done; disabled unless the session is interactive."""
    return tqdm(total=total, initial=done, desc=description, leave=False, disable=not is_interactive())


def log_pass(description, epoch, epochs, row):  # row: {name of a metric: float}
    """Print a line on stderr about a finished pass, where there is no bar. A notebook that runs by itself gets none: it would be stored in it."""
    if not is_interactive() and _kernel() is None:
        metrics = ", ".join(f"{name} {show(value)}" for name, value in row.items() if name != "epoch")
        print(f"{description} pass {epoch} of {epochs}: {metrics}", file=sys.stderr, flush=True)
