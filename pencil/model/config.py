"""The sizes of a model and which layers it has. What is no size (norm order and kind, eps, activation, position encoding) is in `BlockConfig`."""

from dataclasses import dataclass, replace
from math import isqrt

import numpy as np

from pencil.reference.attending import AttentionParams, QKVParams
from pencil.reference.blocks import BlockConfig, BlockParams
from pencil.reference.classify import ClassifierParams, MLPParams, RNNClassifierParams
from pencil.reference.contracts import check_size
from pencil.reference.experts import ExpertsParams
from pencil.reference.functional import LayerNormParams, gelu, rms_norm, silu
from pencil.reference.networks import FeedForwardParams
from pencil.reference.positions import Rotary, sinusoidal
from pencil.reference.recurrent import BidirectionalParams, LSTMParams, RNNParams
from pencil.reference.transformers import DecoderParams, EncoderParams
from pencil.reference.vision import ViTParams, sinusoidal_2d

# The default of a model that is made from a Config: GPT-2's choices. Without one a model of reference params takes BlockConfig(), the
# reference's own default, with ReLU and an eps of 0.
GPT2 = BlockConfig(norm_first=True, eps=1e-5, activation=gelu)
# What Llama and its kin have instead (Touvron et al. 2023, 2.2); with Config(..., bias=False, norm_bias=False, gated=True,
# tie_embeddings=False). Llama rounds d_ff up to a multiple of 256: give d_ff, 11008 where d_model is 4096.
LLAMA = BlockConfig(norm_first=True, norm=rms_norm, eps=1e-6, activation=silu, position_encoding=Rotary())
SWITCHES = ("sinusoidal", "bias", "affine", "norm_bias", "gated", "qk_norm", "tie_embeddings")  # the fields of a Config that are no sizes


@dataclass(frozen=True)
class Config:
    """The sizes of a model. What is left None is derived, anew after `replace`: read the sizes from the properties.

    Args:
        d_model: width of an embedding.
        n_heads: heads in each attention.
        n_experts: how many feed-forward networks each block has, of which a router picks a few (mixture of experts); None is one, and no router.
            Experts have no biases.
        n_kv_heads: how many of them have a key and a value of their own, each for a group of heads (grouped-query attention); None is all.
        d_k: width of a head's query and key; None is d_model / n_heads (`key_dim`).
        d_v: width of a head's value; None is that of its key (`value_dim`).
        d_ff: inner width of the feed-forward network; None is 4 × d_model (`feedforward_dim`; Vaswani et al. 2017, 3.3), and two
            thirds of it where it is gated, so that three matrices have as many numbers as two (Shazeer 2020, 2).
        n_layers: how many blocks.
        vocab_size: rows of the token embedding; every model that takes ids needs it.
        max_len: rows of the position embedding; None has no position embedding.
        sinusoidal: whether the position embedding is the sinusoidal table, which is not learned.
        d_memory: width of the rows that cross-attention takes keys and values from; None is d_model (`memory_dim`).
        head_hidden_size: hidden units of a classifier's head; None is d_model (`head_hidden_dim`).
        hidden_size: width of a recurrent network's hidden state; None is d_model (`rnn_hidden_dim`).
        patch_size: side of an image's patches, in pixels.
        channels: of an image, 3 in colour.
        n_classes: classes of images.
        bias: whether the linear layers have biases.
        affine: whether each norm has a gain and a bias.
        norm_bias: whether a norm that is affine has the bias; RMSNorm has none.
        gated: whether the feed-forward network has a gate, as SwiGLU.
        qk_norm: whether each head's queries and keys are normalized.
        tie_embeddings: whether the token embedding is the decoder's output weight too.

    Raises ValueError for a size that is no int or below 1 and, without a d_k, for a d_model that does not split into n_heads.
    """

    d_model: int
    n_heads: int = 1
    d_k: int | None = None
    d_v: int | None = None
    d_ff: int | None = None
    n_layers: int = 1
    vocab_size: int | None = None
    max_len: int | None = None
    sinusoidal: bool = False
    d_memory: int | None = None
    head_hidden_size: int | None = None
    hidden_size: int | None = None
    patch_size: int | None = None
    channels: int = 1
    n_classes: int | None = None
    bias: bool = True
    affine: bool = True
    norm_bias: bool = True
    gated: bool = False
    qk_norm: bool = False
    tie_embeddings: bool = True
    n_kv_heads: int | None = None
    n_experts: int | None = None

    def __post_init__(self):
        for name, size in vars(self).items():
            if name in SWITCHES and not isinstance(size, bool):
                raise ValueError(f"{name}={size!r} is a {type(size).__name__}; it is True or False")
            if size is None or name in SWITCHES:
                continue
            check_size(name, size)
        if self.d_k is None and self.d_model % self.n_heads:
            raise ValueError(f"d_model={self.d_model} does not split into n_heads={self.n_heads}; try {_tries(self.d_model, self.n_heads)}")
        if self.n_heads % self.kv_heads:
            raise ValueError(f"n_heads={self.n_heads} are not shared out to n_kv_heads={self.kv_heads}; try {_tries(self.n_heads, self.kv_heads)}")

    @property
    def kv_heads(self):
        """Heads with a key and a value of their own."""
        return self.n_heads if self.n_kv_heads is None else self.n_kv_heads

    @property
    def key_dim(self):
        """Width of a head's query and key."""
        return self.d_model // self.n_heads if self.d_k is None else self.d_k

    @property
    def value_dim(self):
        """Width of a head's value."""
        return self.key_dim if self.d_v is None else self.d_v

    @property
    def feedforward_dim(self):
        """Inner width of the feed-forward network."""
        if self.d_ff is not None:
            return self.d_ff
        return 8 * self.d_model // 3 if self.gated else 4 * self.d_model

    @property
    def memory_dim(self):
        """Width of the rows that cross-attention takes keys and values from."""
        return self.d_model if self.d_memory is None else self.d_memory

    @property
    def head_hidden_dim(self):
        """Hidden units of a classifier's head."""
        return self.d_model if self.head_hidden_size is None else self.head_hidden_size

    @property
    def rnn_hidden_dim(self):
        """Width of a recurrent network's hidden state."""
        return self.d_model if self.hidden_size is None else self.hidden_size

    def attention(self, cross=False):
        """AttentionParams of these sizes, all zeros; the other methods alike."""
        source_dim = self.memory_dim if cross else self.d_model
        biases = [self._bias(size) for size in (self.key_dim, self.key_dim, self.value_dim)]
        head = QKVParams(_zeros(self.key_dim, self.d_model), _zeros(self.key_dim, source_dim), _zeros(self.value_dim, source_dim), *biases)
        group = (head, *[QKVParams(head.query, query_bias=head.query_bias)] * (self.n_heads // self.kv_heads - 1))
        norms = [self._norm(self.key_dim) if self.qk_norm else None] * 2
        return AttentionParams(group * self.kv_heads, _zeros(self.d_model, self.n_heads * self.value_dim), self._bias(self.d_model), *norms)

    def feed_forward(self):
        """FeedForwardParams, or with `n_experts` ExpertsParams."""
        d, inner = self.d_model, self.feedforward_dim
        if self.n_experts is not None:
            up, down = _zeros(self.n_experts, inner, d), _zeros(self.n_experts, d, inner)
            return ExpertsParams(_zeros(self.n_experts, d), up, down, up if self.gated else None, _zeros(self.n_experts))
        gate = (_zeros(inner, d), self._bias(inner)) if self.gated else ()
        return FeedForwardParams(_zeros(inner, d), _zeros(d, inner), self._bias(inner), self._bias(d), *gate)

    def norm(self):
        """LayerNormParams, with a gain if `affine`, and a bias if `norm_bias` too."""
        return self._norm(self.d_model)

    def block(self, cross=False):
        """BlockParams, with cross-attention if `cross`."""
        norms = (self.norm(),) * (3 if cross else 2)
        return BlockParams(self.attention(), self.feed_forward(), norms, self.attention(cross=True) if cross else None)

    def encoder(self, config=GPT2):
        """EncoderParams. A pre-norm model has a last LayerNorm, a post-norm model needs none."""
        return EncoderParams(self._embedding(), (self.block(),) * self.n_layers, self._positions(), self.norm() if config.norm_first else None)

    def decoder(self, config=GPT2, cross=False):
        """DecoderParams, whose blocks have cross-attention if `cross`."""
        output = None if self.tie_embeddings else self._embedding()
        norm = self.norm() if config.norm_first else None
        return DecoderParams(self._embedding(), (self.block(cross),) * self.n_layers, self._positions(), norm, output)

    def classifier(self):
        """ClassifierParams."""
        return ClassifierParams(self._embedding(), self.attention(), self.mlp_head())

    def vit(self, config=GPT2):
        """ViTParams, with a class token; `max_len` counts its position too. Raises ValueError without patch_size or n_classes."""
        for name in ("patch_size", "n_classes"):
            if getattr(self, name) is None:
                raise ValueError(f"{name} is not given: a ViT needs it, Config(..., patch_size=4, n_classes=10)")
        norm, numbers = self.norm() if config.norm_first else None, self.channels * self.patch_size**2
        params = _zeros(self.d_model, numbers), (self.block(),) * self.n_layers, _zeros(self.n_classes, self.d_model), _zeros(1, self.d_model)
        return ViTParams(
            *params, self._image_positions() if self.sinusoidal else self._positions(), norm, self._bias(self.d_model), self._bias(self.n_classes)
        )

    def rnn(self):
        """RNNParams: of a plain recurrent network, or of one gate of an LSTM."""
        width = self.rnn_hidden_dim
        return RNNParams(_zeros(width, self.d_model), _zeros(width, width), self._bias(width))

    def lstm(self):
        """LSTMParams."""
        return LSTMParams(*(self.rnn(),) * 4)

    def bidirectional(self):
        """BidirectionalParams of two LSTMs."""
        return BidirectionalParams(self.lstm(), self.lstm())

    def rnn_classifier(self, rnn="rnn"):
        """RNNClassifierParams; `rnn` is "rnn", "lstm" or "bidirectional". Raises ValueError for another."""
        kinds = {"rnn": (self.rnn, 1), "lstm": (self.lstm, 1), "bidirectional": (self.bidirectional, 2)}
        if rnn not in kinds:
            raise ValueError(f"rnn={rnn} is not known; take {', '.join(kinds)}")
        make, directions = kinds[rnn]
        return RNNClassifierParams(self._embedding(), make(), self.mlp_head(directions * self.rnn_hidden_dim))

    def mlp_head(self, d_in=None):
        """MLPParams of a head that reads rows of width `d_in`; None is d_model."""
        d_in, hidden = self.d_model if d_in is None else d_in, self.head_hidden_dim
        return MLPParams(_zeros(hidden, d_in), _zeros(hidden), _zeros(1, hidden), _zeros(1))

    def with_memory(self, d_memory):
        """The same sizes, with cross-attention to rows of width `d_memory`."""
        return replace(self, d_memory=d_memory)

    def _norm(self, width):
        return LayerNormParams(_zeros(width) if self.affine else None, _zeros(width) if self.affine and self.norm_bias else None)

    def _bias(self, size):
        return _zeros(size) if self.bias else None

    def _embedding(self):
        if self.vocab_size is None:
            raise ValueError("vocab_size is not given: say how many tokens the vocabulary has, Config(..., vocab_size=1000)")
        return _zeros(self.vocab_size, self.d_model)

    def _image_positions(self):  # sinusoidal in two dimensions; zeros for the class token (He et al. 2022, in their code)
        side = isqrt((self.max_len or 1) - 1)
        if side < 1 or self.max_len != 1 + side**2:
            raise ValueError(f"max_len={self.max_len}; a square image needs one position for the class token and side·side for its patches")
        return np.concatenate([_zeros(1, self.d_model), sinusoidal_2d(np.arange(side), np.arange(side), width=self.d_model)])

    def _positions(self):
        if self.sinusoidal and self.max_len is None:
            raise ValueError("max_len is not given: say how many rows the sinusoidal table has, Config(..., max_len=512)")
        if self.max_len is None:
            return None
        return sinusoidal(np.arange(self.max_len), width=self.d_model) if self.sinusoidal else _zeros(self.max_len, self.d_model)


def _tries(size, count):  # 10, 4 -> "2 or 5", the divisors of the size next to the count
    fit = [n for n in range(1, size + 1) if size % n == 0]
    near = [max(n for n in fit if n < count or n == 1), min((n for n in fit if n > count), default=size)]
    return " or ".join(str(n) for n in sorted(set(near)))


def _zeros(*shape):
    return np.broadcast_to(0.0, shape)  # a view of one number: it takes no memory
