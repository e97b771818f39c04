"""Keep the footnotes of a page in its last section, where the search and the index find them; newer MyST parsers put them behind all sections."""

from docutils import nodes


def into_the_last_section(app, doctree):
    """Move what follows the sections of a page to the end of the last one."""
    sections = [part for part in doctree if isinstance(part, nodes.section)]
    if not sections:
        return
    behind = doctree[doctree.index(sections[-1]) + 1 :]
    last = list(doctree.findall(nodes.section))[-1]
    for part in behind:
        doctree.remove(part)
        last += part
