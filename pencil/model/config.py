"""The sizes of a machine, and what it has. What is chosen and not learned stands in the reference's Recipe."""

from dataclasses import dataclass, replace
from math import isqrt

import numpy as np

from pencil.reference.bidirectional import Bidirectional
from pencil.reference.block import Block, Recipe
from pencil.reference.classifier import Classifier
from pencil.reference.decoder import Decoder
from pencil.reference.encoder import Encoder
from pencil.reference.feed_forward import FeedForward, gelu
from pencil.reference.head import Head
from pencil.reference.heads import Attention
from pencil.reference.layer_norm import Norm
from pencil.reference.lstm import LSTM
from pencil.reference.patches import sine_cosine_2d
from pencil.reference.positions import sine_cosine
from pencil.reference.rnn import Recurrent
from pencil.reference.tags import Grids
from pencil.reference.vit import ViT
from pencil.reference.walker import WalkerClassifier

# The recipe of a machine that is made new. A bundle's own default, Recipe(), has ReLU and eps 0, for paper.
GPT2 = Recipe(norm_first=True, eps=1e-5, bend=gelu)  # what GPT-2 chose; an eps of 0 is for paper


@dataclass(frozen=True)
class Config:
    """The sizes of a machine. Raises ValueError for sizes that do not go together.

    d_model       how wide a row is
    n_heads       heads in each attention; n_blocks: blocks in a line
    d_k, d_v      of one head; d_model / n_heads unless given
    d_ff          the worker's inner width; 4 × d_model unless given
    rows          tokens in the table; every machine that takes ids needs it
    max_len       seats in the seat table; None has no seats at all
    wave          the seats are the sine and cosine wave, which does not learn
    d_memory      how wide the rows of the other text are; d_model unless given
    hidden        workers in a classifier's head; d_model unless given
    d_h           how wide a walker's memory is; d_model unless given
    patch         side of a picture's patches; channels: sheets of a picture; classes: what it may show
    bias, affine  biases in the grids; a gain and a bias in each LayerNorm
    tied          the table serves as the writer's output grid too
    """

    d_model: int
    n_heads: int = 1
    d_k: int | None = None  # of one head: d_model / n_heads
    d_v: int | None = None  # of one head: d_k
    d_ff: int | None = None  # 4 × d_model (Vaswani et al. 2017, 3.3)
    n_blocks: int = 1
    rows: int | None = None  # of the table: one for each token
    max_len: int | None = None  # seats in the seat table; None has no table
    wave: bool = False  # the seat table is the sine–cosine wave, which does not learn
    d_memory: int | None = None  # width of the other text that is asked: d_model
    hidden: int | None = None  # workers in a classifier's head: d_model
    d_h: int | None = None  # width of a walker's memory: d_model
    patch: int | None = None  # side of a patch
    channels: int = 1  # sheets of a picture: 3 in colour
    classes: int | None = None
    bias: bool = True
    affine: bool = True  # a gain and a bias in each LayerNorm
    tied: bool = True  # the table serves as the output grid too

    def __post_init__(self):
        for name, size in vars(self).items():
            if size is not None and not isinstance(size, bool) and size < 1:
                raise ValueError(f"{name}={size}; a size is at least 1")
        if self.d_k is None and self.d_model % self.n_heads:
            raise ValueError(f"d_model={self.d_model} does not split into n_heads={self.n_heads}; try {_tries(self.d_model, self.n_heads)}")
        usual = {"d_k": self.d_k or self.d_model // self.n_heads, "d_ff": 4 * self.d_model, "d_memory": self.d_model}
        usual |= {"hidden": self.d_model, "d_h": self.d_model}
        for name, size in (usual | {"d_v": usual["d_k"]}).items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, size)

    def attention(self, cross=False):
        """An Attention bundle of these sizes, all zeros; so with the other methods."""
        reads = self.d_memory if cross else self.d_model
        biases = [self._bias(size) for size in (self.d_k, self.d_k, self.d_v)]
        head = Grids(_zeros(self.d_k, self.d_model), _zeros(self.d_k, reads), _zeros(self.d_v, reads), *biases)
        return Attention((head,) * self.n_heads, _zeros(self.d_model, self.n_heads * self.d_v), self._bias(self.d_model))

    def feed_forward(self):
        """The worker's grids."""
        return FeedForward(_zeros(self.d_ff, self.d_model), _zeros(self.d_model, self.d_ff), self._bias(self.d_ff), self._bias(self.d_model))

    def norm(self):
        """A LayerNorm's gain and bias."""
        return Norm(_zeros(self.d_model), _zeros(self.d_model)) if self.affine else Norm()

    def block(self, cross=False):
        """A block; with `cross` it also asks another text."""
        norms = (self.norm(),) * (3 if cross else 2)
        return Block(self.attention(), self.feed_forward(), norms, self.attention(cross=True) if cross else None)

    def encoder(self, recipe=GPT2):
        """A reader. A Pre-LN machine ends in a norm, a Post-LN machine needs none."""
        return Encoder(self._table(), (self.block(),) * self.n_blocks, self._seats(), self.norm() if recipe.norm_first else None)

    def decoder(self, recipe=GPT2, cross=False):
        """A writer."""
        output = None if self.tied else self._table()
        norm = self.norm() if recipe.norm_first else None
        return Decoder(self._table(), (self.block(cross),) * self.n_blocks, self._seats(), norm, output)

    def classifier(self):
        """The look-across machine."""
        return Classifier(self._table(), self.attention(), self._head(self.d_model))

    def vit(self, recipe=GPT2):
        """A machine that looks at pictures, with a class token; `max_len` counts its seat too."""
        for name in ("patch", "classes"):
            if getattr(self, name) is None:
                raise ValueError(f"{name} is not given: say it for a machine that looks at pictures, Config(..., patch=4, classes=10)")
        norm, numbers = self.norm() if recipe.norm_first else None, self.channels * self.patch**2
        grids = _zeros(self.d_model, numbers), (self.block(),) * self.n_blocks, _zeros(self.classes, self.d_model), _zeros(1, self.d_model)
        return ViT(*grids, self._picture_seats() if self.wave else self._seats(), norm, self._bias(self.d_model), self._bias(self.classes))

    def recurrent(self):
        """What one gate of a walker reads with; of a plain walker it is all."""
        return Recurrent(_zeros(self.d_h, self.d_model), _zeros(self.d_h, self.d_h), self._bias(self.d_h))

    def lstm(self):
        """The four gates of a walker with two memories."""
        return LSTM(*(self.recurrent(),) * 4)

    def bidirectional(self):
        """Two such walkers, one for each way."""
        return Bidirectional(self.lstm(), self.lstm())

    def walker(self, walk="rnn"):
        """The walking machine; `walk` is rnn, lstm or bidirectional. Raises ValueError for another."""
        walks = {"rnn": (self.recurrent, 1), "lstm": (self.lstm, 1), "bidirectional": (self.bidirectional, 2)}
        if walk not in walks:
            raise ValueError(f"walk={walk} is not known; take {', '.join(walks)}")
        make, times = walks[walk]
        return WalkerClassifier(self._table(), make(), self._head(times * self.d_h))

    def asking(self, d_memory):
        """The same sizes, for a machine that asks a text of that width."""
        return replace(self, d_memory=d_memory)

    def _head(self, reads):
        return Head(_zeros(self.hidden, reads), _zeros(self.hidden), _zeros(1, self.hidden), _zeros(1))

    def _bias(self, size):
        return _zeros(size) if self.bias else None

    def _table(self):
        if self.rows is None:
            raise ValueError("rows is not given: say how many tokens the table holds, Config(..., rows=1000)")
        return _zeros(self.rows, self.d_model)

    def _picture_seats(self):  # the class token's seat is nowhere (He et al. 2022, in their code)
        side = isqrt((self.max_len or 1) - 1)
        if side < 1 or self.max_len != 1 + side**2:
            raise ValueError(f"max_len={self.max_len}; a wave over a square picture needs one seat for the class token and side·side for its patches")
        return np.concatenate([_zeros(1, self.d_model), sine_cosine_2d(np.arange(side), np.arange(side), self.d_model)])

    def _seats(self):
        if self.wave and self.max_len is None:
            raise ValueError("max_len is not given: say how many seats the wave is laid out for, Config(..., max_len=512)")
        if self.max_len is None:
            return None
        return sine_cosine(np.arange(self.max_len), self.d_model) if self.wave else _zeros(self.max_len, self.d_model)


def _tries(size, count):  # 10, 4 -> "2 or 5"
    fit = [n for n in range(1, size + 1) if size % n == 0]
    near = [max(n for n in fit if n < count or n == 1), min((n for n in fit if n > count), default=size)]
    return " or ".join(str(n) for n in sorted(set(near)))


def _zeros(*shape):
    return np.broadcast_to(0.0, shape)  # a shape and no memory
