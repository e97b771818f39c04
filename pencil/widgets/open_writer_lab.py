"""OpenWriterLab: interpretability of chapter 14's tiny GPT on the reader's own text, in chapter 22."""

from functools import cached_property
from html import escape

import numpy as np

from pencil.experiments.exported import CONFIG
from pencil.experiments.pretrained.opened import LOOKS, Opened
from pencil.experiments.writer import page_writer
from pencil.reference import without_head
from pencil.rounding import show
from pencil.widgets.writer_lab import SCRIPT

LIKELY = 3  # characters that the logit lens lists


class OpenWriterLab:
    """A text to type, the attention weights of every head, the logit lens after every block, and heads to ablate.

    The page's engine runs the program of `WriterLab.script()`; `opened` computes the same with NumPy. `head` is the (block, head)
    selected at first. Raises ValueError for a text with unknown characters or more characters than positions, and for an unknown head.
    """

    name = "OpenWriterLab"

    def __init__(self, text="The queen sat on the throne and she wore h", head=(2, 3), writer=None):
        self.writer = writer or page_writer.read()
        self.text, self.head = text, head
        self.ids = self.writer.ids(text)  # raises ValueError for an unknown character
        if len(text) > self.writer.positions:
            raise ValueError(f"the text has {len(text)} letters, and the writer sees {self.writer.positions} at once; shorten it")
        if head not in self.opened().heads:
            raise ValueError(f"there is no head {head}; there are {', '.join(map(str, self.opened().heads))}")

    def __repr__(self):
        return f"OpenWriterLab: {len(self.text)} letters, {len(self.opened().heads)} heads, {len(self.writer.params.blocks)} blocks"

    def opened(self, off=()):  # [(block, head), …] -> Opened
        """The model on the text, with these heads ablated."""
        params = self.writer.params
        for block, head in off:
            params = without_head(params, block=block, head=head)
        return Opened(self.ids, params, CONFIG)

    def losses(self, off=()):  # -> (n - 1,)
        """The loss of each character of the text but the first, with these heads ablated."""
        opened = self.opened(off)
        probs = opened.logit_lens_probs(opened.run[f"block{len(self.writer.params.blocks)}.out"][:-1])
        return -np.log(probs[np.arange(len(self.ids) - 1), self.ids[1:]])

    # ---- display

    @cached_property
    def _called(self):
        return {(block, head): f"head {block}.{head}" for block, head in self.opened().heads}

    def _repr_html_(self):
        """Static HTML with the tables of the NumPy run, which the script makes interactive."""
        heads = "\n".join(HEAD.format(called=called, checked=" checked" * (one == self.head)) for one, called in self._called.items())
        off = "\n".join(OFF.format(called=called) for called in self._called.values())
        columns = len(self.writer.params.blocks[0].attention.heads)
        looks = "".join(f'<th scope="col">{look}</th>' for look in LOOKS)
        text, still = escape(self.text), self._heads_still() + self._lens_still()
        return HTML.format(script=SCRIPT, still=still, text=text, heads=heads, off=off, columns=columns, looks=looks)

    def _heads_still(self):
        opened = self.opened()
        next_probs, scores = opened.next_token_probs(), opened.scores()
        best = int(next_probs.argmax())
        letter = escape(self.writer.vocabulary[best])
        ablated = opened.ablated_probs()
        rows = [
            *(
                (called, [found[one] for found in scores.values()], ablated[one][best], self.losses([one]).mean())
                for one, called in self._called.items()
            ),
            ("all alike; with all heads", [*opened.uniform_scores().values()], next_probs[best], self.losses().mean()),
        ]
        head = [*scores, f"probability of {letter} without it", "mean loss without it"]
        return _table(f"The writer at “{escape(self.text)}”: what each head looks at, and what changes without it", head, [
            (name, [*map(show, found), show(prob), show(loss)]) for name, found, prob, loss in rows
        ])  # fmt: skip

    def _lens_still(self):
        rows = []
        for depth, probs in enumerate(self.opened().logit_lens()):
            likely = np.argsort(-probs, kind="stable")[:LIKELY]
            said = [f"{escape(self.writer.vocabulary[i]).replace(' ', '␣')} {show(probs[i])}" for i in likely]
            rows.append((f"after block {depth}" if depth else "before block 1", said))
        return _table("What would come next?", [], rows)


def _table(caption, head, rows):
    columns = "".join(f'<th scope="col">{name}</th>' for name in head)
    body = "\n".join(f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>' for name, cells in rows)
    head = f"<thead><tr><td></td>{columns}</tr></thead>\n" if columns else ""
    return f"<table>\n<caption>{caption}</caption>\n{head}<tbody>\n{body}\n</tbody></table>\n"


HEAD = '<label><input type="radio" name="pencil-head"{checked}><span></span>{called}</label>'
OFF = '<label><input type="checkbox"> {called}</label>'
HTML = """<section class="pencil-lab pencil-open" aria-label="Open writer lab" data-script="../_static/{script}">
<div class="pencil-lab-still">
{still}</div>
<div class="pencil-lab-live" hidden>
<label>Your text <span class="pencil-marked"><span aria-hidden="true"></span><textarea rows="2" spellcheck="false">
{text}</textarea></span></label>
<p class="wrong" role="alert"></p><p class="pencil-lab-said" role="status"></p>
<div class="pencil-controls"><button type="button" data-reset>Reset this lab</button></div>
<fieldset class="pencil-heads" style="--columns:{columns}"><legend>Choose a head (2.3 is block two, head three)</legend>
{heads}
</fieldset>
<p class="pencil-lab-says">The shares of the head that you chose: a row for each letter that looks, a column for each that is looked at.
The fuller a cell, the larger the share. Tap one.</p>
<div class="pencil-shares-map" role="group" tabindex="0"></div>
<div class="pencil-sliders"><label>Who looks <input type="range" min="1" max="1" value="1"></label>
<label>At whom <input type="range" min="1" max="1" value="1"></label></div>
<p class="pencil-pair"></p>
<details><summary>The picture in words: where each letter looks most</summary><ol></ol></details>
<table class="pencil-measures"><caption>What does each head look at in your text? The share that it gives, on average.</caption>
<thead><tr><td></td>{looks}</tr></thead><tbody></tbody></table>
<table class="pencil-lens"><caption></caption><tbody></tbody></table>
<fieldset class="pencil-off"><legend>Switch a head off</legend>
{off}
</fieldset>
<div class="pencil-parts"><table class="pencil-bars"><caption></caption><tbody></tbody></table>
<table class="pencil-bars" hidden><caption></caption><tbody></tbody></table></div>
<p class="pencil-right"></p>
<p class="pencil-loss"></p>
<div class="pencil-looks" hidden><p aria-hidden="true"></p><p></p></div>
</div></section>"""
