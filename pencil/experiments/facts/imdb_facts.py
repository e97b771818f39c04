"""Counts of the film reviews: words, unknown words, what each end of a review holds, and what scrambled letters do to a vocabulary."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array
from sklearn.naive_bayes import MultinomialNB

from pencil.data import reviews
from pencil.examples import MEME, MEME_SCRAMBLED
from pencil.experiments.records import as_recorded
from pencil.reference import build_vocabulary, tokenize, train_bpe

TOY = ("the", "movie", "was", "boring", "nolan", "ended", "cat", "sat", "on", "table", "mat", "king", "queen", "film", "br")
COVERED = (1, 10, 100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)  # of how many words the share is told
MIN_REVIEWS, MIN_RATIO = 50, 2  # a telling word stands in so many reviews, and so many times more often in those of one label
SAMPLE = 25  # of so many reviews one is scrambled


@dataclass(frozen=True)
class Tokenised:
    """Reviews as tokens and as ids, with their labels."""

    texts: list
    ids: list
    labels: np.ndarray

    lengths = property(lambda self: np.array([len(ids) for ids in self.ids]))


def measure(seed=0, source="full", vocab_size=10_000, max_len=100):  # -> JSON-able, for `python -m pencil record imdb_facts`
    """The figures of chapter 01, with a vocabulary of `vocab_size` words, a BPE of as many pieces, and reviews truncated to `max_len` tokens."""
    read = reviews.load(source)
    split = [[tokenize(text) for text in part.texts] for part in (read.train, read.test)]
    words = build_vocabulary(split[0], size=vocab_size)
    train, test = (Tokenised(t, [words.ids(x) for x in t], p.labels) for t, p in zip(split, (read.train, read.test), strict=True))
    counted = Counter(token for text in train.texts for token in text)
    characters = len(set("".join(counted)))
    pairs = train_bpe(counted, num_merges=max(0, vocab_size - characters))
    return {
        "vocab_size": vocab_size,
        "max_len": max_len,
        "train": sizes(train, words, max_len),
        "test": sizes(test, words, max_len),
        "words": vocabulary(counted, words),
        "ends": ends(train, test, words, max_len),
        "pieces": {
            "pieces": len(pairs.pieces),
            "characters": characters,
            "toy": {word: pairs.tokenize(word) for word in TOY if set(word) <= set(pairs.pieces)},
        },
        "meme": {name: read_twice(tokenize(text), words, pairs) for name, text in (("plain", MEME), ("scrambled", MEME_SCRAMBLED))},
        "scrambled": scrambled(train, test, words, pairs, seed),
    }


def sizes(part, words, max_len):  # -> how long the reviews are, and what of them is kept
    """Lengths in tokens, the share of reviews longer than `max_len`, of tokens kept by them, and of tokens unknown."""
    n, unknown = part.lengths, sum(int((ids == words.unknown).sum()) for ids in part.ids)
    lengths = {"reviews": len(n), "tokens": int(n.sum()), "mean": as_recorded(n.mean()), "median": as_recorded(np.median(n))}
    shares = {
        "long": as_recorded((n > max_len).mean()),
        "kept": as_recorded(np.minimum(n, max_len).sum() / n.sum()),
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


def ends(train, test, words, max_len):  # -> what the first and the last `max_len` tokens of a long review hold
    """Telling words and ratings ("8/10") in test reviews longer than `max_len`, and how often naive Bayes is right when it reads one end alone."""
    cuts = {"first": lambda x: x[:max_len], "last": lambda x: x[-max_len:], "whole": lambda x: x}
    telling, long = telling_words(train, words), test.lengths > max_len
    ids = [x for x, is_long in zip(test.ids, long, strict=True) if is_long]
    texts = [x for x, is_long in zip(test.texts, long, strict=True) if is_long]
    return {
        "telling": int(telling.sum()),
        "telling_words": {name: as_recorded(np.mean([telling[cut(x)].sum() for x in ids])) for name, cut in cuts.items()},
        "long": len(ids),
        "rated": {name: sum(has_rating(cut(x)) for x in texts) for name, cut in cuts.items()},
        "right": {name: as_recorded(right(train, test, words.num_embeddings, cut).mean()) for name, cut in cuts.items()},
    }


def telling_words(part, words):  # -> (rows,) True for the id of a word that tells
    """Words that stand in at least `MIN_REVIEWS` reviews, and `MIN_RATIO` times as often in those of one label as in those of the other."""
    seen = present(part.ids, words.num_embeddings)
    positive, negative = (seen.T @ (part.labels == side) for side in (1, 0))
    tells = (positive + negative >= MIN_REVIEWS) & (np.maximum(positive, negative) >= MIN_RATIO * np.minimum(positive, negative))
    tells[words.unknown] = False
    return tells


def has_rating(words):  # tokens -> bool
    """Whether a number stands before a 10, as in "8/10"."""
    return any(a.isdigit() and b == "10" for a, b in pairwise(words))


def right(train, test, rows, cut):  # -> (reviews,) True where naive Bayes, fitted on the same cut, is right
    """A bag of words, without order."""
    model = MultinomialNB().fit(present([cut(ids) for ids in train.ids], rows), train.labels)
    return model.predict(present([cut(ids) for ids in test.ids], rows)) == test.labels


def present(ids, rows):  # rows of ids, of any length -> csr_array (reviews, rows)
    """1 where a word stands in a review at all."""
    once = [np.unique(x) for x in ids]  # review by review: forty times as fast as all at once
    ends = np.cumsum([0, *map(len, once)])
    return csr_array((np.ones(ends[-1]), np.concatenate(once), ends), (len(ids), rows))


def scrambled(train, test, words, pairs, seed):  # -> what vocabulary and BPE make of scrambled reviews
    """Every 25th review of the test set, plain and with the inner letters of its words in another order."""
    rng, texts = np.random.default_rng(seed), test.texts[::SAMPLE]
    shuffled = [[scramble(word, rng) for word in text] for text in texts]
    found = {"reviews": len(texts)}
    for name, said in (("plain", texts), ("scrambled", shuffled)):
        part = Tokenised(said, [words.ids(x) for x in said], test.labels[::SAMPLE])
        found[name] = read_twice([word for text in said for word in text], words, pairs)
        found[name]["right"] = as_recorded(right(train, part, words.num_embeddings, lambda x: x).mean())
    return found


def scramble(word, rng):  # -> str
    """The word with its inner letters drawn in a new order; the first and the last stay."""
    return word[:1] + "".join(rng.permutation(list(word[1:-1]))) + word[-1:] if len(word) > 3 else word


def read_twice(said, words, pairs):  # tokens -> what a vocabulary and a BPE make of them
    """How many of the words are unknown, and into how many pieces they are cut. A character that the BPE does not know is a piece of its own."""
    cut = {word: len(pairs.tokenize(word)) for word in set(said)}
    return {"words": len(said), "unknown": int((words.ids(said) == words.unknown).sum()), "pieces": sum(cut[word] for word in said)}
