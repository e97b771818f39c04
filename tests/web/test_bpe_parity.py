"""BPE in the page and in pencil.reference: the same words, merges, counts and pieces."""

import random

import pytest
from node_runner import ask

from pencil.examples import BPE_TEXT, MEME
from pencil.reference import pair_counts, tokenize, train_bpe

ALPHABETS = ("ab", "abc ", "aab b ", "thecas on,.'!", "éßΣ漢𝒳 \t\n-İ")
TEXTS = ("", " ", "a", "aaaa aaa aa", "low slow lot", "ababab abab", "!?", BPE_TEXT, MEME)


def drawn(count):
    """Texts of few letters, so that pairs are often equally frequent."""
    rng = random.Random(1)
    return ["".join(rng.choices(ALPHABETS[k % len(ALPHABETS)], k=rng.randint(1, 60))) for k in range(count)]


def of_the_reference(text):
    """What the page should say: a step for each number of merges."""
    words = tokenize(text)
    learned = train_bpe(words, num_merges=10_000).merges
    steps = []
    for merges in range(len(learned) + 1):
        pairs = train_bpe(words, num_merges=merges)
        step = {"splits": [pairs.tokenize(word) for word in words]}
        if merges:
            pair = learned[merges - 1]
            step |= {"pair": list(pair), "count": pair_counts(words, merges=learned[: merges - 1])[pair]}
        steps.append(step)
    return {"words": words, "steps": steps}


@pytest.mark.parametrize("texts", [TEXTS, drawn(300)], ids=["chosen", "drawn"])
def test_the_page_joins_what_the_reference_joins(tmp_path, texts):
    answers = ask(tmp_path, [{"ask": "pieces", "text": text} for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        assert answer == of_the_reference(text), repr(text)
    assert sum(len(answer["steps"]) for answer in answers) > len(texts)
