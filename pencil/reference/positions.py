"""Where a word sits, told in four ways: a learned seat table, a wave, a turn of query and key, a lean on the scores."""

from dataclasses import dataclass, replace

import numpy as np

from pencil.reference.checks import check_numbers, check_rows
from pencil.trace.notes import exact, under

BASE = 10_000.0  # how much slower the last pair of slots turns than the first (Vaswani et al. 2017, 3.5)


def seat(x, table, note=exact):  # (..., T, d) (max_len, d) -> (..., T, d)
    """Add to each stick the row of its seat, learned or a wave (Vaswani et al. 2017, 3.5; GPT-2, BERT: learned).

    Raises ValueError for more words than seats, and for rows of another width.
    """
    check_numbers(x=x, table=table)
    check_rows(x=x, table=table)
    words, width = x.shape[-2:]
    if words > len(table):
        raise ValueError(f"{words} words and {len(table)} seats; chop the text or give the table more rows")
    if table.shape[1] != width:
        raise ValueError(f"a stick is {width} wide and a seat row {table.shape[1]}; they are added slot by slot: give both one width")
    return note("x", x + table[:words])


def wave(seats, width, note=exact, base=BASE):  # (T,) -> (T, width/2) (T, width/2)
    """The sine and the cosine of each seat's angles: pair i of the slots turns by seat / base^(2i/width).

    Source: Vaswani et al. 2017, 3.5. Raises ValueError for an odd width and for seats that are not one row.
    """
    _check_seats(seats)
    if width % 2 or width < 2:
        raise ValueError(f"a wave fills its slots in pairs, and the width is {width}; take {width + 1 if width > 0 else 2}")
    angle = note("angle", np.stack([seats / base ** (2 * i / width) for i in range(width // 2)], axis=-1))
    return note("sin", np.sin(angle)), note("cos", np.cos(angle))


def sine_cosine(seats, width, note=exact, base=BASE):  # (T,) -> (T, width)
    """The fixed seat table: sine and cosine in turns (Vaswani et al. 2017, 3.5).

    Raises ValueError as `wave` does.
    """
    sin, cos = wave(seats, width, note, base)
    return note("stamp", np.stack([sin, cos], axis=-1).reshape((len(seats), width)))


def rotate(x, sin, cos, note=exact):  # (..., T, d) (T, d/2) (T, d/2) -> (..., T, d)
    """Turn each pair of slots by its seat's angle; lengths stay (RoFormer: Su et al. 2021, eq. 34).

    Raises ValueError unless there is one angle for each pair of slots of each word.
    """
    check_numbers(x=x, sin=sin, cos=cos)
    if sin.shape != cos.shape:
        raise ValueError(f"sines {sin.shape} and cosines {cos.shape}; take both from one wave: sin, cos = wave(seats, width)")
    if sin.ndim != 2 or x.shape[-2:] != (len(sin), 2 * sin.shape[-1]):
        raise ValueError(f"rows {x.shape[-2:]} and angles {sin.shape}; a turn needs one angle for each word and pair of slots")
    first, second = x[..., 0::2], x[..., 1::2]
    turned = np.stack([first * cos - second * sin, first * sin + second * cos], axis=-1)
    return note("turned", turned.reshape(x.shape))


def alibi(seats, slope, note=exact):  # (T,) -> (T, T)
    """What is taken off a score for each seat of distance (Press et al. 2022; their mask already hides what comes later).

    Raises ValueError for seats that are not one row.
    """
    _check_seats(seats)
    gap = seats[:, None] - seats[None, :]
    distance = note("distance", np.maximum(gap, -gap))
    return note("lean", -slope * distance)


def _check_seats(seats):
    check_numbers(seats=seats)
    if seats.ndim != 1:
        raise ValueError(f"seats have the shape {seats.shape}; give one number a word: np.arange(words)")


def _seats(seats, words):
    if seats is None:
        return np.arange(words)
    _check_seats(seats)
    if len(seats) != words:
        raise ValueError(f"{len(seats)} seats for {words} words; give each word one seat, or leave the seats out: 0, 1, 2, …")
    return seats


@dataclass(frozen=True)
class Rotary:
    """Positions inside attention: query and key are turned before they meet.

    `seats` are 0, 1, 2, … unless given; under a trace give them: Rotary(trace.given("seats", [0, 1])).
    """

    seats: object = None  # (T,)
    base: float = BASE

    def for_head(self, head, n_heads):
        """All heads turn alike."""
        return self

    def turn(self, query, key, note=exact):
        """Query and key, turned; named query.turned and key.turned."""
        sin, cos = wave(_seats(self.seats, query.shape[-2]), query.shape[-1], note, self.base)
        return rotate(query, sin, cos, under(note, "query")), rotate(key, sin, cos, under(note, "key"))

    def lean(self, scaled, note=exact):
        """A turn takes nothing off the scores."""
        return scaled


@dataclass(frozen=True)
class Alibi:
    """Positions inside attention: the farther a word, the more is taken off its score. `seats` as in Rotary."""

    seats: object = None  # (T,)
    slope: float = 2.0**-8  # of a head alone

    def for_head(self, head, n_heads):
        """Head h of n leans by 2^(−8h/n) a seat: the first looks near, the last far (Press et al. 2022, 3). One alone keeps its slope."""
        return self if n_heads == 1 else replace(self, slope=2.0 ** (-8 * head / n_heads))

    def turn(self, query, key, note=exact):
        """Query and key stay as they are."""
        return query, key

    def lean(self, scaled, note=exact):
        """The scaled scores with their lean; named leaned."""
        return note("leaned", scaled + alibi(_seats(self.seats, scaled.shape[-1]), self.slope, note))
