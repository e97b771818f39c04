"""BPELab: train byte pair encoding on a text, merge by merge."""

from html import escape

from pencil.examples import BPE_TEXT
from pencil.reference import tokenize, train_bpe

MOST = 400  # maximum length of the text


class BPELab:
    """A text to type, and the merges that `train_bpe` learns from it, one at a time.

    The page computes them in JavaScript; `splits` computes the same with `pencil.reference`.
    """

    def __init__(self, text=BPE_TEXT, joins=3):
        self.text, self.joins = text, joins

    def __repr__(self):
        return f"BPELab: {len(tokenize(self.text))} words, {self.joins} merges"

    def splits(self):  # -> [[piece, …], …], a list for each word
        """The pieces of each word after the merges."""
        words = tokenize(self.text)
        pairs = train_bpe(words, num_merges=self.joins)
        return [pairs.tokenize(word) for word in words]

    def _repr_html_(self):
        """Static HTML with the pieces, which the script makes interactive."""
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
