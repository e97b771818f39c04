"""FilmLab: the writer of one small film, before or after instruction tuning (chapter 14b)."""

from pencil.experiments import records
from pencil.experiments.writer import page_writer
from pencil.widgets.writer_lab import WriterLab

FILES = {"before": "pencil-film-before.js", "after": "pencil-film-after.js"}


def read(which):  # "before" or "after" -> PageWriter
    """The writer of the record, as the page runs it."""
    stored = records.read("film")
    return page_writer.read(records.Record(f"film {which}", stored.provenance, {"vocabulary": stored["vocabulary"], **stored[which]}))


class FilmLab(WriterLab):
    """The likeliest letter, again and again, from a question about the film."""

    name = "FilmLab"

    def __init__(self, which="after", text="who was on the mat?\n"):
        super().__init__(text, keep=1, seed=0, writer=read(which), file=FILES[which], label=f"Film lab, {which} tuning")
