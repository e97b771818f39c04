"""Interpretability of a decoder on a text: next-token probabilities, logit lens, attention patterns, head ablation.

Everything runs in `pencil.reference`, for GPT-2 and for the book's own tiny GPT alike.
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

LOOKS = {  # attention patterns: the name as printed, and the function that makes the mask
    "the one before": previous_token_mask,
    "the first": first_token_mask,
    "the same earlier": same_token_mask,
    "what came after the same": induction_mask,
}
NOTED = ("embedding", "scaled_embedding", "x", "query", "key", "weights", "out", "logits")  # last parts of the names that are kept


@dataclass(frozen=True)
class Opened:
    """A decoder and a text.

    Args:
        ids: (T,) the token ids of the text.
        params: the decoder's parameters.
        config: its BlockConfig.
        n_pieces: how many ids have a piece; those beyond, which only fill the embedding up, get no probability. None is all.
    """

    ids: np.ndarray
    params: DecoderParams
    config: BlockConfig
    n_pieces: int | None = None

    @cached_property
    def run(self):  # -> {name: array}
        """The named values of the forward pass that are used here; all of them would take too much memory for a long text."""
        named = {}

        def note(name, value):
            return named.setdefault(name, value) if name.split(".")[-1] in NOTED else value

        with np.errstate(over="raise", invalid="raise"):
            try:
                decoder(self.ids, self.params, config=self.config, note=note)
            except FloatingPointError as wrong:
                raise ValueError(f"the model's numbers overflow on this text ({wrong}): download its files again") from None
        return named

    @property
    def heads(self):  # -> [(block, head)]
        """The (block, head) of all heads, counted from 1."""
        return [(b, h) for b, block in enumerate(self.params.blocks, 1) for h in range(1, len(block.attention.heads) + 1)]

    def weights(self, block, head):  # -> (T, T)
        """The attention weights of a head."""
        alone = len(self.params.blocks[block - 1].attention.heads) == 1
        return self.run[f"block{block}.weights" if alone else f"block{block}.head{head}.weights"]

    def next_token_probs(self):  # -> (V,)
        """The probabilities of the next token."""
        return self._probs(self.run["logits"][-1])

    def _probs(self, logits):  # (..., rows of the embedding) -> (..., V), of the ids that have a piece
        return stable_softmax(logits[..., : self.n_pieces])

    def residual(self, depth):  # -> (T, d)
        """The residual stream after `depth` blocks."""
        start = next(name for name in ("x", "scaled_embedding", "embedding") if name in self.run)
        return self.run[f"block{depth}.out" if depth else start]

    def logit_lens(self):  # -> (blocks + 1, V)
        """The probabilities of the next token by the logit lens, before the first block and after each."""
        return self.logit_lens_probs(np.stack([self.residual(depth)[-1] for depth in range(len(self.params.blocks) + 1)]))

    def logit_lens_probs(self, rows):  # (..., d) -> (..., V)
        """The logit lens, followed by a softmax, of any rows of the residual stream."""
        return self._probs(logit_lens(rows, self.params, config=self.config))

    def _patterns(self):  # -> {name: (T, T) bool}, without patterns that do not occur in the text
        masks = {name: make(self.ids) for name, make in LOOKS.items()}
        return {name: mask for name, mask in masks.items() if mask.any()}

    def scores(self):  # -> {pattern: {(block, head): score}}
        """The `pattern_score` of each head, for each pattern that occurs in the text."""
        return {name: {one: float(pattern_score(self.weights(*one), mask)) for one in self.heads} for name, mask in self._patterns().items()}

    def uniform_scores(self):  # -> {pattern: score}
        """The scores of uniform attention, as a baseline."""
        mask = causal_mask(len(self.ids))
        uniform = mask / mask.sum(-1, keepdims=True)
        return {name: float(pattern_score(uniform, pattern)) for name, pattern in self._patterns().items()}

    def ablated_probs(self):  # -> {(block, head): (V,)}
        """The probabilities of the next token with one head ablated, for each head. Only the blocks from that head's on are run again."""
        found = {}
        for block, head in self.heads:
            params = without_head(self.params, block=block, head=head)
            x = self.residual(block - 1)
            x = stack(x, params.blocks[block - 1 :], start=block, mask=causal_mask(len(self.ids)), config=self.config, norm=params.norm)
            found[block, head] = self._probs(unembed(x[-1:], params)[0])
        return found


def report(opened, pieces, likely=4, heads=3):  # Opened, list of str -> list of lines
    """The lines that `python -m pencil experiment open` prints.

    Args:
        opened: an Opened.
        pieces: the text of each token, by id.
        likely: the number of most probable tokens to list.
        heads: the number of heads to list for each pattern.
    """
    next_probs = opened.next_token_probs()
    best, ablated = int(next_probs.argmax()), opened.ablated_probs()
    lines = [
        f"{len(opened.ids)} tokens: " + " ".join(f"{pieces[i]!r}" for i in opened.ids),
        "",
        "what comes next: " + _likeliest(next_probs, pieces, likely),
    ]
    for k, probs in enumerate(opened.logit_lens()):
        lines.append((f"  after block {k}: " if k else "  before block 1: ") + _likeliest(probs, pieces, likely))
    uniform = opened.uniform_scores()
    for pattern, scores in opened.scores().items():
        top = sorted(scores, key=scores.get, reverse=True)[:heads]
        named = ", ".join(f"{b}.{h} {show(scores[b, h])}" for b, h in top)
        lines.append(f"looks at {pattern} (all alike: {show(uniform[pattern])}): {named}")
    top = sorted(ablated, key=lambda head: ablated[head][best])[:heads]
    lines.append(f"{pieces[best]!r} without a head: " + ", ".join(f"{b}.{h} {show(ablated[b, h][best])}" for b, h in top))
    return lines


def _likeliest(probs, pieces, count):
    return ", ".join(f"{pieces[i]!r} {show(probs[i])}" for i in np.argsort(-probs, kind="stable")[:count].tolist())
