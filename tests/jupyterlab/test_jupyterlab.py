"""A chapter in JupyterLab: opened, all cells run without an error, saved."""

import shutil

import nbformat
import pytest
from jupyterlab_server import MINUTE, OPENED, jupyterlab

from pencil.paths import ROOT, chapter_sources
from pencil.publish.render import build, edited_by_hand

CHAPTERS = [source.with_suffix(".ipynb") for source in chapter_sources(ROOT / "notebooks")]

RUN_ALL = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
RESULTS = """() => {
  const cells = [...window.jupyterapp.shell.currentWidget.content.model.cells].filter((cell) => cell.type === 'code')
  const outputs = cells.flatMap((cell) => cell.toJSON().outputs)
  return {
    cells: cells.length,
    unrun: cells.filter((cell) => !cell.executionCount).length,
    errors: outputs.filter((output) => output.output_type === 'error').map((output) => `${output.ename}: ${output.evalue}`),
  }
}"""


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_cell_of_a_chapter_runs(launched, chapter, tmp_path):
    shutil.copy(chapter, tmp_path)  # a run must not write into the book
    with jupyterlab(tmp_path) as (address, token):
        context = launched.new_context(viewport={"width": 1280, "height": 900})
        tab = context.new_page()
        tab.goto(f"{address}lab/tree/{chapter.name}?token={token}")
        tab.wait_for_function(OPENED, timeout=2 * MINUTE)
        tab.set_default_timeout(5 * MINUTE)
        tab.evaluate(RUN_ALL)
        results = tab.evaluate(RESULTS)
        folded = tab.locator(".jp-RenderedMarkdown details.worked-answer").evaluate_all("all => all.map(one => !one.open)")
        tab.evaluate(SAVE)
        context.close()
    assert results["cells"] > 0
    assert results["errors"] == []
    assert results["unrun"] == 0
    assert folded and all(folded)
    saved = nbformat.read(tmp_path / chapter.name, as_version=4)
    built = build(chapter.with_suffix(".md").read_text(encoding="utf-8"))
    assert not edited_by_hand(saved) and [cell.id for cell in saved.cells] == [cell.id for cell in built.cells]  # only outputs are other ones
    assert saved.metadata["pencil"].items() >= built.metadata["pencil"].items()


def test_there_are_chapters():
    assert CHAPTERS
