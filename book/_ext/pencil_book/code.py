"""Fold the code cells of a page, except those with the tag `learn`; a switch opens all of them.

If a cell shows a recorded result, its provenance (date, machine, versions) is moved into the fold. Folds are `<details>`, which work
without scripts.
"""

import re

from docutils import nodes

LEARN = "tag_learn"  # MyST-NB's class for the tag
FOLD = '<details class="pencil-code"><summary>Code</summary>'
MEASURED = '<details class="pencil-code measured"><summary>How it was measured</summary>'
RECORDED = re.compile(r"^Recorded \d{4}-", re.MULTILINE)  # as pencil.experiments.records writes it
SWITCH = '<button type="button" class="pencil-switch pencil-code-switch" hidden>Show all code</button>'


def fold(app, doctree):
    """Fold the cells, and put the switch below the title."""
    folded = [cell for cell in doctree.findall(nodes.container) if _folds(cell)]
    for cell in folded:
        record = _take_record(cell)
        cell.insert(1, [*record, nodes.raw("", "</details>", format="html")])
        cell.insert(0, nodes.raw("", MEASURED if record else FOLD, format="html"))
    if folded:
        title = next(iter(doctree.findall(nodes.title)))
        title.parent.insert(title.parent.index(title) + 1, nodes.raw("", SWITCH, format="html"))


def _folds(cell):
    return cell.get("nb_element") == "cell_code" and LEARN not in cell["classes"] and cell[0].get("nb_element") == "cell_code_source"


def _take_record(cell):  # -> [literal_block], or [] if the cell shows no recorded result
    """Remove the provenance from the output of a cell, and return it as a block."""
    for block in cell.findall(nodes.literal_block):
        output, text = block.parent, block.astext()
        if (found := RECORDED.search(text)) and output.get("nb_element") == "cell_code_output":
            result, record = text[: found.start()].rstrip(), _with_text(block, text[found.start() :])
            if result:
                output.replace(block, _with_text(block, result))
            else:
                output.remove(block)
            if not output.children:
                cell.remove(output)
            return [record]
    return []


def _with_text(block, text):  # -> literal_block
    copied = block.copy()  # without its children
    copied.rawsource = text
    copied += nodes.Text(text)
    return copied
