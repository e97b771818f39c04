"""What this book adds to Sphinx: numbers that open and change, lines that break well, boxes, formulas without scripts, nothing from outside."""

from importlib import import_module

PARTS = (
    *("api", "boxes", "code", "described", "downloads", "drawn", "figures", "finish", "glossary", "index", "kata", "lines", "live"),
    *("mathml", "moved", "not_found", "numbers", "offline", "path", "purge", "readings", "search", "slides"),
)


def setup(app):
    """Sphinx calls this once."""
    for part in PARTS:
        import_module(f"pencil_book.{part}").setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
