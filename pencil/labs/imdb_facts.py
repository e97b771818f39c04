"""What is in a pile of film reviews: its words, its unknowns, what each end of a review holds, and what scrambling does to it."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pencil.data import reviews
from pencil.examples import MEME, MEME_SCRAMBLED
from pencil.labs.baselines import naive_bayes
from pencil.labs.records import as_recorded
from pencil.labs.sparse import Sparse
from pencil.reference import byte_pairs, dictionary, tokens

TOY = ("the", "movie", "was", "boring", "nolan", "ended", "cat", "sat", "on", "table", "mat", "king", "queen", "film", "br")
COVERED = (1, 10, 100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)  # of how many words the share is told
STAND, LEAN = 50, 2  # a word tells liked from not liked that stands in so many reviews, and so many times oftener in one half
SAMPLE = 25  # of so many reviews one is scrambled


@dataclass(frozen=True)
class Tokenised:
    """The reviews of a pile as tokens and as ids, with what their writers thought."""

    texts: list
    ids: list
    labels: np.ndarray

    lengths = property(lambda self: np.array([len(ids) for ids in self.ids]))


def imdb_facts(seed=0, source="full", kept=10_000, slots=100):  # -> what is recorded
    """The figures of chapter 01, with a dictionary of `kept` words, and as many pieces, and reviews cut to `slots` tokens."""
    read = reviews.load(source)
    split = [[tokens(text) for text in pile.texts] for pile in (read.train, read.test)]
    words = dictionary(split[0], kept)
    train, test = (Tokenised(t, [words.ids(x) for x in t], p.labels) for t, p in zip(split, (read.train, read.test), strict=True))
    counted = Counter(token for text in train.texts for token in text)
    letters = len(set("".join(counted)))
    pairs = byte_pairs(counted, max(0, kept - letters))
    return {
        "kept": kept,
        "slots": slots,
        "train": sizes(train, words, slots),
        "test": sizes(test, words, slots),
        "words": vocabulary(counted, words),
        "ends": ends(train, test, words, slots),
        "pieces": {"pieces": len(pairs.pieces), "letters": letters, "toy": {word: pairs.cut(word) for word in TOY if set(word) <= set(pairs.pieces)}},
        "meme": {name: read_twice(tokens(text), words, pairs) for name, text in (("plain", MEME), ("scrambled", MEME_SCRAMBLED))},
        "scrambled": scrambled(train, test, words, pairs, seed),
    }


def sizes(pile, words, slots):  # -> how long the reviews are, and what of them is kept
    """Lengths in tokens, the share of reviews longer than `slots`, of tokens kept by them, and of tokens unknown."""
    n, unknown = pile.lengths, sum(int((ids == words.unknown).sum()) for ids in pile.ids)
    lengths = {"reviews": len(n), "tokens": int(n.sum()), "mean": as_recorded(n.mean()), "median": as_recorded(np.median(n))}
    shares = {
        "long": as_recorded((n > slots).mean()),
        "kept": as_recorded(np.minimum(n, slots).sum() / n.sum()),
        "unknown": as_recorded(unknown / n.sum()),
    }
    return lengths | {"shortest": int(n.min()), "longest": int(n.max())} | shares


def vocabulary(counted, words):  # -> how many words there are, and how common they are
    """Different words, how many stand once, and the share of all tokens that the commonest cover.

    Of the toy words the rank, the count, and how many words have that count: their ranks hang on the order of the reviews.
    """
    ranked = counted.most_common()
    covered = np.cumsum([count for _, count in ranked]) / counted.total()
    return {
        "different": len(ranked),
        "once": sum(count == 1 for count in counted.values()),
        "count_of_last_kept": ranked[min(words.size, len(ranked)) - 1][1],
        "ranks": {word: words.ranks[word] for word in TOY if word in words.ranks},
        "counts": {word: counted[word] for word in TOY if word in counted},
        "alike": {word: sum(count == counted[word] for count in counted.values()) for word in TOY if word in counted},
        "covered": [[size, as_recorded(covered[size - 1])] for size in COVERED if size <= len(ranked)],
    }


def ends(train, test, words, slots):  # -> what the first and the last slots of a long review hold
    """Telling words and ratings ("8/10") in test reviews longer than `slots`, and how often naive Bayes is right when it reads one end alone."""
    cuts = {"first": lambda x: x[:slots], "last": lambda x: x[-slots:], "whole": lambda x: x}
    telling, long = telling_words(train, words), test.lengths > slots
    ids = [x for x, is_long in zip(test.ids, long, strict=True) if is_long]
    texts = [x for x, is_long in zip(test.texts, long, strict=True) if is_long]
    return {
        "telling": int(telling.sum()),
        "telling_words": {name: as_recorded(np.mean([telling[cut(x)].sum() for x in ids])) for name, cut in cuts.items()},
        "long": len(ids),
        "rated": {name: sum(has_rating(cut(x)) for x in texts) for name, cut in cuts.items()},
        "right": {name: as_recorded(right(train, test, words.rows, cut).mean()) for name, cut in cuts.items()},
    }


def telling_words(pile, words):  # -> (rows,) True for the id of a word that tells
    """Words that stand in at least `STAND` reviews of the pile, and `LEAN` times as often in one half of it as in the other."""
    seen = present(pile.ids, words.rows)
    liked, not_liked = (seen.back((pile.labels == side).astype(float)) for side in (1, 0))
    tells = (liked + not_liked >= STAND) & (np.maximum(liked, not_liked) >= LEAN * np.minimum(liked, not_liked))
    tells[words.unknown] = False
    return tells


def has_rating(words):  # tokens -> bool
    """Whether a number stands before a 10, as in "8/10"."""
    return any(a.isdigit() and b == "10" for a, b in pairwise(words))


def right(train, test, rows, cut):  # -> (reviews,) True where naive Bayes, taught on the same cut, says what the writer thought
    """A machine that knows which words stand in a review, and nothing of their order."""
    machine = naive_bayes(present([cut(ids) for ids in train.ids], rows), train.labels)
    return machine.says(present([cut(ids) for ids in test.ids], rows)) == (test.labels > 0)


def present(ids, rows):  # rows of ids, of any length -> Sparse
    """1 where a word stands in a review at all."""
    once = [np.unique(x) for x in ids]  # review by review: forty times as quick as all at a stroke
    places = np.repeat(np.arange(len(ids)), [len(x) for x in once])
    return Sparse(places, np.concatenate(once), np.ones(len(places)), (len(ids), rows))


def scrambled(train, test, words, pairs, seed):  # -> what a scrambled review is to either dictionary
    """One review of every `SAMPLE` of the test pile, plain and with the inner letters of its words in another order."""
    rng, texts = np.random.default_rng(seed), test.texts[::SAMPLE]
    mixed = [[scramble(word, rng) for word in text] for text in texts]
    found = {"reviews": len(texts)}
    for name, said in (("plain", texts), ("scrambled", mixed)):
        pile = Tokenised(said, [words.ids(x) for x in said], test.labels[::SAMPLE])
        found[name] = read_twice([word for text in said for word in text], words, pairs)
        found[name]["right"] = as_recorded(right(train, pile, words.rows, lambda x: x).mean())
    return found


def scramble(word, rng):  # -> str
    """The word with its inner letters drawn in a new order; the first and the last stay."""
    return word[:1] + "".join(rng.permutation(list(word[1:-1]))) + word[-1:] if len(word) > 3 else word


def read_twice(said, words, pairs):  # tokens -> what a dictionary and a byte-pair tokenizer make of them
    """How many of the words are unknown, and into how many pieces they are cut. A letter that nobody taught is a piece of its own."""
    cut = {word: len(pairs.cut(word)) for word in set(said)}
    return {"words": len(said), "unknown": int((words.ids(said) == words.unknown).sum()), "pieces": sum(cut[word] for word in said)}
