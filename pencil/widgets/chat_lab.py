"""ChatLab: a question to the writers of the record `chat`, before they learned to answer and after (chapter 14b)."""

from functools import cached_property
from html import escape

import numpy as np

from pencil.experiments import records
from pencil.experiments.alignment import chat_writer
from pencil.experiments.alignment.chat_writer import ANSWER, END, MAX_NEW_TOKENS
from pencil.experiments.quantization import pack
from pencil.experiments.writer import page_writer
from pencil.params import flatten
from pencil.reference import stable_softmax
from pencil.trace import Trace
from pencil.widgets import exported

SCRIPT = "pencil-chat.js"  # next to the page's own script; loaded when the lab becomes visible


class ChatLab:
    """A question about the film, typed or chosen, and what each writer makes of it. No writer was shown the questions to choose from.

    The page's engine runs the program of `trace`, which `script()` exports, with each writer's parameters; `replies` computes the same
    with NumPy. Raises ValueError for a question with a letter that they do not know.
    """

    name = "ChatLab"

    def __init__(self, question="who was the thief?"):
        self.question, self.record = question, records.read("chat")
        self.writers = {when: chat_writer.read(when, self.record) for when in ("before", "after")}
        self.writers["after"].ids(question)  # raises ValueError for an unknown character

    def __repr__(self):
        size = sum(array.size for array in flatten(self.writers["after"].params).values())
        return f"ChatLab: {size:,} numbers in bytes, twice, {len(self.record['questions'])} questions to choose from"

    def replies(self, question=None):  # -> {"before": str, "after": str}
        """What each writer writes after a question."""
        question = self.question if question is None else question
        return {when: chat_writer.reply(self.writers[when], question, mark) for when, mark in (("before", ""), ("after", ANSWER))}

    @cached_property
    def trace(self):  # -> Trace
        """A run of the second writer on all positions; only the probabilities of the next letter have a name."""
        trace, writer = Trace(), self.writers["after"]
        params = trace.given_each("writer", writer.params)
        ids, last = trace.given("ids", np.zeros(writer.positions)), trace.given("last", [0])
        trace("probs", stable_softmax(page_writer.next_logits(ids, last, params)))
        return trace

    def script(self):  # -> str
        """The script that the page loads: the program, and the parameters of both writers in int8."""
        before, after = self.writers["before"].params, self.writers["after"]
        known = {"others": pack(flatten(before))["numbers"], "vocabulary": after.vocabulary, "positions": after.positions}
        return exported.script(self.trace, after.params, answer=ANSWER, end=END, maxNewTokens=MAX_NEW_TOKENS, **known)

    def _repr_html_(self):
        """Static HTML with a table of recorded answers, which the script replaces by a chat."""
        asked, said = self.record["questions"], self.record["answers"]
        rows = "\n".join(ROW.format(*map(escape, cells)) for cells in zip(asked, said["before"], said["after"], strict=True))
        options = "\n".join(f"<option>{escape(question)}</option>" for question in asked)
        return HTML.format(script=SCRIPT, rows=rows, options=options, question=escape(self.question))


ROW = '<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>'
HTML = """<section class="pencil-lab pencil-chat" aria-label="Chat lab" data-script="../_static/{script}">
<div class="pencil-lab-still"><table><caption>The same questions, before tuning and after</caption>
<thead><tr><td></td><th scope="col">before</th><th scope="col">after</th></tr></thead><tbody>
{rows}
</tbody></table></div>
<div class="pencil-lab-live" hidden>
<form class="pencil-controls">
<label>Choose a question <select>
{options}
</select></label>
<label>or type one <input class="pencil-cell" value="{question}" maxlength="60" autocomplete="off" spellcheck="false"></label>
<button type="submit">Ask</button>
</form>
<p class="wrong" role="alert"></p><p class="pencil-said" role="status"></p>
<dl><dt>Before tuning it goes on</dt><dd></dd><dt>After tuning it answers</dt><dd></dd></dl>
</div></section>"""
