"""Every function of the reference as code that can be traced, run plain, and run on new inputs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from pencil import examples
from pencil.params import flatten, unflatten
from pencil.reference import (  # fmt: skip
    Alibi,
    AttentionParams,
    BlockConfig,
    BlockParams,
    ClassifierParams,
    DecoderParams,
    EncoderDecoderParams,
    EncoderParams,
    FeedForwardParams,
    LayerNormParams,
    QKVParams,
    Rotary,
    add_positions,
    alibi,
    apply_rope,
    attention,
    binary_cross_entropy,
    block,
    classifier,
    cross_attention,
    decoder,
    embed,
    encoder,
    encoder_decoder,
    feed_forward,
    first_token,
    gelu,
    glove_weight,
    last_token,
    layer_norm,
    max_pool,
    mean_pool,
    mlp_head,
    multi_head_attention,
    probabilities,
    sample,
    self_attention,
    sinusoid,
    sinusoidal,
    stable_softmax,
    stack,
    top_k,
    top_p,
    unembed,
)

WORDS = {"embedding": examples.REVIEW, "x": examples.REVIEW, "query": ("asker",)}


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
        return self.arrays | ({} if self.bundle is None else {f"params.{name}": array for name, array in flatten(self.bundle).items()})

    def function(self, given, note):
        if self.bundle is None:
            return self.code(given, note)
        params = unflatten(self.bundle, {name.removeprefix("params."): array for name, array in given.items() if name.startswith("params.")})
        return self.code(given, params, note)

    def given(self, trace):
        return {name: trace.given(name, value, words=WORDS.get(name)) for name, value in self.start.items()}

    @property
    def draws(self):
        """How to draw each array anew: small numbers, so that no score is so low that e to it is written 0.000."""
        return {name: partial(small, np.shape(value)) for name, value in self.start.items()} | self.redraw

    def redrawn(self, rng):
        return {name: sample(rng) for name, sample in self.draws.items()}


def small(shape, rng):
    return rng.normal(size=shape) / 2


def rolled(params, by):  # another head: the same rows in another order
    return QKVParams(*(np.roll(grid, by, axis=0) for grid in flatten(params).values()))


IDS = np.array([1, 2, 0, 0])
TABLE = np.vstack([np.full((1, 4), 9.0), examples.ROWS])
TWO_HEADS = AttentionParams(tuple(rolled(examples.REVIEW_PARAMS, i) for i in (1, 2)), np.tile(np.eye(4), 2))
MACHINE = ClassifierParams(TABLE, TWO_HEADS, examples.REVIEW_HEAD)
PAST = np.tri(2, dtype=bool)
SEATS = np.array([0.0, 1.0])
TAMED = LayerNormParams(np.array([1, 2, 0.5, 1]), np.array([0, 0.5, 0, -1]))
WORKER = FeedForwardParams(
    np.vstack([examples.PAIR_BLOCK.feed_forward.up, examples.MIXING_MATRIX]), np.tile(np.eye(4), 2), np.arange(8) / 4, np.ones(4)
)
BIASED = QKVParams(*flatten(examples.REVIEW_PARAMS).values(), np.array([0, 1, 0, 0.5]), np.array([1, 0, 0, 0]), np.array([0, 0, 1, 0]))
NARROW = AttentionParams((BIASED, rolled(examples.REVIEW_PARAMS, 1)), np.tile(np.eye(4), 2), np.array([0, 0, 0, 1]))
WHOLE = BlockParams(NARROW, WORKER, (TAMED, LayerNormParams()))
ASKER = BlockParams(NARROW, WORKER, (TAMED, LayerNormParams(), TAMED), AttentionParams((examples.PAIR_HEAD,), examples.MIXING_MATRIX))
READER = EncoderParams(TABLE, (WHOLE, examples.PAIR_BLOCK), np.vstack([examples.PAIR_POSITIONS, np.eye(4)[:2]]), TAMED)
WRITER = DecoderParams(TABLE, (examples.PAIR_BLOCK,), output=np.vstack([TABLE, np.ones(4)]))
TRANSLATOR = EncoderDecoderParams(READER, DecoderParams(TABLE, (ASKER,), norm=LayerNormParams()))
GPT = BlockConfig(eps=1e-5, activation=gelu)
POST = BlockConfig(norm_first=False, eps=1e-5)
K, P = ({"k": lambda rng: rng.integers(1, 6)}, {"p": lambda rng: np.array(rng.uniform(0.05, 0.95))})
SAMPLING = K | P | {"u": lambda rng: np.array(rng.random()), "t": lambda rng: np.array(rng.uniform(0.5, 2))}
SCORES = np.array([1.0, 0, 2, 1, -1])  # two are equal
LOSS = {"target": lambda rng: rng.integers(0, 2, 2), "said": lambda rng: rng.uniform(0.01, 0.99, 2)}

RUNS = [
    Run(
        "self-attention",
        lambda g, params, note: self_attention(g["embedding"], params, note=note),
        {"embedding": examples.ROWS},
        examples.REVIEW_PARAMS,
    ),
    Run(
        "attention with a mask and the stable softmax",
        lambda g, note: attention(g["embedding"], g["embedding"] * 2, g["embedding"], note=note, mask=PAST, softmax=stable_softmax),
        {"embedding": examples.ROWS},
    ),
    Run("two heads", lambda g, params, note: multi_head_attention(g["embedding"], params, note=note), {"embedding": examples.ROWS}, TWO_HEADS),
    Run("layer norm", lambda g, note: layer_norm(g["x"], note=note, eps=1e-5), {"x": examples.ROWS}),
    Run("block", lambda g, params, note: block(g["x"], params, note=note), {"x": examples.ROWS}, examples.PAIR_BLOCK),
    Run(
        "block that does not look ahead",
        lambda g, params, note: block(g["x"], params, note=note, mask=PAST, config=BlockConfig(eps=1e-5)),
        {"x": examples.ROWS},
        examples.PAIR_BLOCK,
    ),
    Run("head", lambda g, params, note: mlp_head(g["pooled"], params, note=note), {"pooled": [0.5, 2, 1, 0]}, examples.REVIEW_HEAD),
    Run("loss", lambda g, note: binary_cross_entropy(g["said"], g["target"], note=note), {"target": [1, 0], "said": [0.96, 0.1]}, redraw=LOSS),
    Run(
        "look-up by traced ids",
        lambda g, note: mean_pool(embed(g["ids"], g["table"], note=note), note=note),
        {"ids": [1, 2, 1], "table": TABLE},
        redraw={"ids": lambda rng: rng.permutation([1, 2, 1])},
    ),
    Run("classifier", lambda g, params, note: classifier(IDS, params, note=note), {}, MACHINE),
    Run("classifier that looks at padding", lambda g, params, note: classifier(IDS, params, note=note, padding=False), {}, MACHINE),
    Run(
        "worker with biases and GELU", lambda g, params, note: feed_forward(g["x"], params, note=note, activation=gelu), {"x": examples.ROWS}, WORKER
    ),
    Run("layer norm with gain and bias", lambda g, norm, note: layer_norm(g["x"], note=note, eps=0.0, norm=norm), {"x": examples.ROWS}, TAMED),
    Run(
        "positions",
        lambda g, note: add_positions(g["embedding"], g["positions"], note=note),
        {"embedding": examples.PAIR_EMBEDDINGS, "positions": np.eye(4)[:3]},
    ),
    Run("encoding", lambda g, note: sinusoidal(g["positions"], width=4, note=note), {"positions": SEATS}),
    Run(
        "turn", lambda g, note: apply_rope(g["x"], *sinusoid(g["positions"], width=4, note=note), note=note), {"x": examples.ROWS, "positions": SEATS}
    ),
    Run("bias", lambda g, note: alibi(g["positions"], slope=0.5, note=note), {"positions": SEATS}),
    Run(
        "head that is turned",
        lambda g, params, note: self_attention(g["x"], params, note=note, mask=PAST, position_encoding=Rotary(g["positions"])),
        {"x": examples.ROWS, "positions": SEATS},
        examples.PAIR_HEAD,
    ),
    Run(
        "heads that lean",
        lambda g, params, note: multi_head_attention(g["x"], params, note=note, position_encoding=Alibi(g["positions"])),
        {"x": examples.ROWS, "positions": SEATS},
        NARROW,
    ),
    Run(
        "cross-attention",
        lambda g, params, note: cross_attention(g["x"], g["memory"], params, note=note, mask=np.array([True, False, True])),
        {"x": examples.ROWS, "memory": np.eye(4)[:3]},
        BIASED,
    ),
    Run("block under Post-LN", lambda g, params, note: block(g["x"], params, note=note, config=POST), {"x": examples.ROWS}, WHOLE),
    *(
        Run(
            f"block that asks another text, {name}",
            lambda g, params, note, config=config: block(g["x"], params, note=note, mask=PAST, config=config, memory=g["memory"]),
            {"x": examples.ROWS, "memory": TABLE},
            ASKER,
        )
        for name, config in {"GELU": GPT, "Post-LN": POST}.items()
    ),
    Run(
        "stack and its last norm",
        lambda g, params, note: stack(g["x"], params.blocks, note=note, mask=PAST, config=GPT, norm=params.norm),
        {"x": examples.ROWS},
        EncoderParams(TABLE[0], (WHOLE, WHOLE), norm=TAMED),
    ),
    Run("encoder", lambda g, params, note: encoder(IDS, params, note=note, config=GPT), {}, READER),
    Run("decoder", lambda g, params, note: decoder(IDS, params, note=note, config=POST), {}, WRITER),
    Run(
        "decoder whose table writes",
        lambda g, params, note: decoder(IDS[:2], params, note=note, config=GPT),
        {},
        DecoderParams(TABLE, (WHOLE,), norm=TAMED),
    ),
    Run("encoder and decoder", lambda g, params, note: encoder_decoder(IDS, IDS[:2], params, note=note, config=GPT), {}, TRANSLATOR),
    Run("unembedding", lambda g, params, note: unembed(g["x"], params, note=note), {"x": examples.ROWS}, DecoderParams(TABLE, ())),
    Run("top k", lambda g, note: stable_softmax(top_k(g["scores"], k=g["k"], note=note), note=note), {"scores": SCORES, "k": 2}, redraw=K),
    Run("top p", lambda g, note: stable_softmax(top_p(g["scores"], p=g["p"], note=note), note=note), {"scores": SCORES, "p": 0.7}, redraw=P),
    Run(
        "sampling of two rows",
        lambda g, note: sample(probabilities(g["scores"], temperature=g["t"], top_k=g["k"], top_p=g["p"], note=note), g["u"], note=note),
        {"scores": np.stack([SCORES, -SCORES]), "t": 0.8, "k": 3, "p": 0.9, "u": 0.4},
        redraw=SAMPLING,
    ),
    Run(
        "how much a pair counts",
        lambda g, note: glove_weight(g["counts"], note=note),
        {"counts": [[10.0, 150], [99, 1]]},
        redraw={"counts": lambda rng: rng.uniform(1, 200, (2, 2))},
    ),
    *(
        Run(
            f"classifier that takes the {pool.__name__}",
            lambda g, params, note, pool=pool: classifier(IDS, params, note=note, pool=pool),
            {},
            MACHINE,
        )
        for pool in (max_pool, first_token, last_token)
    ),
]
