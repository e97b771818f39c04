"""WriterLab: text generation with chapter 14's tiny GPT in the page, with the attention of each head."""

from dataclasses import replace
from functools import cached_property
from html import escape

import numpy as np

from pencil.experiments.exported import CONFIG
from pencil.experiments.writer import page_writer
from pencil.params import flatten
from pencil.reference import gate_heads, logit_lens, stable_softmax
from pencil.trace import Trace
from pencil.widgets import exported

SCRIPT = "pencil-writer.js"  # next to the page's own script; loaded when a lab that needs it becomes visible
NOTED = ("x", "out", "weights", "logits", "probs", "next_id")
FIELDS = {  # name: (label, minimum)
    "temperature": ("Temperature", "0.01"),
    "keep": ("Keep the likeliest", "1"),
    "seed": ("Seed", "0"),
}
STILL = 160  # characters of the text that is shown without scripts


class WriterLab:
    """A prompt, a temperature, top-k (`keep`) and a seed.

    The page's engine runs the program of `trace`, which `script()` exports; `write` computes the same with NumPy.
    """

    name = "WriterLab"

    def __init__(self, text="The film ", temperature=0.5, keep=10, seed=2, writer=None):
        self.writer = writer or page_writer.read()
        self.text, self.temperature, self.keep, self.seed = text, temperature, keep, seed
        self.writer.ids(text)  # raises ValueError for an unknown character
        self.writer.check_top_k(keep)

    def __repr__(self):
        size = sum(array.size for array in flatten(self.writer.params).values())
        return f"WriterLab: {size:,} numbers in bytes, {len(self.writer.vocabulary)} letters, {self.writer.positions} positions"

    def write(self, text=None, count=40):  # -> str
        """The text, continued by `count` characters as the page does with the same settings."""
        return self.writer.write(self.text if text is None else text, count, self.temperature, self.keep, self.seed)

    @cached_property
    def trace(self):  # -> Trace
        """A run on all positions; only values that this lab or OpenWriterLab (chapter 22) shows have names.

        `gates` has a factor for each head's output; `lens0`, `lens1` … are the next-letter probabilities of the logit lens at each
        position, before the first block and after each.
        """
        trace, blocks = Trace(), self.writer.params.blocks
        params = trace.given_each("writer", self.writer.params)
        gates = trace.given("gates", np.ones((len(blocks), len(blocks[0].attention.heads))))
        params = replace(params, blocks=tuple(replace(b, attention=gate_heads(b.attention, gates[k])) for k, b in enumerate(params.blocks)))
        ids, last = trace.given("ids", np.zeros(self.writer.positions)), trace.given("last", [0])
        settings = [trace.given(name, value) for name, value in (("temperature", self.temperature), ("keep", self.keep), ("u", 0.5))]
        page_writer.sample_next(ids, last, params, *settings, exported.noting(trace, NOTED))
        for k, name in enumerate(("x", *(f"block{b}.out" for b in range(1, len(blocks) + 1)))):
            trace(f"lens{k}", stable_softmax(logit_lens(trace.names[name], params, config=CONFIG)))
        return trace

    def script(self):  # -> str
        """The script that the page loads: the program, and the parameters in int8."""
        return exported.script(self.trace, self.writer.params, vocabulary=self.writer.vocabulary, positions=self.writer.positions)

    def _repr_html_(self):
        """Static HTML with a generated text, which the script makes interactive."""
        fields = "\n".join(FIELD.format(name=name, label=label, least=least, value=getattr(self, name)) for name, (label, least) in FIELDS.items())
        return HTML.format(script=SCRIPT, text=escape(self.text), fields=fields, still=escape(self.write(count=STILL)[len(self.text) :]))


FIELD = '<label>{label} <input class="pencil-cell" name="{name}" min="{least}" value="{value}" maxlength="12" autocomplete="off"></label>'
HTML = """<section class="pencil-lab pencil-writer" aria-label="Writer lab" data-script="../_static/{script}">
<div class="pencil-lab-still"><p>{text}<mark>{still}</mark></p></div>
<div class="pencil-lab-live" hidden>
<label>Text <span class="pencil-marked"><span aria-hidden="true"></span><textarea rows="4" spellcheck="false">
{text}</textarea></span></label>
<div class="pencil-controls">
{fields}
<button type="button" data-count="1">Write a letter</button><button type="button" data-count="60">Write sixty</button>
<button type="button" data-count="0">Stop</button>
</div>
<p class="wrong" role="alert"></p><p class="pencil-said" role="status"></p>
<div class="pencil-likely" role="group" aria-label="The letters that may come next" tabindex="0">
<table class="pencil-bars"><caption>The letters that may come next, the likeliest first.</caption><tbody></tbody></table></div>
<label>Look back from letter <input type="range" min="1" max="1" value="1"></label>
<p class="pencil-lab-says">Each head has a line. The fuller the shade under a letter, the more attention goes to it; the fullest gets the most.</p>
<div class="pencil-looks"></div>
</div></section>"""
