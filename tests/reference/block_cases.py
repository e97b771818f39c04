"""Rows and parameters of blocks and whole models, for the tests of wrong arguments."""

from dataclasses import replace

import numpy as np

from pencil import examples
from pencil.reference import (  # fmt: skip
    DecoderParams,
    EncoderDecoderParams,
    EncoderParams,
    LayerNormParams,
)

x, pair, head = examples.ROWS, examples.PAIR_BLOCK, examples.PAIR_HEAD
embedding = np.vstack([np.ones(4), x, x + np.arange(4)])
cross_block = replace(pair, cross=pair.attention, norms=(LayerNormParams(),) * 3)
encoder_params, decoder_params = EncoderParams(embedding, (pair,)), DecoderParams(embedding, (pair,))
both_params = EncoderDecoderParams(encoder_params, DecoderParams(embedding, (cross_block,)))
flat = np.array([[1.0, 2, 3, 4], [5, 5, 5, 5]])


def ones(*shape):
    return np.ones(shape)


def loud(times):
    large = replace(head, query=head.query * times, key=head.key * times)
    return replace(pair, attention=replace(pair.attention, heads=(large,)))
