"""Words into numbers against Keras' Tokenizer and pad_sequences, scikit-learn's vectorizers and Hugging Face's tokenizers.

Tokens, ids and pieces are equal one by one; TF-IDF to 1e-12 (the same logarithms, added in another order).
"""

import json
import random

import numpy as np
import pytest

from pencil.reference import (
    bag_of_words,
    build_vocabulary,
    one_hot,
    pad_or_truncate,
    pre_tokenize,
    tf_idf,
    tokenize,
    train_bpe,
    words_and_punctuation,
)

ALPHABET = "aaabcdeéßİ  ' .,!?-_/\\\t\n\r()[]{}<>&;:\"#$%+*=@^`|~0123ABZ"
BOOK = [
    "AI changes the world.",
    "nolan ended",
    "The cat sat on the mat. The cat sat!",
    "Don't miss it: a well-made, 10/10 film<br /><br />that ended too soon ...",
    "fi yuo cna raed tihs, yuo hvae a sgtrane mnid too",
]


def random_texts(seed, count=30, letters=ALPHABET):
    rng = random.Random(seed)
    return ["".join(rng.choices(letters, k=rng.randint(0, 80))) for _ in range(count)]


TEXTS = {"the book's": BOOK} | {f"random {seed}": random_texts(seed) for seed in range(5)}
every_set = pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)


@pytest.fixture(scope="module")
def keras_text(keras):
    from keras.src.legacy.preprocessing import text

    return text


# ---- Keras


@every_set
def test_tokens_are_those_of_keras(keras_text, texts):
    assert [tokenize(text) for text in texts] == [keras_text.text_to_word_sequence(text) for text in texts]


@every_set
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_ranks_and_ids_are_those_of_keras(keras_text, texts, size):
    split = [tokenize(text) for text in texts]
    ours = build_vocabulary(split, size=size)
    plain = keras_text.Tokenizer(num_words=size + 1)  # num_words counts padding in
    plain.fit_on_texts(texts)
    assert dict(plain.word_index) == ours.ranks
    kept = [[int(i) for i in ours.ids(words) if i != ours.unknown] if words else [] for words in split]
    assert plain.texts_to_sequences(texts) == kept  # without an oov_token Keras drops the rare words


@every_set
def test_with_a_word_for_the_unknown_keras_moves_every_rank_up_by_one(keras_text, texts):
    size, split = 5, [tokenize(text) for text in texts]
    ours = build_vocabulary(split, size=size)
    theirs = keras_text.Tokenizer(num_words=size + 2, oov_token="<unk>")
    theirs.fit_on_texts(texts)
    moved = [[1 if i == ours.unknown else int(i) + 1 for i in ours.ids(words)] if words else [] for words in split]
    assert theirs.texts_to_sequences(texts) == moved


@pytest.mark.parametrize("pad", ["end", "front"])
@pytest.mark.parametrize("chop", ["end", "front"])
@pytest.mark.parametrize("max_len", [1, 3, 100])
def test_rows_are_padded_and_chopped_as_pad_sequences_does(keras, pad, chop, max_len):
    rng = np.random.default_rng(0)
    rows = [rng.integers(1, 50, size).tolist() for size in (0, 1, 2, 3, 4, 99, 100, 101, 250)]
    said = {"end": "post", "front": "pre"}
    theirs = keras.utils.pad_sequences(rows, max_len, padding=said[pad], truncating=said[chop])
    assert [pad_or_truncate(row, max_len=max_len, padding=pad, truncating=chop).tolist() for row in rows] == theirs.tolist()


def test_keras_does_both_at_the_front_unless_it_is_told(keras):
    row = list(range(1, 6))
    assert keras.utils.pad_sequences([row], 3).tolist() == [pad_or_truncate(row, max_len=3, truncating="front").tolist()]
    assert keras.utils.pad_sequences([row], 7).tolist() == [pad_or_truncate(row, max_len=7, padding="front").tolist()]


# ---- scikit-learn


@every_set
def test_counts_are_those_of_count_vectorizer(texts):
    from sklearn.feature_extraction.text import CountVectorizer

    split = [tokenize(text) for text in texts]
    vocabulary = list(build_vocabulary(split, size=1).ranks)[::2]  # half of the words, so that others are passed over
    theirs = CountVectorizer(analyzer=tokenize, vocabulary=vocabulary).fit_transform(texts).toarray()
    assert bag_of_words(split, vocabulary).tolist() == theirs.tolist()


@every_set
def test_one_hot_rows_are_those_of_one_hot_encoder(texts):
    from sklearn.preprocessing import OneHotEncoder

    vocabulary = list(build_vocabulary([tokenize(text) for text in texts], size=1).ranks)
    words = [word for text in texts for word in tokenize(text)]
    encoder = OneHotEncoder(categories=[vocabulary], sparse_output=False)
    assert one_hot(words, vocabulary).tolist() == encoder.fit_transform([[word] for word in words]).tolist()


@every_set
def test_tf_idf_is_that_of_tfidf_vectorizer(texts):
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [text for text in texts if tokenize(text)]
    theirs = TfidfVectorizer(analyzer=tokenize)  # as it stands: smooth idf, rows of length 1
    expected = theirs.fit_transform(texts).toarray()
    vocabulary, seen = theirs.get_feature_names_out().tolist(), {}
    found = tf_idf(bag_of_words([tokenize(text) for text in texts], vocabulary), note=lambda name, value: seen.setdefault(name, value))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(seen["idf"], theirs.idf_, rtol=1e-12)


# ---- Hugging Face


@every_set
def test_words_and_marks_are_those_of_two_splitters_in_a_row(texts):
    from tokenizers import Regex
    from tokenizers.pre_tokenizers import Sequence, Split, Whitespace

    marks_apart = Sequence([Whitespace(), Split(Regex(r"[^\w\s]"), "isolated")])
    for text in texts:
        assert words_and_punctuation(text) == [piece for piece, _ in marks_apart.pre_tokenize_str(text)]


def byte_pairs_of_hugging_face(texts, pre_tokenizer, pieces):
    """-> merges, pieces by id, and the tokenizer itself. Without special tokens the alphabet comes first, as in ours."""
    from tokenizers import Tokenizer, models, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=pieces, show_progress=False))
    model = json.loads(tokenizer.to_str())["model"]
    return [tuple(pair) for pair in model["merges"]], sorted(model["vocab"], key=model["vocab"].get), tokenizer


@pytest.mark.parametrize("words", [["cat", "sat", "mat"], ["the"] * 3 + ["cat", "sat", "on", "the", "mat", "cats"], ["aaaa", "aaa", "aa"]])
@pytest.mark.parametrize("merges", [1, 3, 50])
def test_pieces_of_a_handful_of_words_are_the_peers_as_well(words, merges):
    from tokenizers.pre_tokenizers import WhitespaceSplit

    ours = train_bpe(words, num_merges=merges)
    theirs, pieces, tokenizer = byte_pairs_of_hugging_face([" ".join(words)], WhitespaceSplit(), len(ours.pieces))
    assert list(ours.merges) == theirs and list(ours.pieces) == pieces
    assert [ours.tokenize(word) for word in words] == [tokenizer.encode(word).tokens for word in words]


@pytest.mark.parametrize("seed", range(300))
def test_ties_and_all_on_random_words_of_few_letters(seed):
    from tokenizers.pre_tokenizers import WhitespaceSplit

    rng = random.Random(seed)
    letters = "abcdefghijkl"[: rng.choice([2, 3, 5, 12])]
    words = ["".join(rng.choices(letters, k=rng.randint(1, 8))) for _ in range(rng.randint(1, 60))]
    ours = train_bpe(words, num_merges=rng.randint(0, 60))
    theirs, pieces, tokenizer = byte_pairs_of_hugging_face([" ".join(words)], WhitespaceSplit(), len(ours.pieces))
    assert list(ours.merges) == theirs and list(ours.pieces) == pieces
    for word in ["".join(rng.choices([*{*"".join(words)}], k=12)) for _ in range(20)]:
        assert ours.tokenize(word) == tokenizer.encode(word).tokens


@every_set
@pytest.mark.parametrize("merges", [0, 20, 400])
def test_a_whole_text_gets_the_ids_of_the_peer(texts, merges):
    from tokenizers import Regex
    from tokenizers.pre_tokenizers import Split

    from pencil.reference.bpe import CHUNK

    text = "\n".join(texts)
    ours = train_bpe(pre_tokenize(text), num_merges=merges)
    theirs, pieces, tokenizer = byte_pairs_of_hugging_face([text], Split(Regex(CHUNK), "isolated"), len(ours.pieces))
    assert list(ours.merges) == theirs and list(ours.pieces) == pieces
    ids = ours.encode(text)
    assert tokenizer.encode(text).ids == ids.tolist()
    assert ours.decode(ids) == text
