"""A lab in JupyterLab with a real kernel: inputs are synchronized in both directions."""

import nbformat
import pytest
from jupyterlab_server import MINUTE, OPENED, jupyterlab

from pencil.widgets import AttentionLab

CELLS = (
    "from pencil.widgets import AttentionLab\n\nlab = AttentionLab()\nlab",
    'print(lab.chosen(), lab.givens["embedding"][0], lab.worked.row("nolan.weights"))',
    'lab.variant = 2\nlab.givens = lab.givens | {"params.query": [[0.5] * 4] * 4}',
    "import ipywidgets",
    'slider = ipywidgets.IntSlider(value=2, max=5)\n_ = ipywidgets.link((slider, "value"), (lab.widget, "variant"))\nslider.value = 0',
)
RUN = """async (index) => {
  const { content, context } = window.jupyterapp.shell.currentWidget
  content.activeCellIndex = index
  content.deselectAll()
  await window.jupyterapp.commands.execute('notebook:run-cell')
}"""
SAID = (
    "index => window.jupyterapp.shell.currentWidget.content.model.cells.get(index).toJSON().outputs.map(one => one.text ?? one.evalue ?? '').join('')"
)


@pytest.fixture
def tab(launched, tmp_path):
    """JupyterLab with a notebook of these cells, opened and ready."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, tmp_path / "labs.ipynb")
    with jupyterlab(tmp_path) as (address, token):
        context = launched.new_context(viewport={"width": 1280, "height": 1000})
        tab = context.new_page()
        tab.wrong = []
        tab.on("pageerror", lambda error: tab.wrong.append(str(error)))
        tab.goto(f"{address}lab/tree/labs.ipynb?token={token}")
        tab.wait_for_function(OPENED, timeout=2 * MINUTE)
        tab.set_default_timeout(2 * MINUTE)
        yield tab
        context.close()


def row_of(lab):
    return lab.worked.row("nolan.weights")


def test_a_lab_and_its_kernel_share_their_numbers(tab):
    lab = AttentionLab()
    tab.evaluate(RUN, 0)
    box = tab.locator(".jp-OutputArea-output .pencil-lab")
    cell = box.locator(".pencil-cell[data-name='embedding'][data-place='0']")
    shares = box.locator(".pencil-part.bars").first.locator("td:not(.bar)")
    cell.wait_for()
    assert shares.all_inner_texts() == row_of(lab).strip("[]").split(", ")

    cell.fill("3")
    lab.givens = {"embedding": [[3, 1, 1, 0], [0, 1, 2, 1]]}
    assert shares.all_inner_texts() == row_of(lab).strip("[]").split(", ")
    tab.wait_for_timeout(500)  # the kernel takes it
    tab.evaluate(RUN, 1)
    assert tab.evaluate(SAID, 1).strip() == f"{{'Words': '2'}} [3, 1, 1, 0] {row_of(lab)}".replace("[3, 1, 1, 0]", str(lab.givens["embedding"][0]))

    tab.evaluate(RUN, 2)
    lab.variant = 2
    lab.givens = lab.givens | {"params.query": [[0.5] * 4] * 4}
    tab.wait_for_function("() => document.querySelectorAll('.pencil-lab .pencil-part.bars').length === 3")
    tab.wait_for_function(
        "said => [...document.querySelectorAll('.pencil-lab .pencil-part.bars')][0].innerText.includes(said)",
        arg=row_of(lab).strip("[]").split(", ")[0],
    )
    assert cell.input_value() == "3"

    box.get_by_role("button", name="Add a word").click()
    tab.wait_for_timeout(500)
    tab.evaluate(RUN, 1)
    assert "{'Words': '4'}" in tab.evaluate(SAID, 1)

    tab.evaluate(RUN, 3)
    tab.evaluate(RUN, 4)
    tab.wait_for_function("() => document.querySelectorAll('.pencil-lab .pencil-part.bars').length === 1")
    box.locator(".pencil-number").first.click()
    assert "Where it comes from" in (box.locator(".pencil-card").get_attribute("aria-label"))
    assert tab.wrong == []
