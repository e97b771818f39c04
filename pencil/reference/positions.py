"""Position encodings: rows added to the embeddings (learned or sinusoidal), rotary (RoPE), and a bias on the scores (ALiBi)."""

from dataclasses import dataclass, replace

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import check_number, limits, shapes

BASE = 10_000.0  # the wavelengths grow geometrically from 2π to BASE · 2π (Vaswani et al. 2017, 3.5)


@shapes("... T d, max_len d -> ... T d")
def add_positions(x, encoding, *, note=no_note):
    """Add to each row the encoding of its position (Vaswani et al. 2017, 3.5: sinusoidal; GPT-2, BERT: learned).

    - `x`: (..., T, d), one row for each token
    - `encoding`: (max_len, d), one row for each position, from 0 on

    Raises ValueError for more tokens than positions, and for rows of another width.
    """
    n_tokens = x.shape[-2]
    if n_tokens > len(encoding):
        raise ValueError(f"{n_tokens} tokens and {len(encoding)} positions; truncate the text or give the table more rows")
    return note("x", x + encoding[:n_tokens])


@shapes("T -> T pairs, T pairs")
def sinusoid(positions, *, width, base=BASE, note=no_note):
    """The sine and the cosine of each position's angles; angle i is position / base^(2i/width).

    - `positions`: (T,), the position of each token, such as np.arange(T)
    - `width`: twice the number of angles
    - `base`: see `BASE`

    Source: Vaswani et al. 2017, 3.5. Raises ValueError for an odd width, for a base that is not above 0 and for positions that are not one row.
    """
    if width % 2 or width < 2:
        raise ValueError(f"sine and cosine fill the columns in pairs, and the width is {width}; take {width + 1 if width > 0 else 2}")
    check_number("base", base, above=0)
    angle = note("angle", np.stack([positions / base ** (2 * i / width) for i in range(width // 2)], axis=-1))
    return note("sin", np.sin(angle)), note("cos", np.cos(angle))


@shapes("T -> T width")
def sinusoidal(positions, *, width, base=BASE, note=no_note):
    """The sinusoidal position encoding: sine and cosine of each angle in adjacent columns (Vaswani et al. 2017, 3.5).

    The arguments are those of `sinusoid`. Raises ValueError as `sinusoid` does.
    """
    sin, cos = sinusoid(positions, width=width, base=base, note=note)
    return note("encoding", np.stack([sin, cos], axis=-1).reshape((len(positions), width)))


@shapes("... T d, T pairs, T pairs -> ... T d")
def apply_rope(x, sin, cos, *, note=no_note):
    """Rotate each pair of adjacent columns by its position's angle (RoFormer: Su et al. 2021, eq. 34).

    - `x`: (..., T, d), one row for each token
    - `sin`, `cos`: (T, d / 2), as `sinusoid` returns them

    Raises ValueError unless there is one angle for each pair of columns of each token.
    """
    if x.shape[-1] != 2 * sin.shape[-1]:
        raise ValueError(f"rows {x.shape[-2:]} and angles {sin.shape}; RoPE needs one angle for each token and pair of columns")
    first, second = x[..., 0::2], x[..., 1::2]
    rotated = np.stack([first * cos - second * sin, first * sin + second * cos], axis=-1)
    return note("rotated", rotated.reshape(x.shape))


@shapes("T -> T T")
def alibi(positions, *, slope, note=no_note):
    """The bias that ALiBi adds to the scaled scores: −slope · |i − j| (Press et al. 2022, who use it with a causal mask).

    - `positions`: (T,), the position of each token
    - `slope`: the head's slope m

    Raises ValueError for positions that are not one row, and for a slope that is no finite number.
    """
    check_number("slope", slope)
    distance = note("distance", np.abs(positions[:, None] - positions[None, :]))
    return note("bias", -slope * distance)


def _positions(positions, n_tokens, x):  # -> (T,): 0, 1, 2, … where none are given, in the precision of x
    if positions is None:
        return np.arange(n_tokens, dtype=limits(x).dtype)
    if np.ndim(positions) != 1 or len(positions) < n_tokens:
        raise ValueError(f"{np.size(positions)} positions for {n_tokens} tokens; give each token one, or leave them out: 0, 1, 2, …")
    return positions if len(positions) == n_tokens else positions[:n_tokens]


def check_position_encoding(encoding):
    """Raise ValueError for what is no Rotary or Alibi, such as the class itself."""
    if isinstance(encoding, type):
        raise ValueError(f"position_encoding={encoding.__name__} is the class; write {encoding.__name__}()")
    if encoding is not None and not hasattr(encoding, "rotate"):
        raise ValueError(f"position_encoding={encoding!r}; take Rotary() or Alibi()")


@dataclass(frozen=True)
class Rotary:
    """Rotary position encoding (RoPE): query and key are rotated before their dot product.

    `positions` are 0, 1, 2, … unless given; under a trace give them: Rotary(trace.given("positions", [0, 1])). A text takes the first of them.
    """

    positions: object = None  # (T,)
    base: float = BASE

    def __post_init__(self):
        check_number("base", self.base, above=0)

    def for_head(self, head, n_heads):
        """Itself: all heads rotate alike."""
        return self

    def rotate(self, query, key, *, start=0, note=no_note):
        """Query and key, rotated; named query.rotated and key.rotated. A key of None (the head shares one) stays None.

        `start` is how many tokens a cache holds before them.
        """
        positions = _positions(self.positions, start + query.shape[-2], query)
        sin, cos = sinusoid(positions[start:] if start else positions, width=query.shape[-1], base=self.base, note=note)
        query = apply_rope(query, sin, cos, note=scoped(note, "query"))
        return query, None if key is None else apply_rope(key, sin, cos, note=scoped(note, "key"))

    def score_mod(self, scaled, *, note=no_note):
        """The scaled scores, unchanged."""
        return scaled


@dataclass(frozen=True)
class Alibi:
    """Attention with linear biases (ALiBi): a score falls with the distance of query and key. `positions` as in Rotary."""

    positions: object = None  # (T,)
    slope: float = 2.0**-8  # of a single head

    def __post_init__(self):
        check_number("slope", self.slope)

    def for_head(self, head, n_heads):
        """The encoding of head h of n, whose slope is 2^(−8h/n) (Press et al. 2022, 3). A single head keeps its own."""
        return self if n_heads == 1 else replace(self, slope=2.0 ** (-8 * head / n_heads))

    def rotate(self, query, key, *, start=0, note=no_note):
        """Query and key, unchanged."""
        return query, key

    def score_mod(self, scaled, *, note=no_note):
        """The scaled scores plus the bias; named biased. The queries are the last of the tokens."""
        queries, keys = scaled.shape[-2:]
        bias = alibi(_positions(self.positions, keys, scaled), slope=self.slope, note=note)
        return note("biased", scaled + (bias if queries == keys else bias[-queries:]))
