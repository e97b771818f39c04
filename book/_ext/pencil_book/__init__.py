"""What this book adds to Sphinx: numbers that open, boxes to work in, formulas without scripts, nothing from outside."""

from pencil_book import boxes, mathml, numbers, offline


def setup(app):
    """Sphinx calls this once."""
    for part in (boxes, mathml, numbers, offline):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
