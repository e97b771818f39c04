"""Open the chapters in JupyterLab, with their stored outputs trusted."""

import os
import subprocess
import sys
from pathlib import Path

from pencil.cli.arguments import help_of_words
from pencil.paths import ROOT, chapter_sources


def main(argv):
    """`python -m pencil serve`; further arguments go to JupyterLab, and a path among them replaces the chapters."""
    says = "Open the chapters in JupyterLab. Words go to it: a path is opened in place of the chapters, and --help-all lists its options."
    help_of_words(argv, "serve", "[WORD ...]", says)
    sign()
    command = [sys.executable, "-m", "jupyterlab", "--notebook-dir", str(ROOT), *_as_root(), *_opened(argv), *argv]
    if os.name == "posix":  # replace this process, so that signals reach JupyterLab
        return os.execv(command[0], command)
    return subprocess.run(command).returncode


def sign(folder=ROOT / "notebooks", notary=None):  # -> number of notebooks
    """Sign the notebooks whose cells and outputs are those that the render tool wrote, so that Jupyter shows the outputs without a run.

    `notary`: an nbformat.sign.NotebookNotary; by default that of the user
    """
    import nbformat  # not at the top: --help needs no package
    from nbformat.sign import NotebookNotary

    from pencil.publish.render import is_as_written

    notary, signed = notary or NotebookNotary(), 0
    for source in chapter_sources(folder):
        if (path := source.with_suffix(".ipynb")).exists():
            notebook = nbformat.read(path, as_version=4)
            if is_as_written(notebook) and not notary.check_signature(notebook):
                notary.sign(notebook)
                signed += 1
    return signed


def _as_root():  # JupyterLab needs --allow-root to run as root
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ["--allow-root"] if root else []


def _opened(argv):
    given = any(not word.startswith("-") and Path(word).exists() for word in argv)
    return [] if given else [str(ROOT / "notebooks")]
