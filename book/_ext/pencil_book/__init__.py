"""The Sphinx extension of the book: interactive numbers, boxes, MathML, line breaks, and pages without external resources."""

import gc
from importlib import import_module

PARTS = (  # with roles, directives or nodes
    *("api", "boxes", "drawn", "figures", "gallery", "lines", "live"),
    *("mathml", "numbers", "path", "readings", "slides"),
)
SPHINX, THEME = 500, 501  # the priorities of what Sphinx and the theme do at an event
ORDER = {  # event: what this extension does then, in this order, each with its priority
    "builder-inited": [(SPHINX, "live.write_script")],
    "doctree-read": [
        (300, "footnotes.into_the_last_section"),  # the next two look at the sections
        (400, "path.into_the_chapter"),  # Sphinx collects the titles after it
        (600, "code.fold"),  # its switch stands before the line with the chapter's time
    ],
    "env-updated": [(SPHINX, "index.add_entries"), (SPHINX, "moved.accept")],
    "doctree-resolved": [(SPHINX, "glossary.lead_to_the_glossary"), (SPHINX, "moved.lead_on")],
    "html-collect-pages": [(SPHINX, "not_found.page")],
    "html-page-context": [
        *((SPHINX, part) for part in ("described.describe", "live.carry", "kata.carry", "mathml.load", "search.load", "slides.step")),
        (THEME + 1, "downloads.offer_the_text"),  # among the theme's buttons
    ],
    "build-finished": [
        *((SPHINX, part) for part in ("downloads.lay_the_texts_beside", "folded.leave_folded", "offline.leave_out", "search.write_texts")),
        (800, "finish.finish_all"),  # the whole pages
        (900, "purge.purge_all"),  # looks for the classes and ids that these still use
    ],
}


def setup(app):
    """Set up all parts of the extension, and what they do in the order of ORDER."""
    gc.set_threshold(20_000, 20, 20)  # by default Python looks through the millions of nodes so often that it takes a fifth of the build
    for part in PARTS:
        import_module(f"pencil_book.{part}").setup(app)
    for event, steps in ORDER.items():
        for priority, step in steps:
            part, _, name = step.partition(".")
            app.connect(event, getattr(import_module(f"pencil_book.{part}"), name), priority)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
