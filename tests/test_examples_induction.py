"""The two-head model of chapter 22: it completes repeated patterns, and fails where the page says so."""

from itertools import product

import numpy as np

from pencil.examples import INDUCTION_AFTER, INDUCTION_BACK, INDUCTION_NAMES, induction_rows
from pencil.reference import causal_mask, induction_mask, linear, pattern_score, previous_token_mask, self_attention


def run(said):  # -> shares of both heads, the three scores of the last word
    x, shares = induction_rows(said), []
    for head, output in (INDUCTION_BACK, INDUCTION_AFTER):
        named = {}
        x = x + linear(self_attention(x, head, mask=causal_mask(len(said)), note=named.setdefault), output)
        shares.append(named["weights"])
    return *shares, x[-1, :3]


def test_it_says_what_came_after_wherever_the_word_came_once_and_not_first():
    count = 0
    for said in product(INDUCTION_NAMES, repeat=5):
        before = [k for k, word in enumerate(said[:-1]) if word == said[-1]]
        if before in ([1], [2]):
            _, after, scores = run(said)
            assert INDUCTION_NAMES[scores.argmax()] == said[before[0] + 1] and after[-1].argmax() == before[0] + 1
            count += 1
    assert count == 48


def test_each_head_is_what_it_is_called_and_the_first_position_answers_too():
    back, after, _ = run(["mat", "cat", "sat", "mat", "cat"])
    assert pattern_score(back, previous_token_mask(np.arange(5))) > 0.98
    assert after[4, 2] > 0.98 and pattern_score(after, induction_mask([0, 1, 2, 0, 1])) > 0.7
    _, after, _ = run(["cat", "sat", "mat", "cat"])
    assert after[-1, :2].min() > 0.45 and after[-1, :2].sum() > 0.98
