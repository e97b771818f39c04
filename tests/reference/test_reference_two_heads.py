"""The two heads of chapter 07, value by value against loops, and what the chapter says of heads in general."""

from dataclasses import replace

import numpy as np
import plain
import pytest
from draws import lists_of

from pencil.examples import HEADS_VECTORS, HEADS_WORDS, ROWS, TWO_HEADS
from pencil.params import flatten
from pencil.reference import AttentionParams, QKVParams, multi_head_attention, self_attention

NAMES = ("query", "key", "value")
random = np.random.default_rng(0)


def wide(heads):
    """One head with all parameters of the heads."""
    return QKVParams(*(np.concatenate([getattr(head, name) for head in heads]) for name in NAMES))


def drawn(count, width, stick):
    return tuple(QKVParams(*random.normal(size=(3, width, stick))) for _ in range(count))


def test_every_value_of_the_two_heads():
    noted = {}
    multi_head_attention(HEADS_VECTORS, TWO_HEADS, note=noted.setdefault)
    loops = plain.multi_head(HEADS_VECTORS.tolist(), lists_of(TWO_HEADS))
    assert set(loops) == set(noted)
    for name, value in loops.items():
        np.testing.assert_allclose(noted[name], value, rtol=1e-14, atol=1e-15, err_msg=name)


def test_the_heads_do_what_the_page_says_of_them():
    noted = {}
    multi_head_attention(HEADS_VECTORS, TWO_HEADS, note=noted.setdefault)
    assert np.array_equal(HEADS_VECTORS[:2], ROWS)  # cat and sat as in the whole book
    looks = [HEADS_WORDS[np.argmax(noted[f"head{i}.weights"][1])] for i in (1, 2)]
    assert looks == ["cat", "table"]
    assert noted["head1.scores"][1].tolist() == [5, 1, 2] and noted["head2.scores"][1].tolist() == [2, -2, 4]


@pytest.mark.parametrize("heads, x", [(TWO_HEADS.heads, HEADS_VECTORS), (drawn(10, 5, 50), random.normal(size=(5, 50)))])
def test_one_wide_head_with_the_same_parameters_adds_the_scores(heads, x):
    apart, together = {}, {}
    width = sum(len(head.value) for head in heads)
    multi_head_attention(x, AttentionParams(heads, np.eye(x.shape[1], width)), note=apart.setdefault)
    self_attention(x, wide(heads), note=together.setdefault)
    count = range(1, len(heads) + 1)
    assert np.allclose(together["scores"], sum(apart[f"head{i}.scores"] for i in count), atol=1e-11)
    assert np.allclose(together["value"], np.hstack([apart[f"head{i}.value"] for i in count]))
    assert not np.allclose(together["context"], apart["concat"])  # and yet something else comes out


@pytest.mark.parametrize(
    "layer, x", [(TWO_HEADS, HEADS_VECTORS), (AttentionParams(drawn(10, 5, 50), random.normal(size=(50, 50))), random.normal(size=(5, 50)))]
)
def test_the_output_projection_is_a_sum_over_heads(layer, x):
    parts = np.split(layer.output, len(layer.heads), axis=1)
    added = sum(self_attention(x, head) @ part.T for head, part in zip(layer.heads, parts, strict=True))
    assert np.allclose(multi_head_attention(x, layer), added)


def test_the_output_projection_leaves_the_weights_alone():
    seen = [{}, {}]
    for noted, output in zip(seen, (TWO_HEADS.output, random.normal(size=(4, 4))), strict=True):
        multi_head_attention(HEADS_VECTORS, replace(TWO_HEADS, output=output), note=noted.setdefault)
    for i in (1, 2):
        assert np.array_equal(seen[0][f"head{i}.weights"], seen[1][f"head{i}.weights"])


@pytest.mark.parametrize("count", [1, 2, 5, 10, 25, 50])
def test_narrow_heads_have_the_parameters_of_one_and_scores_of_lower_rank(count):
    heads = drawn(count, 50 // count, 50)
    assert sum(grid.size for grid in flatten(AttentionParams(heads, np.zeros((50, 50)))).values()) == 10_000
    for head in heads:
        assert np.linalg.matrix_rank(head.query.T @ head.key) == 50 // count
