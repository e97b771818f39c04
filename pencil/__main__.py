"""`python -m pencil TASK ...`: every task of the book, with or without make."""

import importlib
import sys

from pencil.tasks import TaskError

TASKS = {  # name: (module and function, what it does)
    "book": ("pencil.tasks.book:main", "build the pages into _build/html, warnings as errors"),
    "serve": ("pencil.tasks.serve:main", "open the chapters in JupyterLab"),
    "test": ("pencil.tasks.test:main", "unit tests, notebooks, the number checker, browser tests"),
    "test-slow": ("pencil.tasks.test:slow", "peers, a drive through JupyterLab, Lighthouse"),
    "notebooks": ("pencil.prose.render:main", "render notebooks/*.md to executed .ipynb (--check: only look)"),
    "check": ("pencil.prose.check:main", "account for every numeral of the prose"),
    "format": ("pencil.tasks.format:main", "put the Python code in its usual shape"),
    "bench": ("pencil.tasks.bench:main", "measure against peers, one table"),
    "clean": ("pencil.tasks.clean:main", "remove what was built"),
    "env": ("pencil.tasks.env:main", "make .venv for book, test, serve or slow"),
    "help": ("pencil.__main__:show_help", "this list"),
}


def show_help(argv=()):
    """Print the tasks, one a line."""
    print("make TASK, or python -m pencil TASK:\n")
    for name, (_, says) in TASKS.items():
        print(f"  {name:<10} {says}")
    return 0


def main(argv=None):
    """Run one task and give back its exit status."""
    name, *rest = (sys.argv[1:] if argv is None else argv) or ["help"]
    if name in ("-h", "--help"):
        name = "help"
    if name not in TASKS:
        print(f"There is no task '{name}'.\n", file=sys.stderr)
        show_help()
        return 2
    module, function = TASKS[name][0].split(":")
    try:
        return getattr(importlib.import_module(module), function)(rest)  # imported only now: starting stays quick
    except TaskError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    except ModuleNotFoundError as missing:
        print(f"{missing}. Make the environment first: python -m pencil env, then use the Python in .venv.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
