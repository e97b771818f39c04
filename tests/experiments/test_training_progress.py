"""A training run shows a bar where somebody watches, and writes a line for each pass into a log."""

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


@pytest.mark.parametrize("kernel, terminal, logged", [(True, False, False), (False, False, False), (None, True, False), (None, False, True)])
def test_a_log_has_a_line_for_each_pass(monkeypatch, kernel, terminal, logged):
    written = []
    shell = SimpleNamespace() if kernel is None else SimpleNamespace(kernel=SimpleNamespace(_allow_stdin=kernel))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: terminal, write=written.append, flush=lambda: None))
    progress.log_pass("tiny GPT", 3, 30, {"epoch": 3, "loss": 1.8324, "val_loss": 2.0})
    assert "".join(written) == ("tiny GPT pass 3 of 30: loss 1.832, val_loss 2.000\n" if logged else "")


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
