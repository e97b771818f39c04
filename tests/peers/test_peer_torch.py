"""The reference against PyTorch, in float64, with every named value that torch lets out.

Tolerance 1e-12: both sides add the same products in another order. At these sizes (sums of at most 64 terms
of about 1) that moves the last two or three of sixteen digits, 1e-14; a wrong divisor, eps or axis moves the first.
"""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from pencil import examples, reference
from pencil.params import flatten
from pencil.reference import (  # fmt: skip
    PADDING,
    AttentionParams,
    BlockConfig,
    FeedForwardParams,
    MLPParams,
    QKVParams,
    attention,
    binary_cross_entropy,
    block,
    embed,
    layer_norm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    self_attention,
    sigmoid,
    softmax,
    stable_softmax,
)

pytestmark = pytest.mark.slow
SEEDS = range(5)


@pytest.fixture(autouse=True)
def forward_only_in_float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    with torch.no_grad():
        yield
    torch.set_default_dtype(before)


def t(array):
    return torch.tensor(np.asarray(array))


def assert_same(ours, theirs, name=""):
    assert np.shape(ours) == tuple(theirs.shape), name
    np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-12, atol=1e-12, err_msg=name)


def draw(seed, *shape):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def masks(seed, queries, keys):
    mask = np.random.default_rng(seed).random((queries, keys)) < 0.6
    mask[:, 0] = True  # every query may look somewhere
    return [None, mask, np.tri(queries, keys, dtype=bool)]


# ---- attention


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("form", [softmax, stable_softmax])
def test_attention_against_scaled_dot_product_attention(seed, form):
    query, key, value = draw(seed, 5, 8), draw(seed, 7, 8), draw(seed, 7, 3)
    for mask in masks(seed, 5, 7):
        allowed = None if mask is None else t(mask)
        theirs = F.scaled_dot_product_attention(t(query), t(key), t(value), attn_mask=allowed)
        assert_same(attention(query, key, value, mask=mask, softmax=form), theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_step_of_attention_against_torch(seed):
    query, key, value = draw(seed, 4, 6), draw(seed, 5, 6), draw(seed, 5, 2)
    mask = masks(seed, 4, 5)[1]
    noted = {}
    attention(query, key, value, note=noted.setdefault, mask=mask, softmax=stable_softmax)
    scores = t(query) @ t(key).mT
    scaled = scores / 6**0.5
    masked = scaled.masked_fill(~t(mask), -torch.inf)
    highest = masked.amax(-1, keepdim=True)
    raised = (masked - highest).exp()
    weights = torch.softmax(masked, -1)
    parts = torch.einsum("ts,sd->tsd", weights, t(value))
    steps = {
        "scores": scores, "scaled": scaled, "masked": masked, "max": highest, "shifted": masked - highest, "exp": raised,
        "exp_sum": raised.sum(-1, keepdim=True), "weights": weights, "weighted_values": parts, "context": parts.sum(1),
    }  # fmt: skip
    assert list(noted) == list(steps)
    for name, theirs in steps.items():
        assert_same(noted[name], theirs, name)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_heads, d_k", [(1, 6), (2, 3), (4, 4)])
def test_heads_against_multihead_attention(seed, n_heads, d_k):
    d_model, words = n_heads * d_k, 5
    x, output = draw(seed, words, d_model), draw(seed, d_model, d_model)
    heads = tuple(QKVParams(*draw(seed + 10 * i, 3, d_k, d_model) / d_model**0.5) for i in range(n_heads))
    peer = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)
    stacked = [np.concatenate([getattr(h, name) for h in heads]) for name in ("query", "key", "value")]
    peer.load_state_dict({"in_proj_weight": t(np.concatenate(stacked)), "out_proj.weight": t(output)})
    for mask in masks(seed, words, words):
        noted = {}
        out = multi_head_attention(x, AttentionParams(heads, output), note=noted.setdefault, mask=mask)
        forbidden = None if mask is None else ~t(mask)
        theirs, weights = peer(t(x)[None], t(x)[None], t(x)[None], attn_mask=forbidden, average_attn_weights=False)
        assert_same(out, theirs[0], "attn_out")
        for i in range(n_heads):
            name = f"head{i + 1}.weights" if n_heads > 1 else "weights"
            assert_same(noted[name], weights[0, i], name)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_heads_of_32_glued_to_64_against_plain_torch(seed):
    """nn.MultiheadAttention cannot do this (its heads share the width), so the heads are laid out by hand."""
    x, output = draw(seed, 10, 32), draw(seed, 32, 64) / 8
    heads = tuple(QKVParams(*draw(seed + 10 * i, 3, 32, 32) / 32**0.5) for i in range(2))
    noted = {}
    out = multi_head_attention(x, AttentionParams(heads, output), note=noted.setdefault)
    glue = [F.scaled_dot_product_attention(t(x) @ t(h.query).T, t(x) @ t(h.key).T, t(x) @ t(h.value).T) for h in heads]
    assert_same(noted["concat"], torch.cat(glue, -1), "concat")
    assert_same(out, F.linear(torch.cat(glue, -1), t(output)), "attn_out")


# ---- layer norm and block


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("eps", [0.0, 1e-5, 1e-3])
def test_layer_norm_and_its_statistics(seed, eps):
    x = draw(seed, 6, 9) * 3 + 1
    noted = {}
    out = layer_norm(x, note=noted.setdefault, eps=eps)
    assert_same(out, F.layer_norm(t(x), (9,), eps=eps))
    _, mean, one_over_std = torch.native_layer_norm(t(x), (9,), None, None, eps)
    assert_same(noted["mean"], mean, "mean")
    assert_same(noted["std"], 1 / one_over_std, "std")
    assert_same(noted["variance"], t(x).var(-1, correction=0, keepdim=True), "variance")


class Block(nn.Module):
    """A Pre-LN block out of torch's own parts; every part's output is kept by the hook of its name."""

    def __init__(self, d, d_ff, eps):
        super().__init__()
        self.norm1, self.norm2 = (nn.LayerNorm(d, eps, elementwise_affine=False) for _ in range(2))
        self.query, self.key, self.value, self.output = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.up, self.activation, self.down = nn.Linear(d, d_ff, bias=False), nn.ReLU(), nn.Linear(d_ff, d, bias=False)
        self.kept = {}
        for name, part in self.named_children():
            part.register_forward_hook(lambda _, __, out, name=name: self.kept.__setitem__(name, out))

    def forward(self, x, mask=None):
        normalized = self.norm1(x)
        looked = F.scaled_dot_product_attention(self.query(normalized), self.key(normalized), self.value(normalized), attn_mask=mask)
        stream = x + self.output(looked)
        return stream + self.down(self.activation(self.up(self.norm2(stream))))


NAMES = {
    "norm1": "norm1.normalized", "query": "query", "key": "key", "value": "value", "output": "attn_out",
    "norm2": "norm2.normalized", "up": "hidden", "activation": "activated", "down": "mlp_out",
}  # fmt: skip


@pytest.mark.parametrize("seed", [*SEEDS, "cat sat"])
@pytest.mark.parametrize("eps", [0.0, 1e-5])
def test_the_block_against_a_module_of_torch_parts(seed, eps):
    if seed == "cat sat":
        x, params = examples.ROWS, examples.PAIR_BLOCK
    else:
        x, inner = draw(seed, 6, 8), QKVParams(*draw(seed, 3, 8, 8) / 3)
        params = reference.BlockParams(AttentionParams((inner,), draw(seed, 8, 8)), FeedForwardParams(draw(seed, 32, 8), draw(seed, 8, 32) / 4))
    mlp = params.feed_forward
    peer = Block(x.shape[1], len(mlp.up), eps)
    weights = {name: getattr(params.attention.heads[0], name) for name in ("query", "key", "value")}
    weights |= {"output": params.attention.output, "up": mlp.up, "down": mlp.down}
    peer.load_state_dict({f"{name}.weight": t(grid) for name, grid in weights.items()})  # no transpose: the layouts are one
    for mask in (None, np.tri(len(x), dtype=bool)):
        noted = {}
        out = block(x, params, note=noted.setdefault, mask=mask, config=BlockConfig(eps=eps))
        assert_same(out, peer(t(x), None if mask is None else t(mask)), "out")
        for theirs, ours in NAMES.items():
            assert_same(noted[ours], peer.kept[theirs], ours)


# ---- the rest of the machine


@pytest.mark.parametrize("seed", SEEDS)
def test_both_forms_of_softmax(seed):
    scores = draw(seed, 4, 7) * 20
    assert_same(softmax(scores), torch.softmax(t(scores), -1))
    assert_same(stable_softmax(scores), torch.softmax(t(scores), -1))
    far = scores + 1e6  # beyond what e can be raised to; here the two round their differences alike
    assert_same(stable_softmax(far), torch.softmax(t(far), -1))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_look_up_against_embedding_with_a_padding_index(seed):
    table = draw(seed, 12, 4)
    ids = np.random.default_rng(seed).integers(0, 12, 20)
    assert_same(embed(ids, table), F.embedding(t(ids), t(table), padding_idx=PADDING))
    peer = nn.Embedding(12, 4, padding_idx=PADDING)
    assert_same(embed(np.array([PADDING, 3, PADDING]), peer.weight.numpy()), peer(torch.tensor([PADDING, 3, PADDING])))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_head_against_a_sequential(seed):
    weight1, bias1, weight2, bias2 = draw(seed, 20, 32) / 6, draw(seed, 20), draw(seed, 1, 20) / 4, draw(seed, 1)
    peer = nn.Sequential(nn.Linear(32, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 1), nn.Sigmoid()).eval()
    peer.load_state_dict({"0.weight": t(weight1), "0.bias": t(bias1), "3.weight": t(weight2), "3.bias": t(bias2)})
    summary, noted = draw(seed, 32), {}
    assert_same(mlp_head(summary, MLPParams(weight1, bias1, weight2, bias2), note=noted.setdefault), peer(t(summary)))
    for i, name in ((1, "hidden"), (2, "activated"), (4, "logit")):
        assert_same(noted[name], peer[:i](t(summary)), name)
    assert_same(sigmoid(noted["logit"]), torch.sigmoid(t(noted["logit"])))


def test_dropout_rests_at_exam_time_and_evens_out_in_practice():
    """At exam time torch zeroes nothing; in practice it zeroes about one in ten and multiplies the rest by 1/0.9."""
    ones = torch.ones(100_000)
    assert torch.equal(F.dropout(ones, 0.1, training=False), ones)
    torch.manual_seed(0)
    practised = F.dropout(ones, 0.1, training=True)
    assert set(practised.unique().tolist()) == {0.0, 1 / 0.9}
    assert abs((practised == 0).double().mean() - 0.1) < 0.005  # five standard deviations of 100,000 draws


@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_against_binary_cross_entropy(seed):
    rng = np.random.default_rng(seed)
    truth, answer = rng.integers(0, 2, 30).astype(float), rng.uniform(0.001, 0.999, 30)
    assert_same(binary_cross_entropy(answer, truth), F.binary_cross_entropy(t(answer), t(truth), reduction="none"))


@pytest.mark.parametrize("seed", SEEDS)
def test_an_average_with_and_without_padding(seed):
    x, real = draw(seed, 6, 4), np.array([True, True, False, True, False, False])
    assert_same(mean_pool(x), t(x).mean(0))
    assert_same(mean_pool(x, mask=real), (t(x) * t(real)[:, None]).sum(0) / t(real).sum())


def test_the_review_of_the_book():
    query, key, value = (t(examples.ROWS) @ t(g).T for g in flatten(examples.REVIEW_PARAMS).values())
    assert_same(self_attention(examples.ROWS, examples.REVIEW_PARAMS), F.scaled_dot_product_attention(query, key, value))
