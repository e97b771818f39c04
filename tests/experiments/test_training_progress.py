"""The progress bar is shown in interactive sessions only."""

import sys
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient

from pencil.experiments.training import progress


@pytest.mark.parametrize("kernel, terminal, seen", [(True, False, True), (False, True, False), (None, True, True), (None, False, False)])
def test_a_bar_is_for_who_watches(monkeypatch, kernel, terminal, seen):
    shell = SimpleNamespace() if kernel is None else SimpleNamespace(kernel=SimpleNamespace(_allow_stdin=kernel))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: terminal, write=lambda text: None, flush=lambda: None))
    assert progress.is_interactive() is seen and progress.progress_bar(3).disable is not seen


def run():
    """The outputs of a cell that has a bar, run as the book's own tool runs it."""
    cell = nbformat.v4.new_code_cell(
        "from pencil.experiments.training.progress import progress_bar\nwith progress_bar(2) as bar:\n    bar.update()\n    print(bar.disable)"
    )
    NotebookClient(nbformat.v4.new_notebook(cells=[cell]), kernel_name="python3", timeout=120).execute()
    return cell.outputs


def test_a_notebook_that_runs_by_itself_holds_no_bar():
    (output,) = run()
    assert output["name"] == "stdout" and output["text"] == "True\n"
