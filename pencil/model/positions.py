"""Position encodings: a learned or sinusoidal table that is added, rotary (RoPE), and biases on the scores (ALiBi)."""

import torch
from torch import nn

from pencil import reference
from pencil.model.module import named
from pencil.note import scoped
from pencil.reference.contracts import numbers
from pencil.reference.positions import BASE


def add_positions(x, table, *, start=0, positions=None, note=None):  # (..., T, d) (max_len, d) -> (..., T, d)
    """Add to each embedding the table's row of its position (Vaswani et al. 2017, 3.5).

    Args:
        x: (…, T, d) embeddings.
        table: (max_len, d), one row for each position.
        start: the position of the first row of x.
        positions: (…, T) integers, the position of each row, where the texts of a batch differ; start, start + 1, … if None.
        note: a function of (name, value), called with x.

    Raises ValueError for more positions than rows of the table.
    """
    end = start + x.shape[-2]
    if end > len(table):
        raise ValueError(f"{end} tokens and {len(table)} positions; truncate the text or give the table more rows")
    return named(note, "x", x + table[slice(start, end) if positions is None else positions])


def positions_in_text(mask):  # (..., T) bool -> (..., T)
    """The position of each token in its own text, not counting padding; a padding position has its index, which is of no use.

    So a padded text continues after its own last token, not after the padding.
    """
    return torch.where(mask, mask.cumsum(-1) - 1, torch.arange(mask.shape[-1], device=mask.device))


def sinusoid(positions, *, width, base=BASE, stretch=None, amplitude=1.0, note=None):  # (T,) -> (T, width/2) (T, width/2)
    """The sine and the cosine of each position's angles: pair i has the angle position / base^(2i/width) (Vaswani et al. 2017, 3.5).

    `stretch` (width/2,) says how many times as long each wavelength is, None is 1; `amplitude` multiplies each sine and cosine.

    Raises ValueError for an odd width.
    """
    if width % 2 or width < 2:
        raise ValueError(f"sines and cosines come in pairs, and the width is {width}; take {width + 1 if width > 0 else 2}")
    powers = torch.arange(0, width, 2, device=positions.device, dtype=positions.dtype) / width
    divisors = base**powers if stretch is None else base**powers * stretch.to(powers)
    angle = named(note, "angle", positions.unsqueeze(-1) / divisors)
    return named(note, "sin", amplitude * angle.sin()), named(note, "cos", amplitude * angle.cos())


def sinusoidal(positions, *, width, base=BASE, note=None):  # (T,) -> (T, width)
    """The sinusoidal table: sine and cosine alternate (Vaswani et al. 2017, 3.5)."""
    return named(note, "encoding", torch.stack(sinusoid(positions, width=width, base=base, note=note), -1).flatten(-2))


def apply_rope(x, sin, cos, *, note=None):  # (..., T, d) (T, d/2) (T, d/2) -> (..., T, d)
    """Rotate each pair (2i, 2i + 1) of a row by its position's angle (RoFormer: Su et al. 2021, eq. 34)."""
    first, second = x[..., 0::2], x[..., 1::2]
    rotated = torch.stack([first * cos - second * sin, first * sin + second * cos], -1)
    return named(note, "rotated", rotated.flatten(-2))


def alibi(positions, *, slope, start=0, note=None):  # (..., S) -> (..., T, S)
    """The bias on each score: −slope times the distance between query and key (Press et al. 2022).

    Args:
        positions: (…, S), of all keys.
        slope: a number, or (H, 1, 1), one for each head.
        start: the queries are at the positions from this index on.
        note: a function of (name, value), called with distance and bias.
    """
    distance = named(note, "distance", (positions[..., start:].unsqueeze(-1) - positions.unsqueeze(-2)).abs())
    return named(note, "bias", -slope * distance)


class _PositionEncoding(nn.Module):
    """A position encoding inside attention; the positions are 0, 1, 2, … unless the reference's object has others.

    The constants move with the model (`.to`) and are in no state_dict.
    """

    def __init__(self, encoding):
        super().__init__()
        self.constants = {}
        self._constant("given", None if encoding.positions is None else numbers(encoding.positions))

    def _constant(self, name, array):
        self.constants[name] = array
        buffer = None if array is None else torch.tensor(array, device="cpu", dtype=_position_dtype(torch.get_default_dtype()))
        self.register_buffer(name, buffer, persistent=False)

    def _apply(self, move, recurse=True):  # made anew from the constants: a conversion there and back would leave them rounded
        super()._apply(move, recurse)
        for name, buffer in self.named_buffers():
            setattr(self, name, torch.tensor(self.constants[name], device=buffer.device, dtype=_position_dtype(buffer.dtype)))
        return self

    def positions(self, count, x, own=None):  # -> (count,) or (..., 1, count)
        """The first `count` positions, on the device of x; with `own` (…, count), the indices of each text, those, with an axis for the heads."""
        dtype = _position_dtype(x.dtype)
        if self.given is not None and len(self.given) < count:
            raise ValueError(f"{count} tokens and {len(self.given)} positions; give one position for each token")
        positions = torch.arange(count, device=x.device, dtype=dtype) if self.given is None else self.given[:count].to(x.device, dtype)
        return positions if own is None else positions[own].unsqueeze(-2)


def _position_dtype(dtype):  # at least float32: bfloat16 has no exact integers above 256
    return torch.promote_types(dtype, torch.float32)


class Rotary(_PositionEncoding):
    """RoPE: query and key are rotated by their positions before the dot product, the same in all heads (Su et al. 2021).

    Args:
        encoding: the reference's Rotary, with its base and, if given, its positions.
        n_heads: not used.
        d_k: the width of a head's query.

    Raises ValueError for an odd width.
    """

    def __init__(self, encoding, n_heads, d_k):
        super().__init__(encoding)
        if d_k % 2:
            raise ValueError(f"RoPE rotates pairs of numbers, and a head's query is {d_k} wide; take {d_k + 1}")
        self.base, self.d_k, self.amplitude = encoding.base, d_k, float(encoding.amplitude)
        self._constant("stretch", encoding.stretch(d_k))

    def tables(self, x, start, keys, own=None):  # -> (T, d_k/2) (T, d_k/2)
        """Sine and cosine for the rows from `start` on, for all blocks of a stack; `own` are the positions (…, keys) of each text."""
        sin, cos = self._sinusoid(self.positions(keys, x, own)[..., start:])
        return sin.to(x.dtype), cos.to(x.dtype)

    def rotate(self, query, key, note):
        """Query and key, rotated; named query.rotated and key.rotated. A key of None (the head shares one) stays None."""
        sin, cos = self._sinusoid(self.positions(query.shape[-2], query), note)
        query = apply_rope(query, sin, cos, note=scoped(note, "query"))
        return query, None if key is None else apply_rope(key, sin, cos, note=scoped(note, "key"))

    def _sinusoid(self, positions, note=None):
        options = {"stretch": self.stretch, "amplitude": self.amplitude}
        return sinusoid(positions, width=self.d_k, base=self.base, **options, note=note)

    def score_mod(self, head):
        """None: RoPE adds nothing to the scores."""
        return None


class Alibi(_PositionEncoding):
    """ALiBi: a bias on the scores of −2^(−8h/n) times the distance, in head h of n (Press et al. 2022, 3).

    Args:
        encoding: the reference's Alibi, with the slope for a single head and, if given, its positions.
        n_heads: how many heads there are.
        d_k: not used.
    """

    def __init__(self, encoding, n_heads, d_k):
        super().__init__(encoding)
        self._constant("slopes", [encoding.for_head(h, n_heads).slope for h in range(1, n_heads + 1)])

    def tables(self, x, start, keys, own=None):  # -> (..., H, T, S)
        """The bias of every head, for all blocks of a stack; `own` are the positions (…, keys) of each text."""
        positions = self.positions(keys, x, own)
        return alibi(positions, slope=self.slopes.to(positions)[:, None, None], start=start).to(x.dtype)

    def rotate(self, query, key, note):
        """Query and key unchanged."""
        return query, key

    def score_mod(self, head):
        """A function of (scaled scores, note=) that adds the bias of one head; named biased."""
        return lambda scaled, *, note: note("biased", scaled + alibi(self.positions(scaled.shape[-1], scaled), slope=self.slopes[head], note=note))


def position_encoding_of(config, n_heads, d_k):  # BlockConfig -> Rotary, Alibi or None
    """The torch form of the config's position encoding. Raises ValueError for one that has none."""
    encoding = config.position_encoding
    for kind, module in ((reference.Rotary, Rotary), (reference.Alibi, Alibi)):
        if isinstance(encoding, kind):
            return module(encoding, n_heads, d_k)
    if encoding is not None:
        raise ValueError(f"position_encoding={encoding!r} has no torch form here; take Rotary() or Alibi() of pencil.reference, or None")
    return None
