"""The description of a model: its sizes, which layers it has, and how they compute."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields

from pencil.model.config_params import ConfigParams
from pencil.reference.blocks import BlockConfig, check_layers
from pencil.reference.contracts import check_size
from pencil.reference.functional import gelu, gelu_erf, rms_norm, silu
from pencil.reference.positions import Rotary

LINEAR = ("linear_heads", "linear_key_heads", "linear_d_k", "linear_d_v", "linear_conv_size")  # sizes of the layers with linear attention


@dataclass(frozen=True, repr=False)
class Config(ConfigParams, BlockConfig):
    """A whole model, described once: every model is made from it, and the reference takes it as the `config` of its functions.

    The defaults are GPT-2's choices. What is left None is derived, anew after `dataclasses.replace`: read the sizes from the properties.

    Args:
        d_model: width of an embedding.
        n_heads: heads in each attention.
        n_experts: feed-forward networks in each block, without biases, of which a router picks a few (mixture of experts); None is one.
        n_kv_heads: how many of them have a key and a value of their own, each for a group of heads (grouped-query attention); None is all.
        d_k: width of a head's query and key; None is d_model / n_heads (`key_dim`).
        d_v: width of a head's value; None is that of its key (`value_dim`).
        d_ff: inner width of the feed-forward network; None is 4 × d_model (`feedforward_dim`), two thirds of it where gated (Shazeer 2020, 2).
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
        norm_first, norm, eps, activation, softmax, position_encoding, feed_forward, window, window_layers, window_position_encoding,
            layers_without_positions, score_width, scale_embeddings, sinkhorn_iterations: by keyword, as in `BlockConfig`.
        bias: whether the linear layers have biases.
        qkv_bias: whether queries, keys and values have biases; None is as `bias` says (Qwen2 has no others).
        affine: whether each norm has a gain and a bias.
        norm_bias: whether a norm that is affine has the bias; RMSNorm has none.
        sandwich_norm: whether what each sublayer writes is normalized too, before it is added to the residual stream (Gemma 3).
        gated: whether the feed-forward network has a gate, as SwiGLU.
        qk_norm: whether each head's queries and keys are normalized.
        sinks: whether each head has a learned score that joins the sum of its softmax and has no value (gpt-oss).
        gated_attention: whether the concatenated contexts are multiplied by the sigmoid of a projection of the row (Qwen3-Next).
        latent_dim: width of the one short row from which the keys and values of all heads are made (multi-head latent attention, DeepSeek-V3);
            None is attention without it. Then queries, keys and values have no biases, and n_kv_heads, qkv_bias, qk_norm, sinks and
            gated_attention are left out.
        rope_dim: with a latent_dim, how wide the part of query and key is that Rotary turns, beside `d_k`; None has no such part.
        query_latent_dim: with a latent_dim, width of the short row that the queries are made from; None makes them from the row itself.
        linear_layers: the numbers of the layers, from 1, that have linear attention with the gated delta rule (Gated DeltaNet, Qwen3-Next); for a
            decoder. Positions, windows and all choices of attention above are the other layers' affair.
        linear_heads, linear_d_k, linear_d_v: with linear_layers, heads and widths of those; None are `n_heads`, `key_dim` and `value_dim`.
        linear_key_heads: with linear_layers, how many of their heads have a query and a key of their own, each for a group; None is all.
        linear_conv_size: with linear_layers, how many tokens the convolution of their queries, keys and values sees; None is 4.
        tie_embeddings: whether the token embedding is the decoder's output weight too.
        n_streams: residual streams of each token, mixed by hyper-connections in the place of the residual connections (Zhu et al. 2024)
            and summed before the last norm, where DeepSeek-V4 weights its 4 by a layer of its own. None is one, without them.
        n_token_types: rows of an encoder's table of token types; None has no table.
        embedding_norm: whether an encoder normalizes what its first block reads.

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
    sandwich_norm: bool = False
    gated: bool = False
    qk_norm: bool = False
    tie_embeddings: bool = True
    n_kv_heads: int | None = None
    n_experts: int | None = None
    qkv_bias: bool | None = None
    sinks: bool = False
    gated_attention: bool = False
    latent_dim: int | None = None
    rope_dim: int | None = None
    query_latent_dim: int | None = None
    linear_layers: tuple = ()
    linear_heads: int | None = None
    linear_key_heads: int | None = None
    linear_d_k: int | None = None
    linear_d_v: int | None = None
    linear_conv_size: int | None = None
    n_streams: int | None = None
    n_token_types: int | None = None
    embedding_norm: bool = False
    eps: float = field(default=1e-5, kw_only=True)
    activation: Callable = field(default=gelu, kw_only=True)

    def __post_init__(self):
        super().__post_init__()
        for each in fields(Config):
            value = getattr(self, each.name)
            if not isinstance(value, bool) and (each.type is bool or (each.name == "qkv_bias" and value is not None)):
                raise ValueError(f"{each.name}={value!r} is a {type(value).__name__}; it is True or False")
            if each.type is int or (each.type == int | None and value is not None):
                check_size(each.name, value)
        if self.d_k is None and self.d_model % self.n_heads:
            raise ValueError(f"d_model={self.d_model} does not split into n_heads={self.n_heads}; try {_tries(self.d_model, self.n_heads)}")
        if self.n_heads % self.kv_heads:
            raise ValueError(f"n_heads={self.n_heads} are not shared out to n_kv_heads={self.kv_heads}; try {_tries(self.n_heads, self.kv_heads)}")
        check_layers("linear_layers", self.linear_layers)
        for name in ("window_layers", "layers_without_positions", "linear_layers"):
            if max(getattr(self, name) or (1,)) > self.n_layers:
                raise ValueError(f"{name}={getattr(self, name)} and n_layers={self.n_layers}; there is no such layer, leave it out")
        if self.n_streams is not None and not self.norm_first:
            raise ValueError(f"n_streams={self.n_streams} and norm_first=False: hyper-connections add no sum for Post-LN; leave one of them out")
        self._check_latent()
        self._check_linear()

    def _check_latent(self):
        """Raise ValueError for choices that do not go together with latent attention, or without it."""
        if self.latent_dim is None:
            if odd := next((name for name in ("rope_dim", "query_latent_dim") if getattr(self, name) is not None), None):
                raise ValueError(
                    f"{odd}={getattr(self, odd)} and no latent_dim: it belongs to latent attention; give it a latent_dim, or leave it out"
                )
            return
        for name in ("n_kv_heads", "qkv_bias", "qk_norm", "sinks", "gated_attention"):
            if getattr(self, name):
                raise ValueError(
                    f"latent_dim={self.latent_dim} and {name}={getattr(self, name)}: latent attention does not have it; leave one of them out"
                )
        rotary = any(isinstance(encoding, Rotary) for encoding in (self.position_encoding, self.window_position_encoding))
        if rotary and self.rope_dim is None:
            raise ValueError(
                "Rotary and latent attention without a rope_dim: what is made from the latent is not turned; give it a rope_dim, of 64 say"
            )
        if rotary and self.rope_dim % 2:
            raise ValueError(f"RoPE rotates pairs of numbers, and rope_dim={self.rope_dim}; take {self.rope_dim + 1}")

    def _check_linear(self):
        """Raise ValueError for choices that do not go together with linear attention, or without it."""
        if not self.linear_layers:
            if odd := next((name for name in LINEAR if getattr(self, name) is not None), None):
                raise ValueError(f"{odd}={getattr(self, odd)} and no linear_layers; say which layers have linear attention, or leave it out")
            return
        if both := sorted(set(self.window_layers or ()) & set(self.linear_layers)):
            raise ValueError(f"layer {both[0]} is in window_layers and in linear_layers, and linear attention has no window; leave it out of one")
        heads, key_heads = self.linear_sizes[:2]
        if heads % key_heads:
            raise ValueError(f"linear_heads={heads} are not shared out to linear_key_heads={key_heads}; try {_tries(heads, key_heads)}")

    def __repr__(self):
        """What differs from the defaults: Config(d_model=64, n_heads=4, activation=silu)."""
        in_order = sorted(fields(self), key=lambda each: each.name in BlockConfig.__annotations__)  # the sizes first
        own = {each.name: getattr(self, each.name) for each in in_order if not _same(getattr(self, each.name), each.default)}
        return f"Config({', '.join(f'{name}={_shown(value)}' for name, value in own.items())})"

    @classmethod
    def gpt2(cls, d_model=768, n_heads=12, *, n_layers=12, vocab_size=50257, max_len=1024, **others):
        """GPT-2, the smallest where no sizes are given (Radford et al. 2019)."""
        return cls(d_model, n_heads, n_layers=n_layers, vocab_size=vocab_size, max_len=max_len, **others)

    @classmethod
    def bert(cls, d_model=768, n_heads=12, *, n_layers=12, vocab_size=30522, max_len=512, **others):
        """BERT, the base size where none is given (Devlin et al. 2019): Post-LN, token types, normalized embeddings, the exact GELU."""
        choices = dict(norm_first=False, eps=1e-12, activation=gelu_erf, n_token_types=2, embedding_norm=True)
        return cls(d_model, n_heads, n_layers=n_layers, vocab_size=vocab_size, max_len=max_len, **(choices | others))

    @classmethod
    def llama(cls, d_model=4096, n_heads=32, **others):
        """Llama (Touvron et al. 2023, 2.2): Pre-LN with RMSNorm, SwiGLU, rotary positions, no biases.

        Llama rounds `d_ff` up to a multiple of 256, to 11008 where d_model is 4096: give it, as well as n_layers and vocab_size.
        Raises ValueError for a max_len: rotary positions have no table, and no last row.
        """
        if others.get("max_len") is not None:
            raise ValueError(f"max_len={others['max_len']}: rotary positions have no table, and go on as long as the text; leave it out")
        choices = dict(norm=rms_norm, eps=1e-6, activation=silu, position_encoding=Rotary())
        choices |= dict(bias=False, norm_bias=False, gated=True, tie_embeddings=False)
        return cls(d_model, n_heads, **(choices | others))

    @classmethod
    def qwen3(cls, d_model=1024, n_heads=16, *, d_k=128, n_kv_heads=8, d_ff=3072, n_layers=28, vocab_size=151936, **others):
        """Qwen3, the smallest where no sizes are given (Yang et al. 2025, 2): Llama's choices and QK norm; `d_k` does not follow from d_model."""
        sizes = dict(d_k=d_k, n_kv_heads=n_kv_heads, d_ff=d_ff, n_layers=n_layers, vocab_size=vocab_size)
        choices = dict(qk_norm=True, position_encoding=Rotary(base=1e6), tie_embeddings=True)
        return cls.llama(d_model, n_heads, **(sizes | choices | others))

    @classmethod
    def gemma3(cls, d_model=640, n_heads=4, *, d_k=256, n_kv_heads=1, d_ff=2048, n_layers=18, vocab_size=262144, window=512, **others):
        """Gemma 3, the smallest where no sizes are given (Gemma Team 2025, 2): Llama's choices with the tanh GELU, QK norm, sandwich norms and
        scaled embeddings; every sixth layer attends to all tokens before it, the others to a window, with a rotary base of their own.
        """
        sizes = dict(d_k=d_k, n_kv_heads=n_kv_heads, d_ff=d_ff, n_layers=n_layers, vocab_size=vocab_size)
        near = dict(window=window, window_layers=tuple(i for i in range(1, n_layers + 1) if i % 6), window_position_encoding=Rotary())
        choices = dict(activation=gelu, qk_norm=True, sandwich_norm=True, scale_embeddings=True, tie_embeddings=True)
        return cls.llama(d_model, n_heads, **(sizes | near | choices | dict(position_encoding=Rotary(base=1e6)) | others))

    @classmethod
    def vit(cls, d_model=768, n_heads=12, *, n_layers=12, patch_size=16, channels=3, n_classes=1000, max_len=197, **others):
        """ViT, the base size where none is given (Dosovitskiy et al. 2021, table 1); `max_len` counts the class token."""
        image = dict(patch_size=patch_size, channels=channels, n_classes=n_classes, max_len=max_len)
        return cls(d_model, n_heads, n_layers=n_layers, **({"eps": 1e-6, "activation": gelu_erf} | image | others))

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
    def linear_sizes(self):
        """Of linear attention: heads, those with a query and a key of their own, widths of a key and of a value, and tokens of the convolution."""
        heads = self.n_heads if self.linear_heads is None else self.linear_heads
        widths = self.key_dim if self.linear_d_k is None else self.linear_d_k, self.value_dim if self.linear_d_v is None else self.linear_d_v
        return heads, self.linear_key_heads or heads, *widths, self.linear_conv_size or 4

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


def _same(value, default):
    return value is default or (isinstance(value, bool | int | float) and value == default and type(value) is type(default))


def _shown(value):
    return getattr(value, "__name__", None) or repr(value)


def _tries(size, count):  # 10, 4 -> "2 or 5", the divisors of the size next to the count
    fit = [n for n in range(1, size + 1) if size % n == 0]
    near = [max(n for n in fit if n < count or n == 1), min((n for n in fit if n > count), default=size)]
    return " or ".join(str(n) for n in sorted(set(near)))
