"""Film reviews by rule: where the book's own training texts come from.

Nobody wrote these reviews and no film is behind them. A review is some sentences that say nothing of its worth and one to four that do.
Each opinion has one of four kinds:

    plain     "The plot was dull."                                          a bag of words reads it rightly
    near      "The plot was not very dull."                                 "not", 1 to 5 words before the word that it turns over
    far       "I would not say, on a Monday in May, that the plot was dull." the same, 6 to 79 words before
    order     "It was not dull but lively." "It was not lively but dull."   one bag of words, two meanings

A "not" that turns nothing over ("I did not buy the popcorn") is as common under either label. All that tells the labels apart is
the opinion words, "loved" and "fell asleep" among them, and their order: kinds, lengths and all else are drawn without a look at the label.
So a bag of words gets part of the way and a model that heeds the order can go further: a logistic regression on counts of words judges
about seven in ten of the test reviews rightly, on counts of pairs as well nearly eight (tests/data/test_data_worth.py).
They are much easier than what people write, and what is measured on them says nothing of any other text.
The whole depends on `random.Random.random`, which gives one stream for one seed on every machine and Python.
"""

import re
from functools import cache
from random import Random

from pencil.data.embedded import lexicon
from pencil.data.embedded.sentences import AFFIRM, ASIDES, DENY, NEAR, NEUTRAL, ORDER, PLAIN

KINDS = {"plain": 0.6, "near": 0.1, "far": 0.14, "order": 0.16}  # shares of the opinions
SHORTEST, LONGEST = 5, 300  # words of a review
NEAREST, FARTHEST = 1, 79  # from a "not" to the word it turns over
NEGATIONS = ("not", "never", "hardly")
SLOT = re.compile(r"\{(\w+)\}")
LISTS = {name.lower(): words for name, words in vars(lexicon).items() if name.isupper() and isinstance(words, str)}


def corpus(seed, sizes):  # (train, test) numbers of reviews -> a list of (text, label) for each; half of each list is praise
    """Lists of reviews of which no two are the same, in mixed order."""
    random, seen, piles = Random(seed), set(), []
    for size in sizes:
        labels = sorted([i % 2 for i in range(size)], key=lambda _: random.random())
        piles.append([(_unseen(random, label, seen), label) for label in labels])
    return piles


def _unseen(random, label, seen):
    while (text := review(random, label)) in seen:
        pass
    seen.add(text)
    return text


def review(random, label, gap=None):  # -> text
    """One review. With a `gap` its only opinion is turned over by a negation that stands so many words before it."""
    words = SHORTEST + skewed(random, LONGEST - SHORTEST + 1, 40)
    first = opinion(random, label, _kind(random), words) if gap is None else turned(random, label, gap)
    said = [first]
    more = 0 if gap else min(words // 25, int(4 * random.random()))
    said += [opinion(random, label, _kind(random), words // 6) for _ in range(more)]
    count = sum(map(_length, said))
    while count < max(words, SHORTEST):
        sentence = _fill(random, _pick(random, NEUTRAL))
        count += _length(sentence)
        if count > LONGEST:
            break
        said.insert(int((len(said) + 1) * random.random()), sentence)
    return _spell(said)


def opinion(random, label, kind, words=LONGEST):  # -> sentence
    """A sentence of that kind that says what the label says; `words` bounds the reach of a far negation."""
    if kind == "plain":
        return _plain(random, label, words)
    if kind == "order":
        return _fill(random, _even(random, ORDER), right=_mild(random, label), wrong=_mild(random, 1 - label))
    if kind == "near" or words < 12:
        return turned(random, label, NEAREST + int(5 * random.random()))
    return turned(random, label, 6 + skewed(random, min(FARTHEST, words - 4) - 5, 20))


def _plain(random, label, words):
    if random.random() < 0.15 and words > 12:  # the frame of a far negation, without the negation
        head, tail = _even(random, AFFIRM)
        return _framed(random, head, tail, skewed(random, min(words - 8, 60), 20), _worth(random, label))
    pace, felt = _pick(random, lexicon.PACE[label].split()), _pick(random, lexicon.FELT[label].split())
    return _fill(random, _even(random, PLAIN[label]), right=_worth(random, label), more=_worth(random, label), pace=pace, felt=felt)


def turned(random, label, gap):  # -> sentence
    """A word of the other pile, turned over by a negation that stands `gap` words before it."""
    if not NEAREST <= gap <= FARTHEST:
        raise ValueError(f"gap={gap} words from a negation to its word; these reviews have {NEAREST} to {FARTHEST}")
    wrong = _mild(random, 1 - label)
    if gap in (near := _near()):
        return _fill(random, _even(random, near[gap]), right=wrong)
    head, tail = _even(random, DENY)
    return _framed(random, head, tail, gap - _reach(f"{head} {tail}"), wrong)


def _framed(random, head, tail, words, worth):
    aside = f", {', '.join(_aside(random, words))}, " if words else " "
    return _fill(random, head + aside + tail, right=worth)


def _aside(random, words):  # -> clauses of so many words in all
    clauses = []
    while words:
        fits = [length for length in _asides() if length <= words]
        length = fits[int(len(fits) * random.random())] if words > 12 else max(fits)
        clauses.append(_even(random, _asides()[length]))
        words -= length
    return clauses


@cache
def _asides():  # -> {words: clauses}
    return {n: [a for a in ASIDES if _length(a) == n] for n in sorted({_length(a) for a in ASIDES})}


@cache
def _near():  # -> {gap: sentences}
    return {gap: [s for s in NEAR if _reach(s) == gap] for gap in {_reach(s) for s in NEAR}}


def _reach(sentence):
    words = re.findall(r"[\w{}]+", sentence)
    return words.index("{right}") - next(i for i, word in enumerate(words) if word in NEGATIONS)


# ---- words into slots


def _kind(random):
    at = random.random()
    for kind, share in KINDS.items():
        at -= share
        if at < 0:
            return kind
    return "plain"


def _even(random, choices):
    return choices[int(len(choices) * random.random())]


def skewed(random, n, bend):  # -> 0 to n - 1
    """The first are common and the last are rare, as words are: k comes up about as often as 1 / (bend + k)².

    No power and no logarithm: their last bits differ from machine to machine, those of a division do not.
    """
    return min(n - 1, int(bend / (1 - random.random() * n / (n + bend)) - bend))


def _pick(random, choices):
    return choices[skewed(random, len(choices), min(8, 1 + len(choices) / 12))]


def _mild(random, label):
    return _pick(random, _words(lexicon.MILD[label]))


def _worth(random, label):
    return _pick(random, _words((lexicon.MILD if random.random() < 0.7 else lexicon.STRONG)[label]))


@cache
def _words(listed):
    return tuple(listed.split())


@cache
def _parts(template):
    return SLOT.split(template)


def _fill(random, template, **given):
    parts = list(_parts(template))
    if len(parts) == 1:
        return template
    who = "he" if random.random() < 0.5 else "she"
    for at in range(1, len(parts), 2):
        slot = parts[at]
        parts[at] = given.get(slot) or GENDERED.get((slot, who)) or _pick(random, _choices(slot, who))
    return "".join(parts)


GENDERED = {("he", "he"): "he", ("he", "she"): "she", ("his", "he"): "his", ("his", "she"): "her", ("him", "he"): "him", ("him", "she"): "her"}


@cache
def _choices(slot, who):
    gendered = {"royal": lexicon.ROYAL, "noble": lexicon.NOBLE, "person": lexicon.PERSON}
    return _words(gendered[slot][who] if slot in gendered else LISTS[slot])


def _length(text):
    return len(text.split())


def _spell(sentences):
    text = " ".join(s[0].upper() + s[1:] for s in sentences)
    return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
