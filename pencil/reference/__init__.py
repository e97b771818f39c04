"""The machine in plain NumPy: pure functions, one concept a file, in the order a reader meets them.

embedding, softmax, attention, tags, heads, pooling, head, classifier; then layer_norm and block.

Rows are words, and a grid is a stack of weight-rows: `X @ W.T`, the layout of torch.nn.Linear.
Every function takes `note=exact`; hand it a `pencil.trace.Trace` and each named value is kept.
"""

from pencil.reference.attention import attention, match, weighted_sum
from pencil.reference.block import BlockGrids, block, feed_forward
from pencil.reference.classifier import Classifier, classifier
from pencil.reference.embedding import PADDING, Dictionary, dictionary, embed, pad_or_chop
from pencil.reference.head import Head, binary_cross_entropy, classify, dense, sigmoid
from pencil.reference.heads import multi_head_attention
from pencil.reference.layer_norm import layer_norm
from pencil.reference.pooling import average, padding_mask
from pencil.reference.softmax import softmax, stable_softmax
from pencil.reference.tags import Grids, self_attention, tags

__all__ = [
    "PADDING", "BlockGrids", "Classifier", "Dictionary", "Grids", "Head",
    "attention", "average", "binary_cross_entropy", "block", "classifier", "classify", "dense", "dictionary",
    "embed", "feed_forward", "layer_norm", "match", "multi_head_attention", "pad_or_chop", "padding_mask",
    "self_attention", "sigmoid", "softmax", "stable_softmax", "tags", "weighted_sum",
]  # fmt: skip
