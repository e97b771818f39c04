"""What this book adds to Sphinx: numbers that open and change, lines that break well, boxes, formulas without scripts, nothing from outside."""

from pencil_book import accessible, api, boxes, described, glossary, kata, lines, live, mathml, numbers, offline, purge


def setup(app):
    """Sphinx calls this once."""
    for part in (accessible, api, boxes, described, glossary, lines, live, kata, mathml, numbers, offline, purge):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
