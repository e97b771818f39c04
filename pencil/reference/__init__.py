"""The machine in plain NumPy: pure functions, one concept a file, in the order a reader meets them.

Look across: embedding, softmax, attention, tags, heads, pooling, head, classifier.
The block: layer_norm, feed_forward, block, stack. Order: positions. Who sees whom: masks.
Whole machines: encoder, decoder, encoder_decoder. (linear and checks serve them all.)

Rows are words, and a grid is a stack of weight-rows: `X @ W.T`, the layout of torch.nn.Linear.
Every function takes `note=exact`; hand it a `pencil.trace.Trace` and each named value is kept.
"""

from pencil.reference.attention import attention, match, weighted_sum
from pencil.reference.block import Block, Recipe, block
from pencil.reference.classifier import Classifier, classifier
from pencil.reference.decoder import Decoder, decoder, unembed
from pencil.reference.embedding import PADDING, Dictionary, dictionary, embed, pad_or_chop
from pencil.reference.encoder import Encoder, encoder
from pencil.reference.encoder_decoder import EncoderDecoder, encoder_decoder
from pencil.reference.feed_forward import FeedForward, feed_forward, gelu, gelu_erf, relu
from pencil.reference.head import Head, binary_cross_entropy, classify, dense, sigmoid
from pencil.reference.heads import Attention, multi_head_attention
from pencil.reference.layer_norm import Norm, layer_norm
from pencil.reference.linear import linear
from pencil.reference.masks import causal_mask, key_mask, padding_mask
from pencil.reference.pooling import average, first, greatest, last
from pencil.reference.positions import Alibi, Rotary, alibi, rotate, seat, sine_cosine, wave
from pencil.reference.softmax import softmax, stable_softmax
from pencil.reference.stack import stack
from pencil.reference.tags import Grids, cross_attention, self_attention, tags

__all__ = [
    "PADDING", "Alibi", "Attention", "Block", "Classifier", "Decoder", "Dictionary", "Encoder", "EncoderDecoder",
    "FeedForward", "Grids", "Head", "Norm", "Recipe", "Rotary",
    "alibi", "attention", "average", "binary_cross_entropy", "block", "causal_mask", "classifier", "classify",
    "cross_attention", "decoder", "dense", "dictionary", "embed", "encoder", "encoder_decoder", "feed_forward",
    "first", "gelu", "gelu_erf", "greatest", "key_mask", "last", "layer_norm", "linear", "match",
    "multi_head_attention", "pad_or_chop", "padding_mask", "relu", "rotate", "seat", "self_attention", "sigmoid",
    "sine_cosine", "softmax", "stable_softmax", "stack", "tags", "unembed", "wave", "weighted_sum",
]  # fmt: skip
