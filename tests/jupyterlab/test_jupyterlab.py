"""A chapter with labs in JupyterLab: opened, all cells run without an error, saved; and one without, for nbval runs those."""

import shutil

import nbformat
import pytest
from jupyterlab_server import MINUTE, OPENED, jupyterlab

from pencil.paths import ROOT, chapter_sources
from pencil.publish.render import build, edited_by_hand

SOURCES = chapter_sources(ROOT / "notebooks")
WITH_LABS = [source for source in SOURCES if "Lab(" in source.read_text(encoding="utf-8")]
WITHOUT = next(source for source in SOURCES if source not in WITH_LABS)
CHAPTERS = [source.with_suffix(".ipynb") for source in sorted([*WITH_LABS, WITHOUT])]

RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
SHUT_DOWN = "() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()"  # a kernel holds memory
RESULTS = """() => {
  const cells = [...window.jupyterapp.shell.currentWidget.content.model.cells].filter((cell) => cell.type === 'code')
  const outputs = cells.flatMap((cell) => cell.toJSON().outputs)
  return {
    cells: cells.length,
    unrun: cells.filter((cell) => !cell.executionCount).length,
    errors: outputs.filter((output) => output.output_type === 'error').map((output) => `${output.ename}: ${output.evalue}`),
  }
}"""


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A folder, and a JupyterLab over it as its address and token."""
    folder = tmp_path_factory.mktemp("chapters")
    with jupyterlab(folder) as (address, token):
        yield folder, address, token


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_cell_of_a_chapter_runs(launched, chapter, lab):
    folder, address, token = lab
    shutil.copy(chapter, folder)  # a run must not write into the book
    context = launched.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.goto(f"{address}lab/workspaces/{chapter.stem}/tree/{chapter.name}?token={token}")
    tab.wait_for_function(OPENED, timeout=2 * MINUTE)
    tab.set_default_timeout(5 * MINUTE)
    tab.evaluate(RUN_ALL)
    results = tab.evaluate(RESULTS)
    folded = tab.locator(".jp-RenderedMarkdown details.worked-answer").evaluate_all("all => all.map(one => !one.open)")
    tab.evaluate(SAVE)
    tab.evaluate(SHUT_DOWN)
    context.close()
    assert results["cells"] > 0
    assert results["errors"] == []
    assert results["unrun"] == 0
    assert folded and all(folded)
    saved = nbformat.read(folder / chapter.name, as_version=4)
    built = build(chapter.with_suffix(".md").read_text(encoding="utf-8"))
    assert not edited_by_hand(saved) and [cell.id for cell in saved.cells] == [cell.id for cell in built.cells]  # only outputs are other ones
    assert saved.metadata["pencil"].items() >= built.metadata["pencil"].items()


def test_there_are_chapters():
    assert CHAPTERS
