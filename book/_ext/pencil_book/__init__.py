"""What this book adds to Sphinx: numbers that open, lines that break well, boxes to work in, formulas without scripts, nothing from outside."""

from pencil_book import boxes, lines, mathml, numbers, offline


def setup(app):
    """Sphinx calls this once."""
    for part in (boxes, lines, mathml, numbers, offline):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
