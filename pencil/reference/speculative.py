"""Speculative decoding: a cheap model drafts tokens, the target model checks them all at once, and the text is distributed as the target's own.

The algorithm is that of Leviathan et al. 2023 (arXiv 2211.17192) and Chen et al. 2023 (arXiv 2302.01318). In their letters `draft_probs`
is q, `target_probs` p, a number of drafts γ, and the acceptance rate α.
"""

import numpy as np

from pencil.note import no_note
from pencil.reference.contracts import numbers, shapes
from pencil.reference.generation import sample

ROUNDING = 1e-12  # the overlap of two equal rows of probabilities is 1, and may be rounded to a little more


@shapes("... V, ... V -> ...")
def acceptance_rate(draft_probs, target_probs, *, note=no_note):
    """The probability that a drafted token is accepted: for each token the smaller of its two probabilities, added up.

    - `draft_probs`: (..., V), the probabilities that the draft is sampled from
    - `target_probs`: (..., V), those of the target model

    Raises ValueError for two vocabularies that are not alike. Source: Leviathan et al. 2023, theorem 3.5 and lemma 3.3.
    """
    return _overlap(draft_probs, target_probs, note)[1]


@shapes("... V, ... V -> ... V")
def adjusted_probs(draft_probs, target_probs, *, note=no_note):
    """What to sample from after a rejection: what the target has above the draft, divided by its sum.

    - `draft_probs`, `target_probs`: as in `acceptance_rate`

    Where the two are equal nothing is ever rejected, and the target's probabilities are returned. Source: Leviathan et al. 2023,
    algorithm 1, p′; Chen et al. 2023, (f)₊. Raises ValueError as `acceptance_rate` does.
    """
    excess = note("excess", np.maximum(target_probs - draft_probs, 0))
    total = note("excess_sum", excess.sum(-1, keepdims=True))
    return note("adjusted", np.where(total > 0, excess / np.where(total > 0, total, 1), target_probs))


@shapes("... V, ... V -> ... V")
def output_probs(draft_probs, target_probs, *, note=no_note):
    """The probabilities of the token that is written: accepted as it was drafted, or rejected and sampled anew. They are `target_probs`.

    - `draft_probs`, `target_probs`: as in `acceptance_rate`

    Raises ValueError as `acceptance_rate` does. Source: Leviathan et al. 2023, appendix A.1.
    """
    overlap, rate = _overlap(draft_probs, target_probs, note)
    rejected = np.expand_dims(note("rejection_rate", 1 - rate), -1)
    again = note("again", rejected * adjusted_probs(draft_probs, target_probs, note=note))
    return note("output", overlap + again)


@shapes("... -> ...")
def expected_tokens(rate, *, n_drafts, note=no_note):
    """How many tokens a round of `n_drafts` drafts writes, on average: 1 + α + α² + … + α^γ, where each is accepted independently.

    - `rate`: (...), the acceptance rate α
    - `n_drafts`: how many tokens are drafted before the target checks them, γ

    A round writes the drafts before the first rejection, and one token more. Source: Leviathan et al. 2023, equation 1, which is the
    same sum as a quotient. Raises ValueError for a rate outside 0 to 1, and for fewer than one draft.
    """
    if not ((numbers(rate) >= 0) & (numbers(rate) <= 1 + ROUNDING)).all():
        raise ValueError(f"rate={numbers(rate)}; an acceptance rate is a probability, from 0 to 1")
    if n_drafts < 1:
        raise ValueError(f"n_drafts={n_drafts} drafts nothing; take at least 1")
    all_accepted, total = rate, 1 + rate
    for k in range(2, n_drafts + 1):  # the probability that the first k drafts are all accepted
        all_accepted = note(f"draft{k}.all_accepted", all_accepted * rate)
        total = total + all_accepted
    return note("expected_tokens", total)


@shapes("int ... G, ... G V, ... rows V, ... rows -> ..., ...")
def speculative_sampling(draft_ids, draft_probs, target_probs, u, *, note=no_note):
    """One round: how many of the drafts are accepted, and the token that is sampled behind them.

    - `draft_ids`: (..., G), the drafted tokens, each sampled from its row of `draft_probs`
    - `draft_probs`: (..., G, V), the draft model's probabilities
    - `target_probs`: (..., G + 1, V), the target model's, at each draft and behind the last one
    - `u`: (..., G + 1), random numbers from 0 to just below 1: one for each draft, and one for the token behind

    A draft is accepted where u is below target / draft, and all drafts behind the first rejected one are dropped. The token behind
    is sampled from `adjusted_probs` there, or from the target's last row where nothing was rejected. Source: Leviathan et al. 2023,
    algorithm 1. (There u may be equal to the ratio; below it, a u of 0 never accepts what the target gives no probability.)
    Raises ValueError for another number of rows than of drafts and one, for an id that is no token, for a u outside its range, and for a
    draft with a draft probability of 0.
    """
    if target_probs.shape[-2] != draft_ids.shape[-1] + 1:
        raise ValueError(
            f"{draft_ids.shape[-1]} drafts and {target_probs.shape[-2]} rows of target_probs; give a row for each draft, and one behind the last"
        )
    ids, vocab_size, u_plain = numbers(draft_ids), draft_probs.shape[-1], numbers(u)
    if ((ids < 0) | (ids >= vocab_size)).any():
        raise ValueError(f"draft_ids={ids} of {vocab_size} tokens, which are 0 to {vocab_size - 1}")
    if not ((u_plain >= 0) & (u_plain < 1)).all():
        raise ValueError(f"u={u_plain}; draw it from 0 to just below 1, as rng.random() does")
    drafted, wanted = (_of_tokens(probs, draft_ids) for probs in (draft_probs, target_probs[..., :-1, :]))
    if not (numbers(drafted) > 0).all():
        raise ValueError("a draft has the draft probability 0, so it was not sampled from draft_probs; hand in the row that it was sampled from")
    accepted = note("accepted", np.where(u[..., :-1] < note("ratio", wanted / drafted), 1, 0))
    rejected_so_far = np.cumsum(1 - accepted, -1)
    n_accepted = note("n_accepted", np.where(rejected_so_far < 1, 1, 0).sum(-1))
    behind = np.concatenate([adjusted_probs(draft_probs, target_probs[..., :-1, :], note=note), target_probs[..., -1:, :]], -2)
    place = np.broadcast_to(np.expand_dims(n_accepted, (-2, -1)), (*behind.shape[:-2], 1, behind.shape[-1]))
    row = np.take_along_axis(behind, place, -2)[..., 0, :]
    return n_accepted, sample(note("next_probs", row), u[..., -1], note=note)


def speculate(target, ids, count, *, rng, drafter=None, n_drafts=4, watch=None):  # -> list of ids, prompt and all
    """Write `count` tokens behind a text, a round of drafts at a time; without a drafter, token by token.

    - `target`: a function of a text's ids and `rows` that returns (rows, V), the probabilities behind each of its last `rows` tokens
    - `ids`: a list of the ids of the text so far, at least one
    - `rng`: a NumPy generator
    - `drafter`: a function of the same kind, or None
    - `n_drafts`: how many tokens are drafted in a round
    - `watch`: called after each round of drafts with what went into `speculative_sampling`, but u, and the number of accepted drafts

    Source: Leviathan et al. 2023, algorithm 1. Raises ValueError for an empty text.
    """
    ids, end = list(ids), len(ids) + count
    if not ids:
        raise ValueError("the text is empty: there is nothing to go on from; give it at least one token")
    while len(ids) < end:
        drafts, rows = [], []
        for _ in range(min(n_drafts, end - len(ids) - 1) if drafter else 0):
            rows.append(drafter(ids + drafts, 1)[0])
            drafts.append(int(sample(rows[-1], rng.random())))
        probs = target(ids + drafts, len(drafts) + 1)
        if not drafts:
            ids.append(int(sample(probs[0], rng.random())))
            continue
        round_ = np.array(drafts), np.array(rows), probs
        n_accepted, token = map(int, speculative_sampling(*round_, rng.random(len(drafts) + 1)))
        ids += [*drafts[:n_accepted], token]
        if watch:
            watch(*round_, n_accepted)
    return ids


def _overlap(draft_probs, target_probs, note):  # -> (..., V), (...): the smaller probability of each token, and their sum
    overlap = note("overlap", np.minimum(draft_probs, target_probs))
    return overlap, note("acceptance_rate", overlap.sum(-1))


def _of_tokens(probs, ids):  # (..., G, V) (..., G) -> (..., G)
    ids = ids.astype(int) if isinstance(ids, np.ndarray) else ids  # whole numbers may come as floats; a trace takes them so
    return np.take_along_axis(probs, np.expand_dims(ids, -1), -1)[..., 0]
