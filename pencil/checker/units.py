"""Units: a value whose name declares one (`exam_seconds`, `rows_mib`) is followed by no other in the text."""

import re

from pencil.checker.numerals import pieces
from pencil.checker.rendered import BOUND, rendered_text

UNITS = {  # what a name says: what the text says
    "seconds": "seconds?", "ms": "milliseconds?|ms", "minutes": "minutes?", "hours": "hours?", "bits": "bits?", "bytes": "bytes?", "mib": "MiB",
    "gib": "GiB",
}  # fmt: skip
_AFTER = re.compile(rf"{BOUND}(?: and {BOUND})* (?P<unit>{'|'.join(UNITS.values())})\b")


def judge_units(verdict):  # Verdict -> None
    """Add a failure for each bound number with another unit than its name declares."""
    block = verdict.block
    seen = rendered_text(block)
    names = {piece.start: piece for piece in pieces(block) if piece.kind == "binding"}
    for match in _AFTER.finditer(seen.text):
        for piece in [names[seen.place(at)] for at in range(*match.span()) if seen.text[at] == BOUND]:
            declared = {*re.split(r"[\W_]+", piece.reference)} & {*UNITS}
            if declared and not any(re.fullmatch(UNITS[unit], match["unit"]) for unit in declared):
                verdict.fail(
                    piece.start,
                    f"{block.text[slice(*piece.shown)]} {match['unit']}",
                    f"{piece.reference} is in {min(declared)}: write that unit, or bind another value",
                )
