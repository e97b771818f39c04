"""Chapter 16, the modern block: "cat sat" of chapter 10, through a block as Llama has it."""

import numpy as np

from pencil.examples.block import PAIR_HEAD
from pencil.examples.shared import matrix
from pencil.reference.attending import AttentionParams, QKVParams
from pencil.reference.blocks import BlockConfig, BlockParams
from pencil.reference.functional import rms_norm, silu
from pencil.reference.networks import FeedForwardParams

# The query of chapter 10 cut in two, as its two heads are; both use the key and the value that its first head has.
MODERN_ATTENTION = AttentionParams(
    (QKVParams(PAIR_HEAD.query[:2], PAIR_HEAD.key[:2], PAIR_HEAD.value[:2]), QKVParams(PAIR_HEAD.query[2:])),
    output=np.eye(4),
)
# Three units, as three matrices of three units have about as many numbers as two of four.
GATED_FEED_FORWARD = FeedForwardParams(
    gate=matrix([1, -1, 0, 0], [0, 0, 1, -1], [1, 1, 0, 0]),
    up=matrix([0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]),
    down=matrix([0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 1]),
)
MODERN_BLOCK = BlockParams(MODERN_ATTENTION, GATED_FEED_FORWARD)
MODERN_CONFIG = BlockConfig(norm=rms_norm, activation=silu)  # a page adds the rotary encoding, whose positions it gives
