"""Where a word sits, told in four ways: a learned seat table, a wave, a turn of query and key, a lean on the scores."""

import torch
from torch import nn

from pencil import reference
from pencil.model.part import say
from pencil.reference.checks import numbers
from pencil.reference.positions import BASE
from pencil.trace.notes import under


def seat(x, table, note=None, start=0):  # (..., T, d) (max_len, d) -> (..., T, d)
    """Add to each stick the row of its seat, the first of them being `start` (Vaswani et al. 2017, 3.5).

    Raises ValueError for more words than seats.
    """
    end = start + x.shape[-2]
    if end > len(table):
        raise ValueError(f"{end} words and {len(table)} seats; chop the text or give the table more rows")
    return say(note, "x", x + table[start:end])


def wave(seats, width, note=None, base=BASE):  # (T,) -> (T, width/2) (T, width/2)
    """The sine and the cosine of each seat's angles: pair i of the slots turns by seat / base^(2i/width) (Vaswani et al. 2017, 3.5).

    Raises ValueError for an odd width.
    """
    if width % 2 or width < 2:
        raise ValueError(f"a wave fills its slots in pairs, and the width is {width}; take {width + 1 if width > 0 else 2}")
    powers = torch.arange(0, width, 2, device=seats.device, dtype=seats.dtype) / width
    angle = say(note, "angle", seats.unsqueeze(-1) / base**powers)
    return say(note, "sin", angle.sin()), say(note, "cos", angle.cos())


def sine_cosine(seats, width, note=None, base=BASE):  # (T,) -> (T, width)
    """The fixed seat table: sine and cosine in turns (Vaswani et al. 2017, 3.5)."""
    return say(note, "stamp", torch.stack(wave(seats, width, note, base), -1).flatten(-2))


def rotate(x, sin, cos, note=None):  # (..., T, d) (T, d/2) (T, d/2) -> (..., T, d)
    """Turn each pair of slots by its seat's angle; lengths stay (RoFormer: Su et al. 2021, eq. 34)."""
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], -1)
    return say(note, "turned", turned.flatten(-2))


def alibi(seats, slope, note=None, start=0):  # (S,) -> (T, S)
    """What is taken off a score for each seat of distance, for the queries from `start` on (Press et al. 2022).

    Slopes of the shape (H, 1, 1) give one table a head.
    """
    distance = say(note, "distance", (seats[start:].unsqueeze(-1) - seats).abs())
    return say(note, "lean", -slope * distance)


class _Told(nn.Module):
    """Positions inside attention; the seats are 0, 1, 2, … unless given. Its fixed numbers lie where the model is moved to, and in no file."""

    def __init__(self, chosen):
        super().__init__()
        self.fixed = {}
        self._fix("given", None if chosen.seats is None else numbers(chosen.seats))

    def _fix(self, name, array):
        self.fixed[name] = array
        made = None if array is None else torch.tensor(array, device="cpu", dtype=_wide(torch.get_default_dtype()))  # no file fills one on meta
        self.register_buffer(name, made, persistent=False)

    def _apply(self, move, recurse=True):  # made anew: what was rounded to the model's old type would stay so
        super()._apply(move, recurse)
        for name, made in self.named_buffers():
            setattr(self, name, torch.tensor(self.fixed[name], device=made.device, dtype=_wide(made.dtype)))
        return self

    def seats(self, count, x):  # -> (count,)
        """The first seats, on the device of x."""
        dtype = _wide(x.dtype)
        if self.given is None:
            return torch.arange(count, device=x.device, dtype=dtype)
        if len(self.given) < count:
            raise ValueError(f"{count} words and {len(self.given)} seats; give one seat a word")
        return self.given[:count].to(x.device, dtype)


def _wide(dtype):  # a type that holds seats: bfloat16 cannot count past 256
    return torch.promote_types(dtype, torch.float32)


class Rotary(_Told):
    """Query and key are turned before they meet (Su et al. 2021). All heads turn alike."""

    def __init__(self, chosen, n_heads, d_k):
        super().__init__(chosen)
        if d_k % 2:
            raise ValueError(f"a turn takes the slots in pairs, and a head's query is {d_k} wide; take {d_k + 1}")
        self.base, self.d_k = chosen.base, d_k

    def tables(self, x, start, keys):  # -> (T, d_k/2) (T, d_k/2)
        """Sine and cosine for the queries from `start` on, once for all blocks."""
        sin, cos = wave(self.seats(keys, x)[start:], self.d_k, base=self.base)
        return sin.to(x.dtype), cos.to(x.dtype)

    def turn(self, query, key, note, head):
        """Query and key, turned; named query.turned and key.turned."""
        sin, cos = wave(self.seats(query.shape[-2], query), self.d_k, note, self.base)
        return rotate(query, sin, cos, under(note, "query")), rotate(key, sin, cos, under(note, "key"))

    def lean_of(self, head):
        """A turn takes nothing off the scores."""
        return None


class Alibi(_Told):
    """The farther a word, the more is taken off its score: head h of n leans by 2^(−8h/n) a seat, one alone by its slope (Press et al. 2022, 3)."""

    def __init__(self, chosen, n_heads, d_k):
        super().__init__(chosen)
        self._fix("slopes", [chosen.for_head(h, n_heads).slope for h in range(1, n_heads + 1)])

    def tables(self, x, start, keys):  # -> (H, T, S)
        """What every head takes off, once for all blocks."""
        seats = self.seats(keys, x)
        return alibi(seats, self.slopes.to(seats)[:, None, None], start=start).to(x.dtype)

    def turn(self, query, key, note, head):
        """Query and key stay as they are."""
        return query, key

    def lean_of(self, head):
        """What changes the scaled scores of one head; named leaned."""
        return lambda scaled, note: note("leaned", scaled + alibi(self.seats(scaled.shape[-1], scaled), self.slopes[head], note))


def positions_of(recipe, n_heads, d_k):  # Recipe -> Rotary, Alibi or None
    """The model's own form of the recipe's positions. Raises ValueError for one that it has not."""
    chosen = recipe.positions
    for known, ours in ((reference.Rotary, Rotary), (reference.Alibi, Alibi)):
        if isinstance(chosen, known):
            return ours(chosen, n_heads, d_k)
    if chosen is not None:
        raise ValueError(f"positions={chosen!r} have no torch form here; take Rotary() or Alibi() of pencil.reference, or None")
    return None
