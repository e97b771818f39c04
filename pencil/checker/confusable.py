"""Which numbers of a sentence cannot be taken for one another, so that nothing is claimed of the two.

No English is read. Two numbers cannot be confused where

- one is a number and the other a row, or one row is longer: no condition compares them;
- they are of one list, with nothing but commas, `and` and `or` between its numbers;
- they are of one row, in its order, or the sentence has the words that distinguish their names, those of the first before those of the
  second: exchanged, they would be refused (`owners`).
"""

import re
from itertools import combinations, pairwise

from pencil.checker.digits import NUMERAL
from pencil.checker.owners import distinct_mentions, in_one_row, owner_of
from pencil.checker.rendered import BOUND

_IN_A_LIST = re.compile(r",? (?:and |or )?")


def none_confusable(sentence, bindings, text, values):  # Sentence, its bindings, text of its block, values -> bool
    """Whether no two of these numbers can be taken for one another."""
    lists = _lists(sentence)
    return all(
        _size(one, text) != _size(other, text) or lists.get(one.start, one) == lists.get(other.start, other) or _is_told(sentence, one, other, values)
        for one, other in combinations(bindings, 2)
    )


def _size(binding, text):
    return len(NUMERAL.findall(text[slice(*binding.shown)]))


def _lists(sentence):  # -> {offset of a binding: the offset of the first in its list}
    at = {place: seen for seen, place in enumerate(sentence.places) if sentence.text[seen] == BOUND}
    ordered = [(at[place], binding.start) for binding in sentence.bindings for place in at if binding.start <= place < binding.end]
    first = {start: start for _, start in ordered}
    for (seen, one), (after, other) in pairwise(ordered):
        if _IN_A_LIST.fullmatch(sentence.text[seen + 1 : after]):
            first[other] = first[one]
    return first


def _is_told(sentence, one, other, values):
    if in_one_row(one, other):
        return True
    its, others = (owner_of(binding.reference, values) for binding in (one, other))
    if its is None or others is None:
        return False
    early, late = distinct_mentions(sentence, its, others)
    return bool(early and late) and max(early) < min(late)
