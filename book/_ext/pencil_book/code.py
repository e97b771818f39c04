"""Code steps back: on a page a cell's code is folded, save where a reader should learn to write it (tag `learn`), and one switch shows all.

What a recorded result says of its run, the machine and the versions, goes into the fold with the code.
In Jupyter every cell stands open. Without a script each fold still opens by itself.
"""

import re

from docutils import nodes

LEARN = "tag_learn"  # the class that MyST-NB makes of the tag
FOLD = '<details class="pencil-code"><summary>Code</summary>'
MEASURED = '<details class="pencil-code measured"><summary>How it was measured</summary>'
RECORDED = re.compile(r"^Recorded \d{4}-", re.MULTILINE)  # as pencil.experiments.records writes it
SWITCH = '<button type="button" class="pencil-switch pencil-code-switch" hidden>Show all code</button>'


def fold(app, doctree):
    """Fold the cells, and put the switch under the title of a page that has one."""
    folded = [cell for cell in doctree.findall(nodes.container) if _folds(cell)]
    for cell in folded:
        record = _record(cell)
        cell.insert(1, [*record, nodes.raw("", "</details>", format="html")])
        cell.insert(0, nodes.raw("", MEASURED if record else FOLD, format="html"))
    if folded:
        title = next(iter(doctree.findall(nodes.title)))
        title.parent.insert(title.parent.index(title) + 1, nodes.raw("", SWITCH, format="html"))


def _folds(cell):
    return cell.get("nb_element") == "cell_code" and LEARN not in cell["classes"] and cell[0].get("nb_element") == "cell_code_source"


def _record(cell):  # -> the block in which a recorded result says how it was measured, taken out of what the cell shows; or nothing
    for block in cell.findall(nodes.literal_block):
        shown, text = block.parent, block.astext()
        if (found := RECORDED.search(text)) and shown.get("nb_element") == "cell_code_output":
            before, record = text[: found.start()].rstrip(), block.copy()
            record += nodes.Text(text[found.start() :])
            record.rawsource = record.astext()
            if before:
                block.rawsource, block.children = before, []
                block += nodes.Text(before)
            else:
                shown.remove(block)
            if not shown.children:
                cell.remove(shown)
            return [record]
    return []


def setup(app):
    """Behind the line with a chapter's time, so that the switch comes first and floats beside it."""
    app.connect("doctree-read", fold, priority=600)
