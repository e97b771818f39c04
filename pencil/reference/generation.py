"""The next token: n-gram counts with Witten-Bell smoothing; then greedy choice, temperature, top-k, top-p and sampling from scores."""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import check_number, check_size, numbers, shapes
from pencil.reference.functional import stable_softmax


@dataclass(frozen=True)
class NgramCounts:
    """Counts of the n-grams of one text, n = 1, 2, …: `ngrams[n-1]` holds those of n tokens, as `codes` and `counts`.

    The code of an n-gram is the number that its ids write in base `vocab_size`.
    """

    vocab_size: int  # the size of the vocabulary
    ngrams: tuple  # of (codes, counts), codes in ascending order

    order = property(lambda self: len(self.ngrams))


@shapes("int T")
def count_ngrams(ids, *, order, vocab_size):  # -> NgramCounts
    """Count every n-gram of up to `order` tokens: 2 for bigrams, 3 for trigrams. Source: Shannon 1948, section 3.

    - `ids`: (T,), one text
    - `order`: the greatest n
    - `vocab_size`: the size of the vocabulary; every id is below it

    Raises ValueError for an order or a vocab_size that is no whole number above 0, for an order whose codes do not fit into 64 bits,
    and for an id outside the vocabulary.
    """
    for name, size in (("order", order), ("vocab_size", vocab_size)):
        check_size(name, size)
    vocab_size, most = int(vocab_size), np.iinfo(np.int64).max  # Python's own integers never overflow
    if vocab_size**order > most:
        longest = max((n for n in range(1, 64) if 0 < vocab_size**n <= most), default=0)
        raise ValueError(f"order={order} and vocab_size={vocab_size}: take an order of 1 to {longest}, and at least 1 token")
    ids = _checked(ids, vocab_size)
    return NgramCounts(vocab_size, tuple(np.unique(_codes(ids, n, vocab_size)[n - 1 :], return_counts=True) for n in range(1, order + 1)))


@shapes("any ..., any ..., any ..., any ... -> ...")
def witten_bell(count, context_count, n_types, lower_order_prob, *, note=no_note):
    """The smoothed probability of a token after a context: (count + n_types · lower_order_prob) / (context_count + n_types).

    - `count`: how often the token followed the context
    - `context_count`: how often the context was seen
    - `n_types`: how many different tokens followed it
    - `lower_order_prob`: the probability of the token after the context that is one token shorter

    There is nothing to tune, and no token gets the probability 0 unless `lower_order_prob` is 0. Source: Witten and Bell 1991, method C.
    Raises ValueError for a context that was never seen.
    """
    if (numbers(context_count) <= 0).any():
        raise ValueError(f"context_count={numbers(context_count)}: a context that was never seen; take the probability after a shorter one")
    return note("prob", (count + n_types * lower_order_prob) / (context_count + n_types))


@shapes("ids: int T -> T")
def next_token_probs(counted, ids):
    """The probability of each token of a text, given the order − 1 tokens before it, or as many as there are.

    - `counted`: the `NgramCounts` of a training text
    - `ids`: (T,), one text

    Smoothed by `witten_bell`, order by order, beginning with equal probabilities. Source: Witten and Bell 1991. Raises
    ValueError for an id outside the vocabulary.
    """
    vocab_size, ids = counted.vocab_size, _checked(ids, counted.vocab_size)
    prob = np.full(len(ids), 1 / vocab_size)
    for n, (codes, counts) in enumerate(counted.ngrams, start=1):
        contexts, where = np.unique(codes // vocab_size, return_inverse=True)
        here = _codes(ids, n, vocab_size)
        seen, n_types = (_look_up(contexts, each, here // vocab_size) for each in (np.bincount(where, counts), np.bincount(where)))
        known = (seen > 0) & (np.arange(len(ids)) >= n - 1)  # after a context that was never seen the probability of the shorter one stays
        prob[known] = witten_bell(_look_up(codes, counts, here)[known], seen[known], n_types[known], prob[known])
    return prob


def ngram_probs(counted, ids):  # NgramCounts, (T,) -> (V,)
    """The probability of every token of the vocabulary behind a text, given its last order − 1 tokens, or as many as there are.

    - `counted`: the `NgramCounts` of a training text
    - `ids`: (T,), the text; it may be empty

    The probabilities are those of `next_token_probs`. Source: Witten and Bell 1991. Raises ValueError for an id outside the vocabulary.
    """
    vocab_size = counted.vocab_size
    ids, prob = _checked(ids, vocab_size), np.full(vocab_size, 1 / vocab_size)
    for n, (codes, counts) in enumerate(counted.ngrams[: len(ids) + 1], start=1):
        context = int(_codes(ids[len(ids) - n + 1 :], n - 1, vocab_size)[-1]) if n > 1 else 0
        start, end = np.searchsorted(codes, [context * vocab_size, (context + 1) * vocab_size])
        if start < end:  # after a context that was never seen the probabilities of the shorter one stay
            count = np.zeros(vocab_size)
            count[codes[start:end] - context * vocab_size] = counts[start:end]
            prob = witten_bell(count, counts[start:end].sum(), end - start, prob)
    return prob


def _codes(ids, n, vocab_size):  # (T,) -> (T,): the n-gram that ends at each token; that of the first n − 1 is incomplete
    code = np.zeros(len(ids), np.int64)
    for back in range(n - 1, -1, -1):
        code = code * vocab_size + np.concatenate([np.zeros(back, np.int64), ids])[: len(ids)]
    return code


def _look_up(keys, values, wanted):  # -> the value of each wanted key, 0 where there is none
    keys, values = np.append(keys, -1), np.append(values, 0)  # for a wanted key beyond the last one; −1 is no code
    place = np.searchsorted(keys[:-1], wanted)
    return np.where(keys[place] == wanted, values[place], 0)


def _checked(ids, vocab_size):  # (T,) -> (T,) int64
    ids = np.asarray(ids)
    outside = ids[(ids < 0) | (ids >= vocab_size)]
    if outside.size:
        raise ValueError(f"id {outside[0]} is none of the {vocab_size} tokens (0 to {vocab_size - 1})")
    return ids.astype(np.int64)


TOLERANCE = 1e-12  # relative: a sum of probabilities this close below p has reached it; 0.1 added eight times is 0.7999999999999999


@shapes("masked ... V -> ...")
def greedy(scores):
    """The index of the highest score; of several equal ones the first (torch.argmax).

    - `scores`: (..., V), the logits

    Raises ValueError for a NaN, for +∞, and for a row of −∞ alone.
    """
    plain = numbers(scores)
    if (plain.max(-1) == -np.inf).any():
        raise ValueError("greedy: every score of a row is −inf, so none is the highest; leave at least one token to choose")
    return plain.argmax(-1)


@shapes("masked ... V -> ... V")
def temperature(scores, *, t, note=no_note):
    """Divide each score by t: below 1 the differences grow, above 1 they shrink.

    - `scores`: (..., V), the logits
    - `t`: the temperature, above 0

    Source: Ackley, Hinton and Sejnowski 1985. Raises ValueError for a t that is not above 0 (as t approaches
    0, the result approaches `greedy`).
    """
    if not (numbers(t) > 0).all():
        raise ValueError(f"the temperature is {numbers(t)}; divide by a number above 0, or take the highest score: greedy(scores)")
    check_number("t", t, above=0)
    return note("tempered", scores / t)


@shapes("masked ... V -> ... V")
def top_k(scores, *, k, note=no_note):  # −∞ for what is left out
    """Keep the k highest scores, of equal ones the first (Fan et al. 2018).

    - `scores`: (..., V), the logits
    - `k`: how many to keep, at least 1

    Raises ValueError for a k below 1 and for one that is not a whole number.
    """
    if not (numbers(k) >= 1).all():
        raise ValueError(f"k={numbers(k)} keeps no word; keep at least 1")
    if (numbers(k) != np.floor(numbers(k))).any():
        raise ValueError(f"k={numbers(k)} is no count of words; take a whole number, such as {np.floor(numbers(k))}")
    ahead = note("ahead", _ahead(scores, 1))
    return note("kept", np.where(ahead < k, scores, -np.inf))


@shapes("masked ... V -> ... V")
def top_p(scores, *, p, softmax=stable_softmax, note=no_note):  # −∞ for what is left out
    """Keep the most probable tokens until their probabilities add up to p: nucleus sampling (Holtzman et al. 2020).

    - `scores`: (..., V), the logits
    - `p`: the probability to reach, above 0 and at most 1
    - `softmax`: what turns scores into probabilities

    A token is kept while those more probable than it add up to less than p; the most probable one is always kept. Raises
    ValueError for a p that is not above 0 and at most 1.
    """
    if not ((numbers(p) > 0) & (numbers(p) <= 1)).all():
        raise ValueError(f"p={numbers(p)}; it is a share of the whole, above 0 and at most 1")
    probs = softmax(scores, note=scoped(note, "before"))
    ahead = note("ahead", _ahead(scores, probs))
    return note("kept", np.where(ahead * (1 + TOLERANCE) < p, scores, -np.inf))


_temperature, _top_k, _top_p = temperature, top_k, top_p  # the steps, for the parameters below have their names


@shapes("masked ... V -> ... V")
def probabilities(scores, *, temperature=1.0, top_k=None, top_p=None, softmax=stable_softmax, note=no_note):
    """The probabilities to sample from: temperature first, then top-k, then top-p, as in Hugging Face's transformers (Wolf et al. 2020).

    - `scores`: (..., V), the logits
    - `temperature`, `top_k`, `top_p`: t, k and p of the functions of these names; None leaves the step out
    - `softmax`: what turns scores into probabilities

    Raises ValueError as its parts do.
    """
    scores = _temperature(scores, t=temperature, note=note)
    scores = scores if top_k is None else _top_k(scores, k=top_k, note=scoped(note, "top_k"))
    scores = scores if top_p is None else _top_p(scores, p=top_p, softmax=softmax, note=scoped(note, "top_p"))
    return softmax(scores, note=note)


@shapes("... V, ... -> ...")
def sample(probs, u, *, note=no_note):
    """The index drawn by the random number u: the first at which the cumulative sum of the probabilities is above u.

    - `probs`: (..., V), the probabilities
    - `u`: (...), random numbers from 0 to just below 1

    Source: inversion (Devroye 1986, chapter 3). Raises ValueError for a u outside that range, and for probabilities
    that do not add up to about 1.
    """
    u_plain, plain = numbers(u), numbers(probs)
    if not ((u_plain >= 0) & (u_plain < 1)).all():
        raise ValueError(f"u={u_plain}; draw it from 0 to just below 1, as rng.random() does")
    if (plain < 0).any() or (np.abs(plain.sum(-1) - 1) > 0.01).any():  # 0.01: probabilities may have been rounded on paper
        raise ValueError(f"the probabilities {plain} do not add up to 1; draw from softmax(scores)")
    running = note("running", _cumulative(probs))
    short = running < running[..., -1:]  # if rounding leaves the last sum below u, the first index at that sum is drawn
    passed = note("passed", np.where(running <= np.expand_dims(u, -1), np.where(short, 1, 0), 0))
    return note("drawn", passed.sum(-1))


def _ahead(scores, probs):  # (..., V), (..., V) or 1 -> (..., V)
    """For each token the sum of `probs` over the tokens ahead of it (their number, if `probs` is 1).

    Ahead of a token are those with a higher score, or an equal one and a lower index; tokens with a score of −∞ do not count, and get 0.
    """
    allowed = scores > -np.inf
    order = np.argsort(-1.0 * scores, axis=-1, kind="stable")  # the token at each rank
    rank = np.argsort(order, axis=-1, kind="stable")  # the rank of each token
    in_order = np.take_along_axis(np.where(allowed, probs, 0), order, -1)
    is_first = np.arange(scores.shape[-1]) == 0  # none is ahead of the first
    before = _cumulative(np.where(is_first, 0, np.roll(in_order, 1, -1)))
    return np.where(allowed, np.take_along_axis(before, rank, -1), 0)


def _cumulative(values):  # (..., V) -> (..., V): the cumulative sum
    return np.cumsum(values, -1, dtype=np.result_type(getattr(values, "exact", values), float))  # in double precision: single would lose small terms
