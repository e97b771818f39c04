"""What this book adds to Sphinx: numbers that open and change, lines that break well, boxes, formulas without scripts, nothing from outside."""

from pencil_book import boxes, lines, live, mathml, numbers, offline


def setup(app):
    """Sphinx calls this once."""
    for part in (boxes, lines, live, mathml, numbers, offline):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
