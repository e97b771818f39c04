"""The reference against Hugging Face `transformers`: GPT-2, BERT, and three ways to tell positions. Random configs, nothing fetched.

Tolerances: 1e-10 in float64 and 1e-5 in float32, as against torch. Where transformers falls back to float32 whatever it is
given (the scores of GPT-J, the shares of BLOOM, the finished wave of DistilBERT), the test says so and keeps to 1e-5.
"""

import os
import socket
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
from agree import assert_close, assert_reference_agrees
from pairs import DOUBLE, SEEDS, SHAPES, SINGLE, draw, masks
from pairs_transformers import bert_layer_pair, bert_pair, bloom_block_pair, gpt2_block_pair, gpt2_pair, gptj_attention_pair
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.distilbert.modeling_distilbert import create_sinusoidal_embeddings
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as llama_rotary
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

from pencil.reference import Alibi, alibi, apply_rope, sinusoid, sinusoidal

pytestmark = pytest.mark.slow
every = pytest.mark.parametrize
EVEN = [(1, 1, 2, 1, 8), (1, 3, 4, 2, 16), (2, 5, 16, 4, 64), (3, 6, 16, 8, 64), (1, 9, 6, 1, 24)]  # pairs of slots in each head


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Whoever opens a connection fails the test."""

    def refuse(*args):
        raise AssertionError(f"a connection to {args[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def in_float64():
    """Tables that transformers builds in torch's default type."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


# ---- blocks and whole models


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("dtype", [torch.float64, torch.float32], ids=str)
@every("make", [gpt2_block_pair, bert_layer_pair])
def test_a_block(make, seed, shape, dtype):
    for mask in masks(seed, shape[1], shape[1]):
        assert_reference_agrees(make(seed, shape, dtype, mask))


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("dtype", [torch.float64, torch.float32], ids=str)
@every("how", ["eager", "sdpa"])
@every("depth, padded", [(1, False), (2, True), (3, False)])
def test_a_whole_gpt2(seed, shape, dtype, how, depth, padded):
    assert_reference_agrees(gpt2_pair(seed, shape, dtype, depth, padded, how))


@every("seed", SEEDS)
@every("shape", SHAPES, ids=str)
@every("dtype", [torch.float64, torch.float32], ids=str)
@every("depth, padded", [(1, True), (2, True), (3, False)])
def test_the_stack_of_a_bert(seed, shape, dtype, depth, padded):
    assert_reference_agrees(bert_pair(seed, shape, dtype, depth, padded))


@every("make", [gpt2_block_pair, bert_layer_pair])
@every("wrong", ["eps", "norm_first", "activation"])
def test_a_wrong_choice_is_seen(make, wrong):
    pair, other = make(0, SHAPES[4], torch.float64), {"eps": 1e-6, "norm_first": make is bert_layer_pair, "activation": np.tanh}
    pair.config = replace(pair.config, **{wrong: other[wrong]})
    with pytest.raises(AssertionError, match="Mismatched"):
        assert_reference_agrees(pair)


@every("wrong", ["positions", "norm", "table", "blocks"])
def test_a_wrong_part_of_a_gpt2_is_seen(wrong):
    pair = gpt2_pair(0, SHAPES[4], torch.float64)
    spoil = {
        "positions": lambda m: replace(m, positions=m.positions[::-1]),
        "norm": lambda m: replace(m, norm=None),
        "table": lambda m: replace(m, output=m.embedding[::-1]),
        "blocks": lambda m: replace(m, blocks=m.blocks[::-1]),
    }
    made = pair.bundle
    pair.bundle = lambda read: spoil[wrong](made(read))
    with pytest.raises((AssertionError, KeyError)):
        assert_reference_agrees(pair)


# ---- positions


@every("words, width", [(1, 2), (2, 4), (7, 6), (16, 32), (300, 8)])
def test_the_wave_against_gptj(in_float64, words, width):
    """transformers keeps all sines in the first half of a row and all cosines in the second."""
    sin, cos = sinusoid(np.arange(words), width=width)
    assert_close(np.concatenate([sin, cos], 1), create_sinusoidal_positions(words, width), DOUBLE, "sin and cos")


@every("words, width", [(1, 2), (2, 4), (7, 6), (512, 64)])
def test_the_seat_table_against_distilbert(words, width):
    """It is kept in float32, so 1e-5, though it is worked out finer."""
    table = torch.empty(words, width)
    create_sinusoidal_embeddings(words, width, table)
    assert_close(sinusoidal(np.arange(words), width=width), table, SINGLE, "encoding")


@every("seed", SEEDS)
@every("batch, words, heads, width", [(1, 1, 1, 2), (2, 5, 3, 4), (1, 40, 2, 16)])
def test_a_turn_against_gptj(in_float64, seed, batch, words, heads, width):
    x = draw(seed, batch, words, heads, width)
    sin, cos = create_sinusoidal_positions(words, width).chunk(2, -1)
    theirs = apply_rotary_pos_emb(torch.tensor(x), sin[None], cos[None])
    ours = apply_rope(x.swapaxes(1, 2), *sinusoid(np.arange(words), width=width)).swapaxes(1, 2)
    assert_close(ours, theirs, DOUBLE, "rotated")


@every("seed", SEEDS)
@every("words, width", [(1, 2), (2, 4), (7, 6), (40, 16)])
def test_pairs_of_halves_are_pairs_of_neighbours_with_the_grids_rows_in_another_order(in_float64, seed, words, width):
    """Llama's code in transformers pairs slot i with i + width / 2. With the rows of both grids permuted its scores are ours, and else not."""
    x, query, key = draw(seed, words, width), draw(seed + 1, width, width), draw(seed + 2, width, width)
    sin, cos = sinusoid(np.arange(words), width=width)
    ours = apply_rope(x @ query.T, sin, cos) @ apply_rope(x @ key.T, sin, cos).T
    tables = [torch.tensor(np.concatenate([one, one], 1))[None] for one in (cos, sin)]

    def theirs(order):
        rows = [torch.tensor(x @ grid[order].T)[None, None] for grid in (query, key)]
        turned_query, turned_key = llama_rotary(*rows, *tables)
        return (turned_query @ turned_key.mT)[0, 0]

    order = np.arange(width).reshape(-1, 2).T.ravel()  # the first of every pair, then the second of every pair
    assert_close(ours, theirs(order), DOUBLE, "scores")
    assert width == 2 or words == 1 or np.abs(ours - theirs(np.arange(width)).numpy()).max() > 1e-3


@every("seed", SEEDS)
@every("shape", EVEN, ids=str)
def test_rotary_heads_against_gptj(seed, shape):
    assert_reference_agrees(gptj_attention_pair(seed, shape, torch.float32))


def slopes_of(heads):
    return [Alibi().for_head(h, heads).slope for h in range(1, heads + 1)]


@every("heads", [1, 2, 4, 8, 16, 32])
def test_the_slopes_against_bloom_and_mpt(heads):
    """The slopes are kept in float32. BLOOM adds slope · seat of the key, MPT slope · (seat of the key − last seat)."""
    words = 6
    bloom = build_alibi_tensor(torch.ones(1, words, dtype=torch.long), heads, torch.float64)[:, 0]
    mpt = build_mpt_alibi_tensor(heads, words)[:, 0]
    for slope, from_start, from_end in zip(slopes_of(heads), bloom, mpt, strict=True):
        last = alibi(np.arange(words), slope=slope)[-1]  # the last word's row, which sees all
        assert_close(last, from_end, SINGLE, "MPT")
        assert_close(last - last[0], from_start - from_start[0], SINGLE, "BLOOM")


@every("heads", [3, 6, 12])
def test_for_other_counts_of_heads_the_peers_leave_the_formula(heads):
    """2^(−8h/n) is the paper's formula for any n. Its code, and with it BLOOM and MPT, keeps to powers of two and borrows the rest."""
    bloom = build_alibi_tensor(torch.ones(1, 2, dtype=torch.long), heads, torch.float64)[:, 0, 1].numpy()
    mpt = -build_mpt_alibi_tensor(heads, 2)[:, 0, 0].numpy()
    assert_close(bloom, mpt, SINGLE, "BLOOM and MPT")
    assert np.abs(np.sort(slopes_of(heads)) - np.sort(bloom)).max() > 1e-2
    below = 2 ** int(np.log2(heads))
    assert_close(np.array([*slopes_of(below), *slopes_of(2 * below)[::2][: heads - below]]), bloom, SINGLE, "kept and borrowed")


@every("seed", SEEDS)
@every("shape", EVEN, ids=str)
def test_a_leaning_block_against_bloom(seed, shape):
    assert_reference_agrees(bloom_block_pair(seed, shape, torch.float32))


# ---- the promise of the first lines


def test_no_connection_is_tried():
    """In a fresh process, every name look-up refused: models still come out of configs."""
    code = (
        "import socket; socket.getaddrinfo = socket.create_connection = lambda *a, **k: 1 / 0\n"
        "from pairs_transformers import *\n"
        "gpt2_pair(0, (1, 2, 4, 2, 8), torch.float64).run()\n"
        "import os; assert os.environ['HF_HUB_OFFLINE'] == '1'"
    )
    folder = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([sys.executable, "-c", code], check=True, cwd=folder, timeout=120)
