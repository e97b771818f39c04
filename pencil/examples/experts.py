"""Chapter 19, mixture of experts: two words, four experts whose scores are logarithms of whole numbers, and the block of chapter 16 with two."""

from dataclasses import replace

import numpy as np

from pencil.examples.modern import GATED_FEED_FORWARD, MODERN_BLOCK, MODERN_CONFIG
from pencil.examples.shared import matrix
from pencil.reference.experts import ExpertsParams, Routing

EXPERTS_ROWS = matrix([2, 1], [1, 2])
ROUTER_EXPS = matrix([2, 1], [1, 3], [1, 2], [1, 1])  # the router is ln of them
EXPERTS = ExpertsParams(
    router=np.log(ROUTER_EXPS),
    up=np.stack([matrix([1, 1], [1, -1]), matrix([0, 1], [1, 0]), matrix([1, 2], [0, 1]), matrix([1, 0], [0, 1])]),
    down=np.stack([matrix([2, 1], [1, -3]), matrix([2, -1], [3, 2]), matrix([1, 0], [1, 1]), matrix([1, 1], [0, 1])]),
)

# Two networks in the place of one: that of chapter 16, and one more. Each word goes through one of them.
EXPERTS_BLOCK = replace(
    MODERN_BLOCK,
    feed_forward=ExpertsParams(
        router=matrix([1, 0, 0, 0], [0, 0, 1, 0]),
        up=np.stack([GATED_FEED_FORWARD.up, matrix([1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1])]),
        down=np.stack([GATED_FEED_FORWARD.down, matrix([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1])]),
        gate=np.stack([GATED_FEED_FORWARD.gate, matrix([0, 1, 0, 0], [0, 0, 1, -1], [-1, 0, 0, 1])]),
    ),
)
EXPERTS_CONFIG = replace(MODERN_CONFIG, feed_forward=Routing(k=1, normalize=False))
