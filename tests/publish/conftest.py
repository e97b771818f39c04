"""What the tests of the render tool share."""

import json

import nbformat
import pytest
from three import SOURCE, write

from pencil.publish import render as rendering


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder `notebooks`, in the folder that the test works in."""
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "notebooks"


@pytest.fixture(scope="session")
def notebook_of_source(tmp_path_factory):
    """The bytes of the notebook that SOURCE becomes, run once."""
    return rendering.render_notebook(write(tmp_path_factory.mktemp("once"), SOURCE)).read_bytes()


@pytest.fixture
def rendered(folder, notebook_of_source, monkeypatch):
    """A source with its notebook, and a way to save the notebook changed; to run it again is to write the same bytes."""
    source = write(folder, SOURCE)
    target = source.with_suffix(".ipynb")
    target.write_bytes(notebook_of_source)
    monkeypatch.setattr(rendering, "run", lambda notebook, folder: _put_outputs(notebook, notebook_of_source))

    def save(change):
        notebook = json.loads(target.read_text(encoding="utf-8"))
        change(notebook)
        target.write_text(json.dumps(notebook), encoding="utf-8")

    return source, target, save


def _put_outputs(notebook, written):
    ran = nbformat.reads(written.decode(), as_version=4)
    for cell, done in zip(notebook.cells, ran.cells, strict=True):
        if "outputs" in done:
            cell.outputs = done.outputs
