"""GloVe: a dot product of two sticks should be the logarithm of how often the two words met."""

import numpy as np

from pencil.reference.checks import check_fit, check_numbers, check_rows, numbers
from pencil.trace.notes import exact

FULL_COUNT, POWER = 100, 0.75  # Pennington et al. 2014, section 4.2


def glove_weight(counts, note=exact, full_count=FULL_COUNT, power=POWER):  # (...) -> (...)
    """How much a pair counts: (count / full_count)^power, and never more than 1 (Pennington et al. 2014, eq. 9).

    Raises ValueError for a count of 0 or less: such a pair has no term at all.
    """
    check_numbers(counts=counts)
    if (numbers(counts) <= 0).any():
        raise ValueError(f"a count of {numbers(counts).min()} has no logarithm, and GloVe no term for it; keep the pairs that met")
    return note("weight", np.minimum(np.exp(power * np.log(counts / full_count)), 1))


def glove(words, neighbours, word_nudge, neighbour_nudge, counts, note=exact):  # (n, d) (m, d) (n, 1) (m,) (n, m) -> (n, m)
    """The term of every pair: weight × (word · neighbour + both nudges − ln count)² (Pennington et al. 2014, eq. 8).

    Raises ValueError for widths that differ, for nudges or counts of another shape, and for a pair that never met.
    """
    check_numbers(words=words, neighbours=neighbours, counts=counts)
    check_rows(words=words, neighbours=neighbours, counts=counts)
    check_fit("a word's stick", words.shape[-1], "the neighbours' table", neighbours)
    wanted = {"word_nudge": (word_nudge, (len(words), 1)), "neighbour_nudge": (neighbour_nudge, (len(neighbours),))}
    for name, (nudge, shape) in wanted.items():
        if np.shape(nudge) != shape:
            raise ValueError(f"{name} has the shape {np.shape(nudge)}; for {shape[0]} sticks it must be {shape}")
    if counts.shape != (len(words), len(neighbours)):
        raise ValueError(f"counts of the shape {counts.shape} for {len(words)} words and {len(neighbours)} neighbours; give one for each pair")
    weight = glove_weight(counts, note)
    scores = note("scores", words @ neighbours.T)
    guess = note("guess", scores + word_nudge + neighbour_nudge)
    target = note("target", np.log(counts))
    gap = note("gap", guess - target)
    return note("term", weight * (gap * gap))


def glove_slopes(words, neighbours, word_nudge, neighbour_nudge, counts, note=exact):  # as glove -> (n, d) (m, d) (n, 1) (m,)
    """The slope of the summed terms for every stick and nudge, in the order in which they go in.

    Each pair sends 2 × weight × gap to both of its nudges, and that times the other's stick to each stick. (The authors'
    program leaves out the 2; the step size makes up for it.) Source: Pennington et al. 2014. Raises ValueError as `glove` does.
    """
    kept = {}

    def keep(name, value):
        kept[name] = note(name, value)
        return kept[name]

    glove(words, neighbours, word_nudge, neighbour_nudge, counts, keep)
    pull = note("pull", 2 * kept["weight"] * kept["gap"])
    return (
        note("word_slope", pull @ neighbours),
        note("neighbour_slope", pull.T @ words),
        note("word_nudge_slope", pull.sum(1, keepdims=True)),
        note("neighbour_nudge_slope", pull.sum(0)),
    )
