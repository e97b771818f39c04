"""A machine opened at a text: what it says next, what each block would have said, what its heads look at, and what changes without one.

All of it is `pencil.reference`, so that GPT-2 and the book's own writer are asked the same questions by the same lines.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pencil.reference import (
    BlockConfig,
    DecoderParams,
    causal_mask,
    decoder,
    first_token_mask,
    induction_mask,
    logit_lens,
    pattern_score,
    previous_token_mask,
    same_token_mask,
    stable_softmax,
    stack,
    unembed,
    without_head,
)
from pencil.rounding import show

LOOKS = {  # what a head may look at: in words, and the mask of those looks
    "the one before": previous_token_mask,
    "the first": first_token_mask,
    "the same earlier": same_token_mask,
    "what came after the same": induction_mask,
}


NOTED = ("embedding", "x", "query", "key", "weights", "out", "logits")


@dataclass(frozen=True)
class Opened:
    """A decoder and a text.

    Args:
        ids: (T,) the token ids of the text.
        params: the decoder's parameters.
        config: its BlockConfig.
    """

    ids: np.ndarray
    params: DecoderParams
    config: BlockConfig

    @cached_property
    def run(self):  # -> {name: value}
        """What the reference names, as far as it is asked for here: a long text has more than a memory holds."""
        named = {}

        def note(name, value):
            return named.setdefault(name, value) if name.split(".")[-1] in NOTED else value

        decoder(self.ids, self.params, config=self.config, padding=False, note=note)
        return named

    @property
    def heads(self):  # -> [(block, head)]
        """All heads, counted from 1."""
        return [(b, h) for b, block in enumerate(self.params.blocks, 1) for h in range(1, len(block.attention.heads) + 1)]

    def weights(self, block, head):  # -> (T, T)
        """The shares of a head."""
        alone = len(self.params.blocks[block - 1].attention.heads) == 1
        return self.run[f"block{block}.weights" if alone else f"block{block}.head{head}.weights"]

    def answer(self):  # -> (V,)
        """The chances of what comes next."""
        return stable_softmax(self.run["logits"][-1])

    def lens(self):  # -> (blocks + 1, V)
        """What would come next if the machine ended before the first block, behind the first, and so on."""
        names = ["x" if self.params.positions is not None else "embedding", *(f"block{b}.out" for b in range(1, len(self.params.blocks) + 1))]
        return self.chances_of(np.stack([self.run[name][-1] for name in names]))

    def chances_of(self, rows):  # (..., d) -> (..., V)
        """Rows of the residual stream through the lens."""
        return stable_softmax(logit_lens(rows, self.params, config=self.config))

    def scores(self):  # -> {look: {(block, head): score}}, without the looks that the text has not
        """How much of its shares each head gives to each kind of look, on average."""
        masks = {name: make(self.ids) for name, make in LOOKS.items()}
        return {name: {one: float(pattern_score(self.weights(*one), mask)) for one in self.heads} for name, mask in masks.items() if mask.any()}

    def chances(self):  # -> {look: score}
        """The scores of a head that looks at all tokens so far alike."""
        mask = causal_mask(len(self.ids))
        alike, masks = mask / mask.sum(-1, keepdims=True), {name: make(self.ids) for name, make in LOOKS.items()}
        return {name: float(pattern_score(alike, looks)) for name, looks in masks.items() if looks.any()}

    def without(self):  # -> {(block, head): (V,)}
        """The chances of what comes next where one head adds nothing. The blocks before it are not run again."""
        found = {}
        for block, head in self.heads:
            x = self.run[f"block{block - 1}.out"] if block > 1 else self.run["x" if self.params.positions is not None else "embedding"]
            left = without_head(self.params, block=block, head=head)
            x = stack(x, left.blocks[block - 1 :], mask=causal_mask(len(self.ids)), config=self.config, norm=left.norm)
            found[block, head] = stable_softmax(unembed(x[-1:], left)[0])
        return found


def report(opened, pieces, likely=4, heads=3):  # Opened, pieces by id -> list of lines
    """What `python -m pencil experiment open` prints."""
    answer = opened.answer()
    best, without = int(answer.argmax()), opened.without()
    lines = [
        f"{len(opened.ids)} pieces: " + " ".join(f"{pieces[i]!r}" for i in opened.ids),
        "",
        "what comes next: " + _likeliest(answer, pieces, likely),
    ]
    for k, probs in enumerate(opened.lens()):
        lines.append((f"  behind block {k}: " if k else "  before block 1: ") + _likeliest(probs, pieces, likely))
    chances = opened.chances()
    for look, scores in opened.scores().items():
        most = sorted(scores, key=scores.get, reverse=True)[:heads]
        named = ", ".join(f"{b}.{h} {show(scores[b, h])}" for b, h in most)
        lines.append(f"looks at {look} (all alike: {show(chances[look])}): {named}")
    most = sorted(without, key=lambda one: without[one][best])[:heads]
    lines.append(f"{pieces[best]!r} without a head: " + ", ".join(f"{b}.{h} {show(without[b, h][best])}" for b, h in most))
    return lines


def _likeliest(probs, pieces, count):
    return ", ".join(f"{pieces[i]!r} {show(probs[i])}" for i in np.argsort(-probs, kind="stable")[:count].tolist())
