"""The Sphinx extension of the book: interactive numbers, boxes, MathML, line breaks, and pages without external resources."""

import gc
from importlib import import_module

PARTS = (
    *("api", "boxes", "code", "described", "downloads", "drawn", "figures", "finish", "folded", "footnotes", "glossary", "index"),
    *("kata", "lines", "live", "mathml", "moved", "not_found", "numbers", "offline", "path", "purge", "readings", "search", "slides"),
)


def setup(app):
    """Set up all parts of the extension."""
    gc.set_threshold(20_000, 20, 20)  # by default Python looks through the millions of nodes so often that it takes a fifth of the build
    for part in PARTS:
        import_module(f"pencil_book.{part}").setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
