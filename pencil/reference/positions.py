"""Position encodings: rows added to the embeddings (learned or sinusoidal), rotary (RoPE), and a bias on the scores (ALiBi)."""

from dataclasses import dataclass, fields, replace
from math import log

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import Array, check_number, limits, numbers, shapes

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
def sinusoid(positions, *, width, base=BASE, stretch=None, amplitude=1.0, note=no_note):
    """The sine and the cosine of each position's angles; angle i is position / base^(2i/width).

    - `positions`: (T,), the position of each token, such as np.arange(T)
    - `width`: twice the number of angles
    - `base`: see `BASE`
    - `stretch`: (width / 2,), how many times as long each wavelength is; None is 1
    - `amplitude`: what each sine and cosine is multiplied by

    Source: Vaswani et al. 2017, 3.5. Raises ValueError for an odd width, for a base that is not above 0 and for positions that are not one row.
    """
    if width % 2 or width < 2:
        raise ValueError(f"sine and cosine fill the columns in pairs, and the width is {width}; take {width + 1 if width > 0 else 2}")
    check_number("base", base, above=0)
    divisors = [base ** (2 * i / width) for i in range(width // 2)]
    if stretch is not None:
        divisors = [float(factor * divisor) for factor, divisor in zip(stretch, divisors, strict=True)]
    angle = note("angle", np.stack([positions / divisor for divisor in divisors], axis=-1))
    scaled = (lambda wave: wave) if amplitude == 1 else (lambda wave: amplitude * wave)
    return note("sin", scaled(np.sin(angle))), note("cos", scaled(np.cos(angle)))


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


def check_position_encoding(encoding, name="position_encoding"):
    """Raise ValueError, with the argument's name, for what is no Rotary or Alibi, such as the class itself."""
    if isinstance(encoding, type):
        raise ValueError(f"{name}={encoding.__name__} is the class; write {encoding.__name__}()")
    if encoding is not None and not hasattr(encoding, "rotate"):
        raise ValueError(f"{name}={encoding!r}; take Rotary() or Alibi()")


class Scaling:
    """Rotary positions of a longer text than those of the training: how the wavelengths grow."""

    amplitude = 1.0  # what each sine and cosine is multiplied by

    def stretch(self, width, base):  # -> (width / 2,)
        """By what factor each wavelength of a head of that width grows."""
        raise NotImplementedError


@dataclass(frozen=True)
class LinearScaling(Scaling):
    """Every wavelength grows by the same factor (position interpolation: Chen et al. 2023)."""

    factor: float

    def __post_init__(self):
        check_number("factor", self.factor, above=0)

    def stretch(self, width, base):
        """The factor, for each pair of columns."""
        return np.full(width // 2, float(self.factor))


@dataclass(frozen=True)
class Llama3Scaling(Scaling):
    """Only wavelengths that hardly fit into the original length grow (Llama 3.1: Grattafiori et al. 2024).

    Those above `original_max_len` / `low_freq_factor` grow by `factor`, those below `original_max_len` / `high_freq_factor` stay, and
    between the two the frequency is interpolated.
    """

    factor: float = 8.0
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    original_max_len: int = 8192

    def __post_init__(self):
        for name in ("factor", "low_freq_factor", "high_freq_factor", "original_max_len"):
            check_number(name, getattr(self, name), above=0)
        if self.low_freq_factor >= self.high_freq_factor:
            raise ValueError(f"low_freq_factor={self.low_freq_factor} and high_freq_factor={self.high_freq_factor}; give the second the larger one")

    def stretch(self, width, base):
        """From 1 for the short wavelengths to the factor for the long ones."""
        wavelengths = 2 * np.pi * base ** (np.arange(0, width, 2) / width)
        fits = (self.original_max_len / wavelengths - self.low_freq_factor) / (self.high_freq_factor - self.low_freq_factor)
        fits = np.clip(fits, 0, 1)  # how far a wavelength is from the long ones, 0, to the short ones, 1
        return 1 / ((1 - fits) / self.factor + fits)


@dataclass(frozen=True)
class YarnScaling(Scaling):
    """Only wavelengths that hardly fit into the original length grow, and all scores grow a little (YaRN: Peng et al. 2023, 3.2 to 3.4).

    Pairs of columns that turn more than `beta_fast` times within `original_max_len` stay, those that turn less than `beta_slow` times
    grow by `factor`, and between the two the frequency is interpolated by the pair's number; `truncate` rounds both ends outwards to
    whole numbers. `attention_factor` is the `amplitude`, by which query and key both grow; None is 0.1 ln(factor) + 1.
    """

    factor: float
    original_max_len: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    attention_factor: float | None = None
    truncate: bool = True

    def __post_init__(self):
        for name in ("factor", "original_max_len", "beta_fast", "beta_slow"):
            check_number(name, getattr(self, name), above=0)
        check_number("attention_factor", 1.0 if self.attention_factor is None else self.attention_factor, above=0)
        if self.beta_fast < self.beta_slow:
            raise ValueError(f"beta_fast={self.beta_fast} and beta_slow={self.beta_slow}; give beta_fast the larger one")
        if not isinstance(self.truncate, bool):
            raise ValueError(f"truncate={self.truncate!r}; take True or False")

    @property
    def amplitude(self):
        """By what factor query and key grow, beside their rotation."""
        if self.attention_factor is not None:
            return self.attention_factor
        return 0.1 * log(max(self.factor, 1.0)) + 1.0

    def stretch(self, width, base):
        """From 1 for the first pairs of columns to the factor for the last ones. Raises ValueError for a base of 1 or below."""
        if base <= 1:
            raise ValueError(f"base={base}: YarnScaling needs wavelengths that grow; give a base above 1")
        turns = np.array([self.beta_fast, self.beta_slow])
        low, high = width * np.log(self.original_max_len / (2 * np.pi * turns)) / (2 * np.log(base))  # the pairs that turn so often
        if self.truncate:
            low, high = np.floor(low), np.ceil(high)
        low, high = max(low, 0), min(high, width - 1)
        high = high + 0.001 if low == high else high  # as in the authors' code
        fits = 1 - np.clip((np.arange(width // 2) - low) / (high - low), 0, 1)
        return 1 / ((1 - fits) / self.factor + fits)


class PositionEncoding:
    """What Rotary and Alibi have in common: two are equal where all their numbers are, the positions too."""

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return all(np.array_equal(*(numbers(getattr(each, own.name), None) for each in (self, other))) for own in fields(self))

    def __hash__(self):  # the positions may be an array, which has none
        return hash(type(self))


@dataclass(frozen=True, eq=False)
class Rotary(PositionEncoding):
    """Rotary position encoding (RoPE): query and key are rotated before their dot product.

    `positions` are 0, 1, 2, … unless given; under a trace give them: Rotary(trace.given("positions", [0, 1])). A text takes the first of them.
    """

    positions: Array | None = None  # (T,)
    base: float = BASE
    scaling: Scaling | None = None

    def __post_init__(self):
        check_number("base", self.base, above=0)
        if not isinstance(self.scaling, Scaling | None):
            raise ValueError(f"scaling={self.scaling!r}; take LinearScaling(factor), Llama3Scaling() or YarnScaling(factor, original_max_len)")
        self.stretch(2)  # raises for a base that the scaling cannot take

    def stretch(self, width):  # -> (width / 2,), or None
        """By what factor the scaling stretches the wavelength of each pair of a head of this width."""
        return None if self.scaling is None else self.scaling.stretch(width, self.base)

    @property
    def amplitude(self):
        """What the scaling multiplies each sine and cosine by."""
        return 1.0 if self.scaling is None else self.scaling.amplitude

    def for_head(self, head, n_heads):
        """Itself: all heads rotate alike."""
        return self

    def rotate(self, query, key, *, start=0, note=no_note):
        """Query and key, rotated; named query.rotated and key.rotated. A key of None (the head shares one) stays None.

        `start` is how many tokens a cache holds before them.
        """
        positions = _positions(self.positions, start + query.shape[-2], query)
        width = query.shape[-1]
        angles = {"width": width, "base": self.base, "stretch": self.stretch(width), "amplitude": self.amplitude}
        sin, cos = sinusoid(positions[start:] if start else positions, **angles, note=note)
        query = apply_rope(query, sin, cos, note=scoped(note, "query"))
        return query, None if key is None else apply_rope(key, sin, cos, note=scoped(note, "key"))

    def score_mod(self, scaled, *, note=no_note):
        """The scaled scores, unchanged."""
        return scaled


@dataclass(frozen=True, eq=False)
class Alibi(PositionEncoding):
    """Attention with linear biases (ALiBi): a score falls with the distance of query and key. `positions` as in Rotary."""

    positions: Array | None = None  # (T,)
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
