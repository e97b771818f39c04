"""Every machine of the reference as code that can be traced, run plain, and run on redrawn numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from pencil import examples
from pencil.bundles import fill, flatten
from pencil.reference import (
    Alibi,
    Attention,
    Block,
    Classifier,
    Decoder,
    Encoder,
    EncoderDecoder,
    FeedForward,
    Grids,
    Norm,
    Recipe,
    Rotary,
    alibi,
    attention,
    average,
    binary_cross_entropy,
    block,
    classifier,
    classify,
    cross_attention,
    decoder,
    embed,
    encoder,
    encoder_decoder,
    feed_forward,
    first,
    gelu,
    greatest,
    last,
    layer_norm,
    multi_head_attention,
    rotate,
    seat,
    self_attention,
    sine_cosine,
    stable_softmax,
    stack,
    unembed,
    wave,
)  # fmt: skip

WORDS = {"stick": examples.REVIEW, "x": examples.REVIEW, "query": ("asker",)}


@dataclass(frozen=True)
class Run:
    """Code from given arrays to named values, the arrays it starts from, and how to draw others.

    Every array of `bundle` is given behind "grid.", and the code gets the bundle filled with what was given.
    """

    name: str
    code: Callable  # (given, note) -> value, or with a bundle (given, bundle, note) -> value
    arrays: dict
    bundle: object = None
    redraw: dict = field(default_factory=dict)  # name -> rng -> array, for what cannot be just any number

    @property
    def start(self):
        return self.arrays | ({} if self.bundle is None else {f"grid.{name}": array for name, array in flatten(self.bundle).items()})

    def function(self, given, note):
        if self.bundle is None:
            return self.code(given, note)
        grids = fill(self.bundle, {name.removeprefix("grid."): array for name, array in given.items() if name.startswith("grid.")})
        return self.code(given, grids, note)

    def given(self, trace):
        return {name: trace.given(name, value, words=WORDS.get(name)) for name, value in self.start.items()}

    @property
    def draws(self):
        """How to draw each array anew: small numbers, so that no score is so low that e to it is written 0.000."""
        return {name: partial(small, np.shape(value)) for name, value in self.start.items()} | self.redraw

    def redrawn(self, rng):
        return {name: draw(rng) for name, draw in self.draws.items()}


def small(shape, rng):
    return rng.normal(size=shape) / 2


def rolled(grids, by):  # another head: the same rows in another order
    return Grids(*(np.roll(grid, by, axis=0) for grid in flatten(grids).values()))


IDS = np.array([1, 2, 0, 0])
TABLE = np.vstack([np.full((1, 4), 9.0), examples.ROWS])
TWO_HEADS = Attention(tuple(rolled(examples.REVIEW_GRIDS, i) for i in (1, 2)), np.tile(np.eye(4), 2))
MACHINE = Classifier(TABLE, TWO_HEADS, examples.REVIEW_HEAD)
PAST = np.tri(2, dtype=bool)
SEATS = np.array([0.0, 1.0])
TAMED = Norm(np.array([1, 2, 0.5, 1]), np.array([0, 0.5, 0, -1]))
WORKER = FeedForward(np.vstack([examples.PAIR_BLOCK.feed_forward.widen, examples.MIXING_GRID]), np.tile(np.eye(4), 2), np.arange(8) / 4, np.ones(4))
BIASED = Grids(*flatten(examples.REVIEW_GRIDS).values(), np.array([0, 1, 0, 0.5]), np.array([1, 0, 0, 0]), np.array([0, 0, 1, 0]))
NARROW = Attention((BIASED, rolled(examples.REVIEW_GRIDS, 1)), np.tile(np.eye(4), 2), np.array([0, 0, 0, 1]))
WHOLE = Block(NARROW, WORKER, (TAMED, Norm()))
ASKER = Block(NARROW, WORKER, (TAMED, Norm(), TAMED), Attention((examples.PAIR_HEAD,), examples.MIXING_GRID))
READER = Encoder(TABLE, (WHOLE, examples.PAIR_BLOCK), np.vstack([examples.PAIR_SEATS, np.eye(4)[:2]]), TAMED)
WRITER = Decoder(TABLE, (examples.PAIR_BLOCK,), output=np.vstack([TABLE, np.ones(4)]))
TRANSLATOR = EncoderDecoder(READER, Decoder(TABLE, (ASKER,), norm=Norm()))
GPT = Recipe(eps=1e-5, bend=gelu)
POST = Recipe(norm_first=False, eps=1e-5)
LOSS = {"truth": lambda rng: rng.integers(0, 2, 2), "said": lambda rng: rng.uniform(0.01, 0.99, 2)}

RUNS = [
    Run("self-attention", lambda g, grids, note: self_attention(g["stick"], grids, note), {"stick": examples.ROWS}, examples.REVIEW_GRIDS),
    Run(
        "attention with a mask and the stable softmax",
        lambda g, note: attention(g["stick"], g["stick"] * 2, g["stick"], note, PAST, stable_softmax),
        {"stick": examples.ROWS},
    ),
    Run("two heads", lambda g, grids, note: multi_head_attention(g["stick"], grids, note), {"stick": examples.ROWS}, TWO_HEADS),
    Run("layer norm", lambda g, note: layer_norm(g["x"], note, 1e-5), {"x": examples.ROWS}),
    Run("block", lambda g, grids, note: block(g["x"], grids, note), {"x": examples.ROWS}, examples.PAIR_BLOCK),
    Run(
        "block that does not look ahead",
        lambda g, grids, note: block(g["x"], grids, note, PAST, Recipe(eps=1e-5)),
        {"x": examples.ROWS},
        examples.PAIR_BLOCK,
    ),
    Run("head", lambda g, grids, note: classify(g["summary"], grids, note), {"summary": [0.5, 2, 1, 0]}, examples.REVIEW_HEAD),
    Run("loss", lambda g, note: binary_cross_entropy(g["truth"], g["said"], note), {"truth": [1, 0], "said": [0.96, 0.1]}, redraw=LOSS),
    Run(
        "look-up by traced ids",
        lambda g, note: average(embed(g["ids"], g["table"], note), note=note),
        {"ids": [1, 2, 1], "table": TABLE},
        redraw={"ids": lambda rng: rng.permutation([1, 2, 1])},
    ),
    Run("classifier", lambda g, grids, note: classifier(IDS, grids, note), {}, MACHINE),
    Run("classifier that looks at padding", lambda g, grids, note: classifier(IDS, grids, note, masked=False), {}, MACHINE),
    Run("worker with biases and GELU", lambda g, grids, note: feed_forward(g["x"], grids, note, gelu), {"x": examples.ROWS}, WORKER),
    Run("layer norm with gain and bias", lambda g, norm, note: layer_norm(g["x"], note, 0.0, norm), {"x": examples.ROWS}, TAMED),
    Run("seats", lambda g, note: seat(g["stick"], g["seats"], note), {"stick": examples.PAIR_EMBEDDINGS, "seats": np.eye(4)[:3]}),
    Run("stamp", lambda g, note: sine_cosine(g["seats"], 4, note), {"seats": SEATS}),
    Run("turn", lambda g, note: rotate(g["x"], *wave(g["seats"], 4, note), note), {"x": examples.ROWS, "seats": SEATS}),
    Run("lean", lambda g, note: alibi(g["seats"], 0.5, note), {"seats": SEATS}),
    Run(
        "head that is turned",
        lambda g, grids, note: self_attention(g["x"], grids, note, PAST, positions=Rotary(g["seats"])),
        {"x": examples.ROWS, "seats": SEATS},
        examples.PAIR_HEAD,
    ),
    Run(
        "heads that lean",
        lambda g, grids, note: multi_head_attention(g["x"], grids, note, positions=Alibi(g["seats"])),
        {"x": examples.ROWS, "seats": SEATS},
        NARROW,
    ),
    Run(
        "cross-attention",
        lambda g, grids, note: cross_attention(g["x"], g["memory"], grids, note, np.array([True, False, True])),
        {"x": examples.ROWS, "memory": np.eye(4)[:3]},
        BIASED,
    ),
    Run("block under Post-LN", lambda g, grids, note: block(g["x"], grids, note, recipe=POST), {"x": examples.ROWS}, WHOLE),
    *(
        Run(
            f"block that asks another text, {name}",
            lambda g, grids, note, recipe=recipe: block(g["x"], grids, note, PAST, recipe, g["memory"]),
            {"x": examples.ROWS, "memory": TABLE},
            ASKER,
        )
        for name, recipe in {"GELU": GPT, "Post-LN": POST}.items()
    ),
    Run(
        "stack and its last norm",
        lambda g, grids, note: stack(g["x"], grids.blocks, note, PAST, GPT, grids.norm),
        {"x": examples.ROWS},
        Encoder(TABLE[0], (WHOLE, WHOLE), norm=TAMED),
    ),
    Run("encoder", lambda g, grids, note: encoder(IDS, grids, note, GPT), {}, READER),
    Run("decoder", lambda g, grids, note: decoder(IDS, grids, note, POST), {}, WRITER),
    Run("decoder whose table writes", lambda g, grids, note: decoder(IDS[:2], grids, note, GPT), {}, Decoder(TABLE, (WHOLE,), norm=TAMED)),
    Run("encoder and decoder", lambda g, grids, note: encoder_decoder(IDS, IDS[:2], grids, note, GPT), {}, TRANSLATOR),
    Run("unembedding", lambda g, grids, note: unembed(g["x"], grids, note), {"x": examples.ROWS}, Decoder(TABLE, ())),
    *(
        Run(f"classifier that takes the {pool.__name__}", lambda g, grids, note, pool=pool: classifier(IDS, grids, note, pool=pool), {}, MACHINE)
        for pool in (greatest, first, last)
    ),
]
