"""The params dataclasses of a description's sizes: the shapes from which a model is made, or loaded."""

from dataclasses import replace
from math import isqrt

import numpy as np

from pencil.reference.attending import AttentionParams, QKVParams
from pencil.reference.blocks import BlockParams
from pencil.reference.classify import ClassifierParams, MLPParams, RNNClassifierParams
from pencil.reference.delta_net import DeltaHeadParams, GatedDeltaNetParams
from pencil.reference.experts import ExpertsParams
from pencil.reference.functional import LayerNormParams
from pencil.reference.latent import LatentAttentionParams
from pencil.reference.networks import FeedForwardParams
from pencil.reference.positions import sinusoidal
from pencil.reference.recurrent import BidirectionalParams, LSTMParams, RNNParams
from pencil.reference.streams import HyperConnectionParams
from pencil.reference.transformers import DecoderParams, EncoderParams
from pencil.reference.vision import ViTParams, sinusoidal_2d


class ConfigParams:
    """The methods of a `Config` that make params of its sizes, all zeros."""

    def attention_params(self, cross=False):
        """AttentionParams, or with `latent_dim` LatentAttentionParams where it is not `cross`; all zeros, as with the other methods."""
        if self.latent_dim is not None and not cross:
            return self._latent_attention_params()
        source_dim = self.memory_dim if cross else self.d_model
        has_bias = self.bias if self.qkv_bias is None else self.qkv_bias
        biases = [_zeros(size) if has_bias else None for size in (self.key_dim, self.key_dim, self.value_dim)]
        head = QKVParams(_zeros(self.key_dim, self.d_model), _zeros(self.key_dim, source_dim), _zeros(self.value_dim, source_dim), *biases)
        group = (head, *[QKVParams(head.query, query_bias=head.query_bias)] * (self.n_heads // self.kv_heads - 1))
        norms = [self._norm(self.key_dim) if self.qk_norm else None] * 2
        concat = self.n_heads * self.value_dim
        params = AttentionParams(group * self.kv_heads, _zeros(self.d_model, concat), self._bias(self.d_model), *norms)
        gate = (_zeros(concat, self.d_model), _zeros(concat) if has_bias else None) if self.gated_attention else (None, None)
        return replace(params, sinks=_zeros(self.n_heads) if self.sinks else None, gate=gate[0], gate_bias=gate[1])

    def linear_attention_params(self):
        """GatedDeltaNetParams, of the layers in `linear_layers`."""
        heads, key_heads, d_k, d_v, size = self.linear_sizes
        d, concat = self.d_model, heads * d_v
        value, key = (_zeros(d_v, d), _zeros(d_v, size)), (_zeros(d_k, d), _zeros(d_k, size))
        group = (DeltaHeadParams(*value, *key, *key), *[DeltaHeadParams(*value)] * (heads // key_heads - 1))
        rows = _zeros(heads, d), _zeros(heads, d), _zeros(heads), _zeros(heads)
        return GatedDeltaNetParams(group * key_heads, _zeros(d, concat), *rows, _zeros(concat, d), self._norm(d_v), self._bias(d))

    def feed_forward_params(self):
        """FeedForwardParams, or with `n_experts` ExpertsParams."""
        d, inner = self.d_model, self.feedforward_dim
        if self.n_experts is not None:
            up, down = _zeros(self.n_experts, inner, d), _zeros(self.n_experts, d, inner)
            return ExpertsParams(_zeros(self.n_experts, d), up, down, up if self.gated else None, _zeros(self.n_experts))
        gate = (_zeros(inner, d), self._bias(inner)) if self.gated else ()
        return FeedForwardParams(_zeros(inner, d), _zeros(d, inner), self._bias(inner), self._bias(d), *gate)

    def norm_params(self):
        """LayerNormParams, with a gain if `affine`, and a bias if `norm_bias` too."""
        return self._norm(self.d_model)

    def block_params(self, cross=False, number=1):
        """BlockParams of the layer of that number, counted from 1, with cross-attention if `cross`."""
        norms = (self.norm_params(),) * (3 if cross else 2)
        between = () if self.n_streams is None else (self._hyper_connection_params(),) * len(norms)
        attention = self.linear_attention_params() if number in self.linear_layers else self.attention_params()
        other = self.attention_params(cross=True) if cross else None
        return BlockParams(attention, self.feed_forward_params(), norms, other, norms if self.sandwich_norm else (), between)

    def stack_params(self, cross=False):
        """A tuple of the BlockParams of all layers."""
        return tuple(self.block_params(cross, number) for number in range(1, self.n_layers + 1))

    def encoder_params(self):
        """EncoderParams. A pre-norm model has a last LayerNorm, a post-norm model needs none. Raises ValueError for linear_layers."""
        self._check_both_ways("an encoder")
        norms = self.norm_params() if self.norm_first else None, self.norm_params() if self.embedding_norm else None
        types = None if self.n_token_types is None else _zeros(self.n_token_types, self.d_model)
        return EncoderParams(self._embedding(), self.stack_params(), self._positions(), norms[0], types, norms[1])

    def decoder_params(self, cross=False):
        """DecoderParams, whose blocks have cross-attention if `cross`."""
        output = None if self.tie_embeddings else self._embedding()
        norm = self.norm_params() if self.norm_first else None
        return DecoderParams(self._embedding(), self.stack_params(cross), self._positions(), norm, output)

    def classifier_params(self):
        """ClassifierParams."""
        return ClassifierParams(self._embedding(), self.attention_params(), self.mlp_head_params())

    def vit_params(self):
        """ViTParams, with a class token; `max_len` counts its position too. Raises ValueError without patch_size or n_classes, for linear_layers."""
        self._check_both_ways("a ViT")
        for name in ("patch_size", "n_classes"):
            if getattr(self, name) is None:
                raise ValueError(f"{name} is not given: a ViT needs it, Config(..., patch_size=4, n_classes=10)")
        norm, numbers = self.norm_params() if self.norm_first else None, self.channels * self.patch_size**2
        params = _zeros(self.d_model, numbers), self.stack_params(), _zeros(self.n_classes, self.d_model), _zeros(1, self.d_model)
        return ViTParams(
            *params, self._image_positions() if self.sinusoidal else self._positions(), norm, self._bias(self.d_model), self._bias(self.n_classes)
        )

    def rnn_params(self):
        """RNNParams: of a plain recurrent network, or of one gate of an LSTM."""
        width = self.rnn_hidden_dim
        return RNNParams(_zeros(width, self.d_model), _zeros(width, width), self._bias(width))

    def lstm_params(self):
        """LSTMParams."""
        return LSTMParams(*(self.rnn_params(),) * 4)

    def bidirectional_params(self):
        """BidirectionalParams of two LSTMs."""
        return BidirectionalParams(self.lstm_params(), self.lstm_params())

    def rnn_classifier_params(self, rnn="rnn"):
        """RNNClassifierParams; `rnn` is "rnn", "lstm" or "bidirectional". Raises ValueError for another."""
        kinds = {"rnn": (self.rnn_params, 1), "lstm": (self.lstm_params, 1), "bidirectional": (self.bidirectional_params, 2)}
        if rnn not in kinds:
            raise ValueError(f"rnn={rnn} is not known; take {', '.join(kinds)}")
        make, directions = kinds[rnn]
        return RNNClassifierParams(self._embedding(), make(), self.mlp_head_params(directions * self.rnn_hidden_dim))

    def mlp_head_params(self, d_in=None):
        """MLPParams of a head that reads rows of width `d_in`; None is d_model."""
        d_in, hidden = self.d_model if d_in is None else d_in, self.head_hidden_dim
        return MLPParams(_zeros(hidden, d_in), _zeros(hidden), _zeros(1, hidden), _zeros(1))

    def _latent_attention_params(self):
        d, d_c, d_q = self.d_model, self.latent_dim, self.query_latent_dim
        query = _zeros(self.key_dim + (self.rope_dim or 0), d if d_q is None else d_q)
        head = QKVParams(query, _zeros(self.key_dim, d_c), _zeros(self.value_dim, d_c))
        query_down, query_norm = (None, None) if d_q is None else (_zeros(d_q, d), self._norm(d_q))
        rotary_key, output = None if self.rope_dim is None else _zeros(self.rope_dim, d), _zeros(d, self.n_heads * self.value_dim)
        return LatentAttentionParams(
            (head,) * self.n_heads, _zeros(d_c, d), output, self._norm(d_c), rotary_key, query_down, query_norm, self._bias(d)
        )

    def _hyper_connection_params(self):
        rows = self.n_streams, self.n_streams, self.n_streams**2
        return HyperConnectionParams(*(_zeros(n, self.n_streams * self.d_model) for n in rows), *map(_zeros, rows))

    def _check_both_ways(self, what):
        if self.linear_layers:
            raise ValueError(f"linear_layers={self.linear_layers} and {what}: linear attention reads from left to right alone; take a Decoder")

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


def _zeros(*shape):
    return np.broadcast_to(0.0, shape)  # a view of one number: it takes no memory
