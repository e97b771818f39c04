"""From scores to the next word: cool or heat the scores, strike the unlikely out, share, and draw."""

import numpy as np

from pencil.reference.checks import check_numbers, numbers
from pencil.reference.softmax import stable_softmax
from pencil.trace.notes import exact, under

HAIR = 1e-12  # of itself: by so little a sum of shares may miss p and has reached it; eight tenths added up are 0.7999999999999999


def greedy(scores):  # (..., V) -> (...) ids
    """The place of the highest score; of several that are equally high the first (torch.argmax).

    Raises ValueError for a NaN and an infinite score.
    """
    check_numbers(masked=True, scores=scores)
    return numbers(scores).argmax(-1)


def temperature(scores, t, note=exact):  # (..., V) -> (..., V)
    """Divide each score by t: below 1 the gaps grow, above 1 they shrink.

    Source: Ackley, Hinton and Sejnowski 1985. Raises ValueError for a t that is not above 0; the nearer it is to 0, the nearer one comes to `greedy`.
    """
    check_numbers(masked=True, scores=scores)
    if not (numbers(t) > 0).all():
        raise ValueError(f"the temperature is {numbers(t)}; divide by a number above 0, or take the highest score: greedy(scores)")
    return note("cooled", scores / t)


def top_k(scores, k, note=exact):  # (..., V) -> (..., V), −∞ for what is struck out
    """Keep the k highest scores (Fan et al. 2018). Of equal ones the first comes first.

    Raises ValueError for a k that keeps none and for one that is no whole number.
    """
    if not (numbers(k) >= 1).all():
        raise ValueError(f"k={numbers(k)} keeps no word; keep at least 1")
    if (numbers(k) != np.floor(numbers(k))).any():
        raise ValueError(f"k={numbers(k)} counts no words; take a whole number, such as {np.floor(numbers(k))}")
    check_numbers(masked=True, scores=scores)
    ahead = note("ahead", _ahead(scores, note))
    return note("kept", np.where(ahead < k, scores, -np.inf))


def top_p(scores, p, note=exact, softmax=stable_softmax):  # (..., V) -> (..., V), −∞ for what is struck out
    """Keep the likeliest words until their shares together reach p: a word stays while those ahead of it have less (Holtzman et al. 2020).

    The likeliest always stays. Raises ValueError for a p that is not above 0 and at most 1.
    """
    if not ((numbers(p) > 0) & (numbers(p) <= 1)).all():
        raise ValueError(f"p={numbers(p)}; it is a share of the whole, above 0 and at most 1")
    shares = softmax(scores, under(note, "before"))
    ahead = note("ahead", _ahead(scores, note, shares))
    return note("kept", np.where(ahead * (1 + HAIR) < p, scores, -np.inf))


def chances(scores, t=1.0, k=None, p=None, note=exact, softmax=stable_softmax):  # (..., V) -> (..., V)
    """The shares that are drawn from: temperature first, then top-k, then top-p, as in Hugging Face's transformers (Wolf et al. 2020).

    Raises ValueError as its parts do.
    """
    scores = temperature(scores, t, note)
    scores = scores if k is None else top_k(scores, k, under(note, "top_k"))
    scores = scores if p is None else top_p(scores, p, under(note, "top_p"), softmax)
    return softmax(scores, note)


def draw(shares, u, note=exact):  # (..., V), a number from 0 to below 1 -> (...) ids
    """Lay the shares end to end and see into which of them u falls: the first at which the running sum is above u.

    Source: inversion (Devroye 1986, chapter 3). Raises ValueError for a u outside, and for shares that do not add up to about 1.
    """
    check_numbers(shares=shares)
    u_plain, plain = numbers(u), numbers(shares)
    if not ((u_plain >= 0) & (u_plain < 1)).all():
        raise ValueError(f"u={u_plain}; draw it from 0 to just below 1, as rng.random() does")
    if (plain < 0).any() or (np.abs(plain.sum(-1) - 1) > 0.01).any():  # 0.01: shares that were rounded on paper
        raise ValueError(f"the shares {plain} are not parts of one whole; draw from softmax(scores)")
    running = note("running", _running(shares))
    short = running < running[..., -1:]  # rounding may leave the whole short of u: whoever reaches it takes the rest
    passed = note("passed", np.where(running <= np.expand_dims(u, -1), np.where(short, 1, 0), 0))
    return note("drawn", passed.sum(-1))


def _ahead(scores, note, shares=None):  # (..., V) -> (..., V): how many words come before each, or the sum of their shares
    if isinstance(scores, np.ndarray):
        return _ahead_in_line(scores, np.ones(scores.shape) if shares is None else shares)
    likelier = note("likelier", _likelier(scores))  # each word against each: a trace can follow that, and no sorting
    return (likelier if shares is None else np.where(likelier > 0, shares[..., None, :], 0)).sum(-1)


def _ahead_in_line(scores, counted):  # (..., V) (..., V) -> (..., V): the same by sorting, without a table of V · V
    order = np.argsort(-1.0 * scores, axis=-1, kind="stable")  # of equal ones the first comes first
    running = _running(np.take_along_axis(counted, order, -1))
    ahead = np.zeros_like(running)  # nobody is ahead of the first
    np.put_along_axis(ahead, order[..., 1:], running[..., :-1], -1)
    return ahead


def _running(shares):  # (..., V) -> (..., V): the sum of the shares so far; a trace takes a sum for each word
    if isinstance(shares, np.ndarray):
        return shares.cumsum(-1, dtype=np.result_type(shares, float))  # in single precision many small shares would be lost
    return np.where(np.tri(shares.shape[-1], dtype=bool), shares[..., None, :], 0).sum(-1)


def _likelier(scores):  # (..., V) -> (..., V, V): 1 where the word of the column comes before the word of the row
    mine, other = scores[..., :, None], scores[..., None, :]
    earlier = np.tri(scores.shape[-1], k=-1)  # of equal ones the first comes first
    return np.where(other > mine, 1, np.where(other == mine, earlier, 0))
