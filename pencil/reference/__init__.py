"""The machine in plain NumPy: pure functions, one concept a file, in the order a reader meets them.

Words into numbers: tokens, embedding, counts, tf_idf, byte_pairs.
Sticks with meaning: cooccurrence, squeeze, cosine, skip_gram, glove.
Walkers: rnn, fade, lstm, bidirectional, walker.
Look across: embedding, softmax, attention, tags, heads, pooling, head, classifier.
The block: layer_norm, feed_forward, block, stack. Order: positions. Who sees whom: masks.
Turning the dials: descent. Writing: ngrams, sampling.
Pictures: patches, vit.
Whole machines: encoder, decoder, encoder_decoder. (linear and checks serve them all.)

Rows are words, and a grid is a stack of weight-rows: `X @ W.T`, the layout of torch.nn.Linear.
Every function that works numbers out takes `note=exact`; hand it a `pencil.trace.Trace` and each named value is kept.
"""

from pencil.reference.attention import attention, match, weighted_sum
from pencil.reference.bidirectional import Bidirectional, arrival, bidirectional, walk
from pencil.reference.block import Block, Recipe, block
from pencil.reference.byte_pairs import BytePairs, byte_pairs, chunks, pair_counts
from pencil.reference.classifier import Classifier, classifier
from pencil.reference.cooccurrence import cooccurrence, ppmi
from pencil.reference.cosine import cosine, nearest
from pencil.reference.counts import count_vectors, one_hot
from pencil.reference.decoder import Decoder, decoder, unembed
from pencil.reference.descent import Adam, Momentum, adam, descend
from pencil.reference.embedding import PADDING, Dictionary, dictionary, embed, pad_or_chop
from pencil.reference.encoder import Encoder, encoder
from pencil.reference.encoder_decoder import EncoderDecoder, encoder_decoder
from pencil.reference.fade import fade, step_slope
from pencil.reference.feed_forward import FeedForward, feed_forward, gelu, gelu_erf, relu
from pencil.reference.glove import glove, glove_slopes, glove_weight
from pencil.reference.head import Head, binary_cross_entropy, classify, dense, sigmoid
from pencil.reference.heads import Attention, multi_head_attention
from pencil.reference.layer_norm import Norm, layer_norm
from pencil.reference.linear import linear
from pencil.reference.lstm import LSTM, lstm, lstm_step
from pencil.reference.masks import causal_mask, key_mask, padding_mask
from pencil.reference.ngrams import Ngrams, follow_chances, ngrams, smoothed
from pencil.reference.patches import cut, in_front, sine_cosine_2d
from pencil.reference.pooling import average, first, greatest, last
from pencil.reference.positions import Alibi, Rotary, alibi, rotate, seat, sine_cosine, wave
from pencil.reference.rnn import Recurrent, rnn, rnn_step
from pencil.reference.sampling import chances, draw, greedy, temperature, top_k, top_p
from pencil.reference.skip_gram import skip_gram, skip_gram_step
from pencil.reference.softmax import softmax, stable_softmax
from pencil.reference.squeeze import Squeezed, squeeze
from pencil.reference.stack import stack
from pencil.reference.tags import Grids, cross_attention, self_attention, tags
from pencil.reference.tf_idf import tf_idf
from pencil.reference.tokens import tokens, words_and_marks
from pencil.reference.vit import ViT, vit
from pencil.reference.walker import WalkerClassifier, walker_classifier

__all__ = [
    "LSTM", "PADDING", "Adam", "Alibi", "Attention", "Bidirectional", "Block", "BytePairs", "Classifier", "Decoder", "Dictionary", "Encoder",
    "EncoderDecoder", "FeedForward", "Grids", "Head", "Momentum", "Ngrams", "Norm", "Recipe", "Recurrent", "Rotary", "Squeezed", "ViT",
    "WalkerClassifier", "adam", "alibi", "arrival", "attention", "average", "bidirectional", "binary_cross_entropy", "block", "byte_pairs",
    "causal_mask", "chances", "chunks", "classifier", "classify", "cooccurrence", "cosine", "count_vectors", "cross_attention", "cut", "decoder",
    "dense", "descend", "dictionary", "draw", "embed", "encoder", "encoder_decoder", "fade", "feed_forward", "first", "follow_chances", "gelu",
    "gelu_erf", "glove", "glove_slopes", "glove_weight", "greatest", "greedy", "in_front", "key_mask", "last", "layer_norm", "linear", "lstm",
    "lstm_step", "match", "multi_head_attention", "nearest", "ngrams", "one_hot", "pad_or_chop", "padding_mask", "pair_counts", "ppmi", "relu", "rnn",
    "rnn_step", "rotate", "seat", "self_attention", "sigmoid", "sine_cosine", "sine_cosine_2d", "skip_gram", "skip_gram_step", "smoothed", "softmax",
    "squeeze", "stable_softmax", "stack", "step_slope", "tags", "temperature", "tf_idf", "tokens", "top_k", "top_p", "unembed", "vit", "walk",
    "walker_classifier", "wave", "weighted_sum", "words_and_marks",
]  # fmt: skip
