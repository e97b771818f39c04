"""Generate labelled film reviews from templates.

A review is some neutral sentences and one to four opinions. Each opinion has one of four kinds:

    plain     "The plot was dull."                                          a bag of words suffices
    near      "The plot was not very dull."                                 a negation 1 to 5 words before the negated word
    far       "I would not say, on a Monday in May, that the plot was dull." a negation 6 to 79 words before it
    order     "It was not dull but lively." "It was not lively but dull."   the same bag of words, two meanings

A "not" that negates no opinion ("I did not buy the popcorn") is equally frequent under both labels. Only the opinion words and their
order depend on the label; kinds and lengths are sampled independently of it. So a bag of words solves part of the task, and a
model that uses word order can do better: logistic regression on word counts is right on about seven in ten test reviews, on word
and bigram counts on nearly eight (tests/data/test_data_worth.py). The reviews are much easier than real ones.

All randomness comes from `random.Random.random`, which is reproducible across machines and Python versions.
"""

import re
from functools import cache
from random import Random

from pencil.data.embedded import lexicon
from pencil.data.embedded.sentences import AFFIRM, ASIDES, DENY, NEAR, NEUTRAL, ORDER, PLAIN

KINDS = {"plain": 0.6, "near": 0.1, "far": 0.14, "order": 0.16}  # probabilities of the kinds of opinions
SHORTEST, LONGEST = 5, 300  # words of a review
NEAREST, FARTHEST = 1, 79  # words from a negation to the negated word
NEGATIONS = ("not", "never", "hardly")
SLOT = re.compile(r"\{(\w+)\}")
LISTS = {name.lower(): words for name, words in vars(lexicon).items() if name.isupper() and isinstance(words, str)}


def corpus(seed, sizes):  # int, tuple of ints -> list of lists of (text, label)
    """Lists of these sizes of distinct reviews, shuffled, half of each list positive."""
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
    """One review. With a `gap` its only opinion is negated by a word that is `gap` words before it."""
    words = SHORTEST + skewed(random, LONGEST - SHORTEST + 1, 40)
    first = opinion(random, label, _kind(random), words) if gap is None else negated(random, label, gap)
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
    """A sentence of one of KINDS that agrees with the label; `words` bounds its length."""
    if kind == "plain":
        return _plain(random, label, words)
    if kind == "order":
        return _fill(random, _even(random, ORDER), right=_mild(random, label), wrong=_mild(random, 1 - label))
    if kind == "near" or words < 12:
        return negated(random, label, NEAREST + int(5 * random.random()))
    return negated(random, label, 6 + skewed(random, min(FARTHEST, words - 4) - 5, 20))


def _plain(random, label, words):
    if random.random() < 0.15 and words > 12:  # the same frame as a far negation, but affirmative
        head, tail = _even(random, AFFIRM)
        return _framed(random, head, tail, skewed(random, min(words - 8, 60), 20), _worth(random, label))
    pace, felt = _pick(random, lexicon.PACE[label].split()), _pick(random, lexicon.FELT[label].split())
    return _fill(random, _even(random, PLAIN[label]), right=_worth(random, label), more=_worth(random, label), pace=pace, felt=felt)


def negated(random, label, gap):  # -> sentence
    """An opinion word of the opposite label, with a negation `gap` words before it."""
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


def _aside(random, words):  # -> list of clauses with `words` words in total
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


# ---- fill the slots of templates


def _kind(random):
    at = random.random()
    for kind, share in KINDS.items():
        at -= share
        if at < 0:
            return kind
    return "plain"


def _even(random, choices):
    return choices[int(len(choices) * random.random())]


def skewed(random, n, bend):  # -> int
    """Sample from 0 to n - 1 with a long tail, as word frequencies have: P(k) is about proportional to 1 / (bend + k)².

    It uses division only, since the last bits of powers and logarithms differ between machines.
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
