"""Mistakes in a gated feed-forward layer, and on the wire behind it."""

import numpy as np

from pencil.exercises.mistake import Mistake

GATED = (
    Mistake(
        "no_silu",
        "activated",
        lambda at: at("gate") * 1,
        "You left the gate as it was. It goes through SiLU: the number times its sigmoid.",
        far=True,
    ),
    Mistake(
        "relu_for_silu",
        "activated",
        lambda at: np.maximum(at("gate"), 0),
        "You bent the gate as ReLU does. SiLU lets a little through below zero.",
        far=True,
    ),
    Mistake(
        "share_alone",
        "activated",
        lambda at: 1 / (1 + np.exp(-at("gate"))),
        "That is the sigmoid alone. SiLU is the number times its sigmoid.",
        far=True,
    ),
    Mistake("not_gated", "gated", lambda at: at("hidden") * 1, "You left the gate out. Multiply the two rows, place by place.", far=True),
    Mistake("gate_alone", "gated", lambda at: at("activated") * 1, "That is the gate alone. Multiply the other row by it, place by place.", far=True),
    Mistake(
        "other_bent",
        "gated",
        lambda at: at("gate") * at("hidden") / (1 + np.exp(-at("hidden"))),
        "You bent the other row. SiLU is for the gate.",
        far=True,
    ),
    Mistake(
        "tamed_on_top",
        "out",
        lambda at: at("norm2.normalized") + at("mlp_out"),
        "You laid the tamed row on top. The wire goes round the taming: add the stream.",
        far=True,
    ),
    Mistake(
        "old_row_on_top",
        "out",
        lambda at: at("x") + at("mlp_out"),
        "You laid the row on top that came into the block. The second wire carries the stream, which attention has changed.",
        far=True,
    ),
    Mistake(
        "attention_on_top",
        "out",
        lambda at: at("attn_out") + at("mlp_out"),
        "You laid what attention gave on top. The second wire carries the stream: the old row and what attention gave.",
        far=True,
    ),
)
