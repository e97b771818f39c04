"""Statistics of film reviews: words, unknown words, what truncation keeps, and how scrambled letters affect a vocabulary and BPE."""

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
COVERED = (1, 10, 100, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)  # vocabulary sizes whose coverage is reported
MIN_REVIEWS, MIN_RATIO = 50, 2  # an indicative word is in so many reviews, and so many times as often in those of one label
SAMPLE = 25  # every 25th review is scrambled


@dataclass(frozen=True)
class Tokenised:
    """Reviews as lists of tokens and as arrays of ids, with their labels."""

    texts: list
    ids: list
    labels: np.ndarray

    lengths = property(lambda self: np.array([len(ids) for ids in self.ids]))


def measure(seed=0, source="full", vocab_size=10_000, max_len=100):  # -> JSON-able, for `python -m pencil record imdb_facts`
    """The figures of chapter 01, for a vocabulary of `vocab_size` words, a BPE of the same size, and reviews truncated to `max_len` tokens."""
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


def sizes(part, words, max_len):  # Tokenised, Vocabulary -> JSON-able
    """Lengths in tokens, and the shares of reviews longer than `max_len`, of tokens kept by truncation, and of unknown tokens."""
    n, unknown = part.lengths, sum(int((ids == words.unknown).sum()) for ids in part.ids)
    lengths = {"reviews": len(n), "tokens": int(n.sum()), "mean": as_recorded(n.mean()), "median": as_recorded(np.median(n))}
    shares = {
        "long": as_recorded((n > max_len).mean()),
        "kept": as_recorded(np.minimum(n, max_len).sum() / n.sum()),
        "unknown": as_recorded(unknown / n.sum()),
    }
    return lengths | {"shortest": int(n.min()), "longest": int(n.max())} | shares


def vocabulary(counted, words):  # Counter, Vocabulary -> JSON-able
    """The number of words, how many occur once, and the coverage of the most frequent ones.

    For each toy word its rank, its count, and how many words share that count: their ranks depend on the order of the reviews.
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


def ends(train, test, words, max_len):  # Tokenised, Tokenised, Vocabulary -> JSON-able
    """The first against the last `max_len` tokens of test reviews longer than that: indicative words, ratings ("8/10"), accuracy of naive Bayes."""
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


def telling_words(part, words):  # -> (rows,) bool by id
    """Words in at least `MIN_REVIEWS` reviews, and in `MIN_RATIO` times as many of one label as of the other."""
    seen = present(part.ids, words.num_embeddings)
    positive, negative = (seen.T @ (part.labels == side) for side in (1, 0))
    tells = (positive + negative >= MIN_REVIEWS) & (np.maximum(positive, negative) >= MIN_RATIO * np.minimum(positive, negative))
    tells[words.unknown] = False
    return tells


def has_rating(words):  # tokens -> bool
    """Whether a number precedes a 10, as in "8/10" after tokenization."""
    return any(a.isdigit() and b == "10" for a, b in pairwise(words))


def right(train, test, rows, cut):  # -> (reviews,) bool
    """Whether naive Bayes is right on each test review, fitted and tested on the part of a review that `cut` returns."""
    model = MultinomialNB().fit(present([cut(ids) for ids in train.ids], rows), train.labels)
    return model.predict(present([cut(ids) for ids in test.ids], rows)) == test.labels


def present(ids, rows):  # rows of ids, of any length -> csr_array (reviews, rows)
    """The binary bag of words of each review."""
    once = [np.unique(x) for x in ids]  # forty times as fast as np.unique over all reviews at once
    ends = np.cumsum([0, *map(len, once)])
    return csr_array((np.ones(ends[-1]), np.concatenate(once), ends), (len(ids), rows))


def scrambled(train, test, words, pairs, seed):  # -> JSON-able
    """How the vocabulary and the BPE read every 25th test review, as it is and with the inner letters of its words shuffled."""
    rng, texts = np.random.default_rng(seed), test.texts[::SAMPLE]
    shuffled = [[scramble(word, rng) for word in text] for text in texts]
    found = {"reviews": len(texts)}
    for name, tokens in (("plain", texts), ("scrambled", shuffled)):
        part = Tokenised(tokens, [words.ids(x) for x in tokens], test.labels[::SAMPLE])
        found[name] = read_twice([word for text in tokens for word in text], words, pairs)
        found[name]["right"] = as_recorded(right(train, part, words.num_embeddings, lambda x: x).mean())
    return found


def scramble(word, rng):  # -> str
    """Shuffle the inner letters of a word; the first and the last stay."""
    return word[:1] + "".join(rng.permutation(list(word[1:-1]))) + word[-1:] if len(word) > 3 else word


def read_twice(tokens, words, pairs):  # list of tokens, Vocabulary, BPE -> {"words", "unknown", "pieces"}
    """How many of the words the vocabulary does not know, and how many pieces the BPE makes. An unknown character is one piece."""
    cut = {word: len(pairs.tokenize(word)) for word in set(tokens)}
    return {"words": len(tokens), "unknown": int((words.ids(tokens) == words.unknown).sum()), "pieces": sum(cut[word] for word in tokens)}
