"""BPELab: a text of the reader's own, and byte pairs that join in it."""

from html import escape

from pencil.examples import BPE_TEXT
from pencil.reference import tokenize, train_bpe

MOST = 400  # letters of a text


class BPELab:
    """A text to type; the most frequent pair of pieces is merged step by step, as `train_bpe` merges it.

    In the page the engine does it; `splits` does the same with `pencil.reference`.
    """

    def __init__(self, text=BPE_TEXT, joins=3):
        self.text, self.joins = text, joins

    def __repr__(self):
        return f"BPELab: {len(tokenize(self.text))} words, {self.joins} merges"

    def splits(self):  # -> [[piece, …], …], a list for each word
        """The words in pieces, after the merges."""
        words = tokenize(self.text)
        pairs = train_bpe(words, num_merges=self.joins)
        return [pairs.tokenize(word) for word in words]

    def _repr_html_(self):
        """The words in pieces as Python cuts them, and what the script makes live."""
        still = " ".join("·".join(pieces) for pieces in self.splits())
        return HTML.format(text=escape(self.text), still=escape(still), most=MOST)


HTML = """<section class="pencil-pieces" aria-label="Byte pair lab">
<div class="pencil-lab-still"><p>{still}</p></div>
<div class="pencil-lab-live" hidden>
<label>Your text <textarea rows="2" maxlength="{most}" spellcheck="false">
{text}</textarea></label>
<p class="pencil-controls"><button type="button" data-join="1">Join the commonest pair</button>
<button type="button" data-join="-1">Take the last join back</button><button type="button" data-join="all">Join all</button></p>
<p role="status"></p>
<ol></ol>
</div></section>"""
