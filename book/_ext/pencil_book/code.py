"""Code steps back: on a page a cell's code is folded, save where a reader should learn to write it (tag `learn`), and one switch shows all.

What a cell says of a recorded run, when and on which machine it was measured, is folded with its code (tag `record`).

In Jupyter every cell stands open. Without a script each fold still opens by itself.
"""

from docutils import nodes

LEARN, RECORD = "tag_learn", "tag_record"  # the classes that MyST-NB makes of the tags
FOLD = '<details class="pencil-code"><summary>{}</summary>'
SWITCH = '<button type="button" class="pencil-switch pencil-code-switch" hidden>Show all code</button>'


def fold(app, doctree):
    """Fold the cells, and put the switch under the title of a page that has one."""
    folded = [cell for cell in doctree.findall(nodes.container) if _folds(cell)]
    for cell in folded:
        measured = RECORD in cell["classes"]
        cell.insert(len(cell) if measured else 1, nodes.raw("", "</details>", format="html"))
        cell.insert(0, nodes.raw("", FOLD.format("How it was measured" if measured else "Code"), format="html"))
    if folded:
        title = next(iter(doctree.findall(nodes.title)))
        title.parent.insert(title.parent.index(title) + 1, nodes.raw("", SWITCH, format="html"))


def _folds(cell):
    return cell.get("nb_element") == "cell_code" and LEARN not in cell["classes"] and cell[0].get("nb_element") == "cell_code_source"


def setup(app):
    """Behind the line with a chapter's time, so that the switch comes first and floats beside it."""
    app.connect("doctree-read", fold, priority=600)
