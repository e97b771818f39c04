"""The embedded reviews are as documented: reproducible, balanced, of the stated lengths, and classifiable by opinion words and order only."""

import hashlib
import re
import time
from collections import Counter
from random import Random

import numpy as np
import pytest

from pencil.data import reviews
from pencil.data.embedded import grammar, lexicon
from pencil.data.embedded.sentences import ORDER

ASKED_FOR = "the cat sat on table mat king queen man woman good bad not boring dull nolan ended movie was"


def words(text):
    return re.findall(r"[a-z]+", text.lower())


@pytest.fixture(scope="module")
def loaded():
    return reviews.load()


@pytest.fixture(scope="module")
def texts(loaded):
    return loaded.train.texts + loaded.test.texts


def test_two_splits_half_of_each_praise_and_no_text_twice(loaded, texts):
    for split, size in ((loaded.train, 3000), (loaded.test, 1000)):
        assert len(split) == len(split.labels) == size and split.labels.dtype == np.int8
        assert set(split.labels.tolist()) == {0, 1} and split.labels.sum() == size // 2
        assert not split.labels.flags.writeable
        assert 0.4 < np.mean(split.labels[1:] != split.labels[:-1]) < 0.6  # in mixed order
    assert len(set(texts)) == len(texts)


def test_the_same_on_every_machine_and_python(loaded):
    """Division and `Random.random` alone make them, so one hash is right everywhere. A new hash is a new corpus: measure what was measured anew."""
    found = "\n".join(loaded.train.texts + loaded.test.texts) + "".join(map(str, [*loaded.train.labels, *loaded.test.labels]))
    assert hashlib.sha256(found.encode()).hexdigest() == "d1e747b1f7b5b5180c71fec65c8860e6ee119e8be60e78f611ff29e903bd5a4a"


def test_another_seed_gives_another_corpus():
    one, two = grammar.corpus(0, (20, 10)), grammar.corpus(1, (20, 10))
    assert one == grammar.corpus(0, (20, 10)) and one != two and [len(split) for split in one] == [20, 10]


def test_it_is_quick():
    start = time.process_time()
    grammar.corpus(5, (3000, 1000))
    assert time.process_time() - start < 2  # 0.3 s on a quiet core


def test_lengths(texts):
    lengths = [len(text.split()) for text in texts]
    assert min(lengths) == grammar.SHORTEST == 5 and 280 <= max(lengths) <= grammar.LONGEST == 300
    assert 30 <= np.median(lengths) <= 60


def test_the_vocabulary_has_the_words_of_the_book_and_a_thin_tail(texts):
    counts = Counter(word for text in texts for word in words(text))
    assert all(counts[word] >= 100 for word in ASKED_FOR.split())
    assert 1000 <= len(counts) <= 2000
    assert sum(count <= 5 for count in counts.values()) >= 100 and counts.most_common(1)[0][0] == "the"
    assert 0.5 < counts["king"] / counts["queen"] < 2 and 0.5 < counts["man"] / counts["woman"] < 2


def test_every_sentence_is_a_sentence(texts):
    for text in texts:
        assert not re.search(r"[{}_]|  | [,.!]|\b[Aa] [aeiou]|\b[Aa]n (?!hour)[^aeiouAEIOU]", text), text
        assert text[0].isupper() and text[-1] in ".!" and not re.search(r"[.!] [a-z]", text), text


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("gap", range(grammar.NEAREST, grammar.FARTHEST + 1))
def test_a_negation_stands_as_far_off_as_was_asked(label, gap):
    wrong = lexicon.MILD[1 - label].split()
    for seed in range(5):
        said = words(grammar.negated(Random(seed), label, gap))
        (at,) = [i for i, word in enumerate(said) if word in grammar.NEGATIONS]
        assert said[at + gap] in wrong
        assert not set(said[:at] + said[at + 1 : at + gap] + said[at + gap + 1 :]) & {*wrong, *lexicon.MILD[label].split()}


@pytest.mark.parametrize("gap", [0, 80])
def test_a_gap_outside_of_what_there_is(gap):
    with pytest.raises(ValueError, match=f"gap={gap} words from a negation to its word; these reviews have 1 to 79"):
        grammar.review(Random(0), 1, gap)


def test_a_review_can_be_asked_for_with_one_negation_at_its_gap():
    for gap in (1, 20, 79):
        assert gap < len(grammar.review(Random(3), 1, gap).split()) <= grammar.LONGEST


def test_gaps_of_all_lengths_are_in_the_corpus(texts):
    """Counted from the texts: a negation and the first word of worth behind it in the same sentence."""
    mild = {*lexicon.MILD[0].split(), *lexicon.MILD[1].split()}
    gaps = Counter()
    for sentence in (s for text in texts for s in re.split(r"[.!] ?", text)):
        said = words(sentence)
        for at in (i for i, word in enumerate(said) if word in grammar.NEGATIONS):
            hit = next((i for i in range(at + 1, len(said)) if said[i] in mild), None)
            if hit:
                gaps[hit - at] += 1
    assert set(range(1, 30)) <= set(gaps) <= set(range(1, 80)) and len(gaps) > 60 and max(gaps) > 70
    assert sum(n for gap, n in gaps.items() if gap > 20) > 100


@pytest.mark.parametrize("template", ORDER)
def test_the_two_meanings_of_an_ordered_sentence_have_one_bag_of_words(template):
    praise = template.format(wrong="dull", right="lively", film="film", aspect="plot", kin="aunt", name="Marsh")
    blame = template.format(wrong="lively", right="dull", film="film", aspect="plot", kin="aunt", name="Marsh")
    assert praise != blame and Counter(words(praise)) == Counter(words(blame))


def test_nothing_but_worth_depends_on_the_label(loaded):
    """Without the words of worth and of pace the splits are alike: lengths, negations, people, places."""
    splits = [[t for t, label in zip(loaded.train.texts, loaded.train.labels, strict=True) if label == wanted] for wanted in (0, 1)]
    lengths = [np.mean([len(t.split()) for t in split]) for split in splits]
    assert abs(lengths[0] - lengths[1]) < 6  # of about 67, with a spread of 70 over 1,500 reviews
    counts = [Counter(word for text in split for word in words(text)) for split in splits]
    for word in ("not", "never", "ended", "king", "woman", "cat", "table", "nolan"):
        few, many = sorted(count[word] for count in counts)
        assert many - few < 5 * (many + few) ** 0.5 + 1, word
