"""The sentences of a block: their bound numbers, their claims, and whether they are marked as claiming nothing."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pencil.checker.equations import RELATIONS, stated
from pencil.checker.numerals import MARK, arithmetic_text, pieces
from pencil.checker.rendered import rendered_text

_END = re.compile(r"[.!?…][)”’\"]* +(?=\S)")


@dataclass(frozen=True)
class Sentence:
    """A sentence as a reader sees it, each bound number one sign.

    `places` are the offsets of its characters in the block, and `span` is all of it there, with its markup; `bindings` and `claims` are
    pieces; `mark` is the offset of its mark, or None.
    """

    text: str
    places: tuple
    span: tuple
    bindings: tuple
    claims: tuple
    summed: frozenset  # offsets of the bindings that are part of a sum or a comparison in signs, which states itself
    mark: object

    @property
    def start(self):
        return self.places[0]

    @property
    def asks(self):
        return self._closed.endswith("?")

    @property
    def ends(self):
        """Whether it is a whole sentence, and no cell of a table or item of a list."""
        return self._closed.endswith((".", "!", ":", "…"))

    @property
    def _closed(self):
        return self.text.rstrip(' )”’"')

    def claim_at(self, place):
        """The claim whose words hold this offset of the block, or None."""
        return next((claim for claim in self.claims if claim.shown[0] <= place < claim.shown[1]), None)

    def words_of(self, claim):
        """The words of a claim, as a reader sees them."""
        return "".join(sign for sign, place in zip(self.text, self.places, strict=True) if claim.shown[0] <= place < claim.shown[1])


@lru_cache(maxsize=4096)
def sentences(block):  # Block -> tuple of Sentence
    """The sentences of a block, in their order; those of a heading or of code hold no bindings, so there are none."""
    if block.kind != "prose":
        return ()
    seen, found = rendered_text(block), []
    sums = stated(arithmetic_text(block))
    cuts = [0, *(match.end() for match in _END.finditer(seen.text)), len(seen.text)]
    for first, last in pairwise(cuts):
        if seen.text[first:last].strip():
            found.append(_sentence(block, seen, (first, last), sums))
    return tuple(found)


def _sentence(block, seen, within, sums):
    first, last = within
    span = (seen.places[first - 1] + 1 if first else 0, seen.places[last - 1] + 1 if last < len(seen.text) else len(block.text))
    inside = [piece for piece in pieces(block) if span[0] <= (piece.shown[0] if piece.kind == "claim" else piece.start) < span[1]]
    bindings = tuple(piece for piece in inside if piece.kind == "binding")
    marks = [p.start for p in inside if p.kind == "silent" and block.text[p.start : p.end] == MARK]
    summed = {b.start for b in bindings if any(start <= b.shown[0] and b.shown[1] <= end for start, end in sums)}
    summed |= {b.start for b in bindings if any(sign in block.text[slice(*b.shown)] for sign in RELATIONS)}
    claims = tuple(piece for piece in inside if piece.kind == "claim")
    return Sentence(seen.text[first:last], seen.places[first:last], span, bindings, claims, frozenset(summed), marks[0] if marks else None)
