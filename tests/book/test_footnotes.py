"""A page's footnotes end up in its last section, whichever parser put them where."""

import sys

import pytest
from docutils import nodes

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.footnotes import into_the_last_section
from pencil_book.index import said_in


def page(footnotes_in_a_section):
    made, title, sources = nodes.document(None, None), nodes.section(ids=["page"]), nodes.section(ids=["sources"])
    title += [nodes.paragraph(text="First."), sources]
    sources += nodes.paragraph(text="Sources.")
    made += title
    (sources if footnotes_in_a_section else made).extend([nodes.transition(), nodes.footnote("", nodes.paragraph(text="A book."))])
    return made


@pytest.mark.parametrize("footnotes_in_a_section", [True, False])
def test_footnotes_are_the_last_section_s(footnotes_in_a_section):
    made = page(footnotes_in_a_section)
    into_the_last_section(None, made)
    assert made.pformat() == page(True).pformat()
    assert said_in(made) == [("page", "First."), ("sources", "Sources. A book.")]


def test_a_page_without_sections_is_left_alone():
    made = nodes.document(None, None)
    made += nodes.paragraph(text="Only this.")
    into_the_last_section(None, made)
    assert made.astext() == "Only this."
