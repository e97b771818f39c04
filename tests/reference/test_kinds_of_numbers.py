"""Every public function gives float64's result for any number type, or refuses it by name; the same for settings."""

import inspect
from dataclasses import replace

import numpy as np
import pytest

import pencil.reference as reference
from pencil import examples
from pencil.params import map_arrays
from pencil.trace import Trace, TraceError

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")

X, IDS = np.array([[3, 0, 1, 2], [1, 2, 0, 3], [2, 1, 1, 0]]), np.array([1, 2, 3])
SMALL, UNIT = X[:, :2], np.array([0, 1, 1])
REVIEW = reference.ClassifierParams(np.vstack([X, X[:1]]), reference.AttentionParams((examples.REVIEW_PARAMS,), np.eye(4)), examples.REVIEW_HEAD)
CELL = reference.RNNParams(np.ones((2, 4)), np.eye(2), np.zeros(2))
GATES = reference.LSTMParams(*[CELL] * len(inspect.signature(reference.LSTMParams).parameters))
GRU = reference.GRUParams(*[CELL] * len(inspect.signature(reference.GRUParams).parameters))
HEADS = reference.AttentionParams((examples.REVIEW_PARAMS,) * 2, np.tile(np.eye(4), 2))
LATENT = reference.LatentAttentionParams(
    (reference.QKVParams(np.eye(4), np.eye(4)[:2, :3], np.eye(4)[:, :3]),), np.eye(4)[:3], np.eye(4), None, np.eye(4)[:2]
)
DELTA = reference.GatedDeltaNetParams(
    (reference.DeltaHeadParams(np.eye(4), np.ones((4, 2)), *(np.eye(4)[:2], np.ones((2, 2))) * 2),),
    np.eye(4),
    *np.ones((2, 1, 4)),
    *np.ones((2, 1)),
    np.eye(4),
)
STREAMS = reference.HyperConnectionParams(*(np.ones((rows, 8)) for rows in (2, 2, 4)), *(np.ones(rows) for rows in (2, 2, 4)))
BLOCK = examples.PAIR_BLOCK
BIG = np.array([200, 100, 50])


def flash_gradients(x, column):
    context, logsumexp = reference.flash_attention(x, x, x, block_size=(2, 2))
    return np.concatenate(reference.flash_attention_backward(x * column, x, x, x, context, logsumexp, block_size=(2, 2)))


RUNS = {  # the function: a call of it, whose arrays are made of another kind of number
    "absmax_quantize": lambda k: np.concatenate(reference.absmax_quantize(k(X * 60)), -1),
    "acceptance_rate": lambda k: reference.acceptance_rate(k(np.eye(3)), k(np.eye(3)[::-1].copy())),
    "adam": lambda k: reference.adam(k(SMALL), k(UNIT[:, None] * SMALL))[0],
    "add_positions": lambda k: reference.add_positions(k(X * 80), k(X * 80)),
    "adjusted_probs": lambda k: reference.adjusted_probs(k(np.eye(3)), k(np.eye(3)[::-1].copy())),
    "alibi": lambda k: reference.alibi(k(UNIT), slope=0.5),
    "apply_rope": lambda k: reference.apply_rope(k(X), k(SMALL), k(SMALL)),
    "attention": lambda k: reference.attention(k(X), k(X), k(X)),
    "attention_scores": lambda k: reference.attention_scores(k(X * 60), k(X * 60)),
    "balancing_bias": lambda k: reference.balancing_bias(k(UNIT), k(BIG), rate=0.5),
    "bidirectional": lambda k: reference.bidirectional(k(X), CELL, CELL),
    "binary_cross_entropy": lambda k: reference.binary_cross_entropy(np.array([0.1, 0.5, 0.9]), k(UNIT)),
    "block_mask": lambda k: reference.block_mask(k(X * 60), k(X * 60), block_size=2, k=1) * 1,
    "block": lambda k: reference.block(k(X), BLOCK),
    "cached_attention": lambda k: reference.cached_attention(k(X), examples.REVIEW_PARAMS, past=reference.KVCache(k(X), k(X)))[0],
    "chunked_attention": lambda k: reference.chunked_attention(k(X), k(X), k(X), chunk_size=2, beta=k(UNIT), decay=k(UNIT))[0],
    "classifier": lambda k: reference.classifier(k(IDS), map_arrays(REVIEW, lambda _, x: k(x) if (x == np.abs(x.astype("u1"))).all() else x)),
    "clipped_objective": lambda k: reference.clipped_objective(k(UNIT), k(UNIT[::-1].copy()), k(BIG)),
    "codebook_dequantize": lambda k: reference.codebook_dequantize(k(X), k(X[:, :1] * 80)),
    "codebook_quantize": lambda k: np.concatenate(reference.codebook_quantize(k(X * 60)), -1),
    "compress": lambda k: reference.compress(k(X * 80), k(X), rate=2),
    "cosine_similarity": lambda k: reference.cosine_similarity(k(X * 40), k(X * 40)),
    "count_ngrams": lambda k: reference.next_token_probs(reference.count_ngrams(k(IDS), order=2, vocab_size=200), IDS[:1]),
    "cross_attention": lambda k: reference.cross_attention(k(X), k(X), examples.REVIEW_PARAMS),
    "dequantize": lambda k: reference.dequantize(k(X * 60), k(X), zero_point=k(BIG[:, None])),
    "dpo_loss": lambda k: reference.dpo_loss(k(UNIT), k(UNIT[::-1].copy()), k(IDS), k(IDS[::-1].copy())),
    "embed": lambda k: reference.embed(k(UNIT), k(X)) / 1,
    "expected_tokens": lambda k: reference.expected_tokens(k(np.eye(3)), n_drafts=3),
    "feed_forward": lambda k: reference.feed_forward(k(X), BLOCK.feed_forward),
    "final_hidden": lambda k: reference.final_hidden(k(SMALL), CELL),
    "first_token": lambda k: reference.first_token(k(X)),
    "first_token_mask": lambda k: reference.first_token_mask(k(IDS)) * 1,
    "flash_attention": lambda k: reference.flash_attention(k(X), k(X), k(X), block_size=(2, 2))[0],
    "flash_attention_backward": lambda k: flash_gradients(k(X), k(X[:, :1])),
    "gated_delta_net": lambda k: reference.gated_delta_net(k(X), DELTA),
    "gate_heads": lambda k: reference.gate_heads(HEADS, k(UNIT[:2])).output,
    "gelu": lambda k: reference.gelu(k(X * 60)),
    "gelu_erf": lambda k: reference.gelu_erf(k(X * 60)),
    "glove": lambda k: reference.glove(k(X), k(X), k(X[:, :1]), k(X[:, 0]), k(X[:, :3] * 60 + 1)),
    "glove_weight": lambda k: reference.glove_weight(k(X * 60 + 1)),
    "greedy": lambda k: reference.greedy(k(X)),
    "grpo_advantages": lambda k: reference.grpo_advantages(k(X * 40)),
    "gru_step": lambda k: reference.gru_step(k(X), k(SMALL), GRU),
    "head_output": lambda k: reference.head_output(k(X * 60), HEADS, head=2),
    "hyper_connection": lambda k: reference.hyper_connection(k(X[:2]), STREAMS, lambda row: row),
    "in_groups": lambda k: reference.in_groups(k(X), size=2) / 1,
    "induction_mask": lambda k: reference.induction_mask(k(IDS)) * 1,
    "index_scores": lambda k: reference.index_scores(k(X[None]), k(X), k(X[:, :1])),
    "int8_linear": lambda k: reference.int8_linear(k(X * 60), k(X), outliers=150),
    "jacobian_product": lambda k: reference.jacobian_product(k(SMALL), CELL),
    "key_mask": lambda k: reference.key_mask(k(UNIT)),
    "kl_estimate": lambda k: reference.kl_estimate(k(UNIT), k(IDS)),
    "last_token": lambda k: reference.last_token(k(X)),
    "layer_norm": lambda k: reference.layer_norm(k(X * 80)),
    "latent_attention": lambda k: reference.latent_attention(k(X), LATENT),
    "linear_attention": lambda k: reference.linear_attention(k(X), k(X), k(X), decay=k(UNIT)),
    "linear": lambda k: reference.linear(k(X * 60), k(X * 60), k(BIG)),
    "load_balancing_loss": lambda k: reference.load_balancing_loss(k(X), k(X[:, :1])),
    "lora_linear": lambda k: reference.lora_linear(k(X * 60), k(X * 60), reference.LoRAParams(k(X), k(SMALL[:, :1] * X[:, :3]))),
    "lstm": lambda k: reference.lstm(k(X), GATES),
    "lstm_step": lambda k: reference.lstm_step(k(X), k(SMALL), k(SMALL), GATES)[0],
    "masked_cross_entropy": lambda k: reference.masked_cross_entropy(k(BIG), k(UNIT)),
    "max_pool": lambda k: reference.max_pool(k(X)),
    "mean_pool": lambda k: reference.mean_pool(k(X * 80)),
    "merge_lora": lambda k: reference.merge_lora(k(X * 60), reference.LoRAParams(k(X), k(X[:, :3] * 60))),
    "mixture_of_experts": lambda k: reference.mixture_of_experts(k(X[:, :2]), examples.EXPERTS),
    "mlp_head": lambda k: reference.mlp_head(k(X[:, :4]), examples.REVIEW_HEAD),
    "mix_streams": lambda k: reference.mix_streams(k(X * 40), lambda row: row, read=k(UNIT), write=k(UNIT), mixing=k(X[:, :3])),
    "most_similar": lambda k: [cosine for _, cosine in reference.most_similar(k(X[0] * 60), ["a", "b", "c"], k(X * 60))],
    "multi_head_attention": lambda k: reference.multi_head_attention(k(X), HEADS),
    "next_token_probs": lambda k: reference.next_token_probs(reference.count_ngrams(IDS, order=2, vocab_size=5), k(IDS[:1])),
    "output_probs": lambda k: reference.output_probs(k(np.eye(3)), k(np.eye(3)[::-1].copy())),
    "pad_or_truncate": lambda k: reference.pad_or_truncate(k(IDS), max_len=5),
    "padding_mask": lambda k: reference.padding_mask(k(UNIT)),
    "page_slots": lambda k: reference.page_slots(k(IDS), k(BIG), block_size=3) / 1,
    "patchify": lambda k: reference.patchify(k(np.arange(16).reshape(4, 4) % 3), size=2),
    "pattern_score": lambda k: reference.pattern_score(k(np.eye(3)), np.eye(3)),
    "ppmi": lambda k: reference.ppmi(k(X * 60 + 1)),
    "prepend_class_token": lambda k: reference.prepend_class_token(k(X[:1]), k(X)),
    "previous_token_mask": lambda k: reference.previous_token_mask(k(IDS)) * 1,
    "probabilities": lambda k: reference.probabilities(k(X), top_k=2),
    "qkv": lambda k: reference.qkv(k(X * 60), examples.REVIEW_PARAMS)[0],
    "queue_places": lambda k: reference.queue_places(k(np.array([[0, 2], [2, 1]])), n_experts=3) / 1,
    "relu": lambda k: reference.relu(k(X)),
    "ring_slots": lambda k: reference.ring_slots(k(BIG), window=7) / 1,
    "recurrent_attention": lambda k: reference.recurrent_attention(k(X), k(X), k(X), beta=k(UNIT), decay=k(UNIT))[0],
    "rms_norm": lambda k: reference.rms_norm(k(X * 80)),
    "rnn": lambda k: reference.rnn(k(X), CELL, h0=k(UNIT[:2])),
    "rnn_step": lambda k: reference.rnn_step(k(X), k(SMALL), CELL),
    "route": lambda k: reference.route(k(X[:, :2]), examples.EXPERTS)[2],
    "run_rnn": lambda k: reference.run_rnn(k(X), CELL),
    "same_token_mask": lambda k: reference.same_token_mask(k(IDS)) * 1,
    "sample": lambda k: reference.sample(k(np.eye(3)[:1]), np.array([0.5])),
    "self_attention": lambda k: reference.self_attention(k(X), examples.REVIEW_PARAMS),
    "sgd": lambda k: reference.sgd(k(SMALL), k(SMALL * 60), lr=0.1),
    "sigmoid": lambda k: reference.sigmoid(k(X * 60)),
    "silu": lambda k: reference.silu(k(X * 60)),
    "sinkhorn": lambda k: reference.sinkhorn(k(X[:, :3] * 60 + 1)),
    "sinusoid": lambda k: reference.sinusoid(k(BIG), width=4)[0],
    "sinusoidal": lambda k: reference.sinusoidal(k(BIG), width=4),
    "sinusoidal_2d": lambda k: reference.sinusoidal_2d(k(BIG), k(BIG), width=4),
    "skip_gram": lambda k: reference.skip_gram(k(X), k(X), k(np.eye(3))),
    "skip_gram_step": lambda k: reference.skip_gram_step(k(X), k(X), k(np.eye(3)), lr=0.1)[0],
    "softmax": lambda k: reference.softmax(k(X), sink=k(X[0, 0])),
    "speculative_sampling": lambda k: reference.speculative_sampling(k(UNIT[:1]), k(np.eye(3)[:1]), k(np.eye(3)[:2]), np.array([0.5, 0.5]))[1],
    "stable_softmax": lambda k: reference.stable_softmax(k(X * 60), sink=k(X[0, 0])),
    "stack": lambda k: reference.stack(k(X), [BLOCK]),
    "step_jacobian": lambda k: reference.step_jacobian(k(SMALL[0]), CELL),
    "temperature": lambda k: reference.temperature(k(X * 60), t=0.5),
    "tf_idf": lambda k: reference.tf_idf(k(X + 200)),
    "token_log_probs": lambda k: reference.token_log_probs(k(X), k(IDS)),
    "top_k_mask": lambda k: reference.top_k_mask(k(X), k=2) * 1,
    "top_k": lambda k: reference.top_k(k(X), k=4),
    "top_p": lambda k: reference.top_p(k(X), p=0.9),
    "truncated_svd": lambda k: reference.truncated_svd(k(X * 60), width=2).singular_values,
    "weighted_sum": lambda k: reference.weighted_sum(k(np.eye(3)), k(X * 80)),
    "witten_bell": lambda k: reference.witten_bell(k(BIG), k(BIG + 55), k(IDS), np.full(3, 0.2)),
    "write_slots": lambda k: reference.write_slots(k(X * 80), np.array([2, 0, 1])[: len(X)], n_slots=4),
    "zero_point_quantize": lambda k: np.concatenate(reference.zero_point_quantize(k(X * 60)), -1),
}
OTHERS = {
    "decoder",
    "encoder",
    "encoder_decoder",
    "logit_lens",
    "rnn_classifier",
    "unembed",
    "vit",
}  # made of those above, around a whole model's parameters


def test_every_public_function_that_takes_arrays_is_here():
    taking = {n for n, f in vars(reference).items() if inspect.isfunction(f) and getattr(f, "shapes", "").partition("->")[0].strip()}
    assert taking == {*RUNS, *OTHERS}


@pytest.mark.parametrize("name", RUNS)
def test_whatever_kind_of_number_the_result_is_that_of_float64(name):
    for kind in (np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64, np.float32):
        top = 128 if kind is np.int8 else 256
        found = RUNS[name](lambda x, kind=kind, top=top: (np.asarray(x) % top).astype(kind))
        wanted = RUNS[name](lambda x, top=top: np.asarray(x, float) % top)
        exactness = {"rtol": 1e-4 if kind is np.float32 else 1e-12, "atol": 1e-6}
        np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), **exactness, err_msg=kind.__name__)


ODD = {
    "object": (lambda x: x.astype(object), "of the type object"),
    "complex": (lambda x: x.astype(complex), "of the type complex"),
    "text": (lambda x: x.astype(str), "of the type <U"),
    "masked": (np.ma.masked_array, "is a MaskedArray"),
    "matrix": (np.matrix, "is a matrix"),
}


@pytest.mark.parametrize("make, says", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", ["sigmoid", "softmax", "layer_norm", "mean_pool", "relu", "self_attention", "block"])
def test_what_is_no_plain_array_of_numbers_is_refused_by_name(name, make, says):
    with pytest.raises(ValueError, match=says):
        RUNS[name](lambda x: make(np.asarray(x)))


def test_a_mask_is_zeros_and_ones():
    assert reference.sigmoid(np.array([True, False])).tolist() == reference.sigmoid(np.array([1.0, 0.0])).tolist()


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
def test_the_arrays_of_a_bundle_are_made_wide_too(kind):
    narrow = replace(BLOCK.feed_forward, up=np.full_like(BLOCK.feed_forward.up, 100, dtype=kind))
    wide = replace(narrow, up=narrow.up.astype(float))
    assert np.array_equal(reference.feed_forward(X, narrow), reference.feed_forward(X, wide))
    assert narrow.up.dtype == kind


DATES = {"dates": lambda x: x.astype(int).astype("datetime64[s]"), "times": lambda x: x.astype(int).astype("timedelta64[s]")}
ODD_GIVEN = {"masked": np.ma.masked_array, "matrix": np.matrix, "complex": lambda x: x.astype(complex), **DATES}


@pytest.mark.parametrize("make", ODD_GIVEN.values(), ids=ODD_GIVEN)
def test_a_trace_refuses_them_as_well(make):
    with pytest.raises(TraceError, match="hand in a plain array"):
        Trace().given("x", make(X))
    trace = Trace()
    with pytest.raises(TraceError, match="hand in a plain array"):
        trace.given("x", X) + make(X)


NAN, INFINITE = float("nan"), float("inf")
SETTINGS = {  # no number could be right
    "eps below 0": (lambda: reference.layer_norm(X, eps=-1), "eps=-1.0; give it a finite number, 0 or more"),
    "eps NaN": (lambda: reference.layer_norm(X, eps=NAN), "eps=nan"),
    "eps infinite": (lambda: reference.layer_norm(X, eps=INFINITE), "eps=inf"),
    "eps of a block": (lambda: reference.block(X, BLOCK, config=reference.BlockConfig(eps=NAN)), "eps=nan"),
    "rows too large": (lambda: reference.layer_norm(X * 1e200), "are more than a float holds"),
    "single rows too large": (lambda: reference.layer_norm((X * 1e20).astype(np.float32)), "are more than a float holds"),
    "base 0": (lambda: reference.sinusoid(BIG, width=4, base=0), "base=0.0; give it a finite number above 0"),
    "base below 0": (lambda: reference.sinusoidal(BIG, width=4, base=-2), "base=-2.0"),
    "base NaN": (lambda: reference.sinusoidal(BIG, width=4, base=NAN), "base=nan"),
    "base of rotary": (lambda: reference.attention(X, *reference.Rotary(base=0).rotate(X, X)), "base=0.0"),
    "slope NaN": (lambda: reference.alibi(BIG, slope=NAN), "slope=nan"),
    "slope infinite": (lambda: reference.alibi(BIG, slope=INFINITE), "slope=inf"),
    "rate NaN": (lambda: reference.sgd(X, X, lr=NAN), "NaN"),
    "rate of Adam": (lambda: reference.AdamConfig(lr=INFINITE), "lr=inf"),
    "eps of Adam": (lambda: reference.AdamConfig(eps=-1), "eps=-1"),
    "temperature": (lambda: reference.temperature(X, t=INFINITE), "t=inf"),
    "x_max": (lambda: reference.glove_weight(X + 1, x_max=0), "x_max=0.0"),
    "alpha": (lambda: reference.glove_weight(X + 1, alpha=NAN), "alpha=nan"),
    "window": (lambda: reference.cooccurrence([[1, 2]], size=5, window=NAN), "window=nan sees no neighbour; give it a whole number"),
    "mask of −∞": (lambda: reference.mean_pool(X, mask=[0, -INFINITE, 1]), "mean_pool: mask holds -inf; a mask holds True"),
    "mask of a half": (lambda: reference.mean_pool(X, mask=[0, 0.5, 1]), "mask holds 0.5; a mask holds True where a row counts"),
    "mask of NaN": (lambda: reference.max_pool(X, mask=np.array([1, NAN, 1])), "mask holds nan"),
    "mask of 2": (lambda: reference.last_token(X, mask=[1, 2, 0]), "mask holds 2"),
}


@pytest.mark.parametrize("run, says", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_with_which_no_number_is_right_is_refused(run, says):
    with pytest.raises(ValueError, match=says):
        run()
