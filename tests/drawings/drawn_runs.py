"""Small runs that several drawings share: attention, an RNN, a block."""

import numpy as np

from pencil import examples, reference
from pencil.reference import (
    block,
    causal_mask,
    lstm,
    mean_pool,
    mlp_head,
    multi_head_attention,
    rnn,
    self_attention,
)
from pencil.trace import Trace, ln, scoped
from pencil.worked import Worked

LABELS = {"query": "WANT", "key": "HAVE", "value": "GIVE", "scores": "score", "weights": "share", "context": "NEW"}


def attended(words=examples.REVIEW, rows=examples.ROWS, run="", scope=""):
    trace = Trace()
    x, params = trace.given("embedding", rows, words=words), trace.given_each("params", examples.REVIEW_PARAMS)
    self_attention(x, params, note=scoped(trace, scope) if scope else trace)
    return Worked(trace, {} if scope else LABELS, run=run)


def judged(run="", rows=examples.ROWS, words=examples.REVIEW):
    trace = Trace()
    trace.given("id", range(73, 73 + len(words)), words=words)
    x, params = trace.given("embedding", rows, words=words), trace.given_each("params", examples.REVIEW_PARAMS)
    pooled = mean_pool(self_attention(x, params, note=trace), note=trace)
    mlp_head(pooled, trace.given_each("head", examples.REVIEW_HEAD), note=trace)
    return Worked(trace, LABELS | {"sigmoid.prob": "tick"}, run=run)


def adapted(b=((0,), (0,), (0.5,), (0,)), a=examples.ADAPTER_A, run=""):
    trace = Trace()
    x, weight = trace.given("x", examples.ROWS, words=examples.PAIR), trace.given("weight", np.eye(4))
    adapter = reference.LoRAParams(trace.given("a", a), trace.given("b", b))
    reference.lora_linear(x, weight, adapter, note=trace)
    return Worked(trace, run=run)


def tiled(value=examples.FLASH_VALUES, run=""):
    trace = Trace()
    rows = trace.given("query", [[1]], words=["ask"]), trace.given("key", ln(examples.FLASH_EXPS), words=examples.FLASH_WORDS)
    reference.flash_attention(*rows, trace.given("value", value), block_size=(1, 2), note=trace)
    return Worked(trace, run=run)


def fast_weights(values=examples.STATE_VALUES, decay=None, run=""):
    trace, words = Trace(), examples.STATE_WORDS[:3]
    given = zip(("query", "key", "value"), (examples.STATE_QUERIES, examples.STATE_KEYS, values), strict=True)
    rows = [trace.given(name, numbers[:3], words=words) for name, numbers in given]
    decay = None if decay is None else trace.given("decay", decay)
    reference.linear_attention(*rows, decay=decay, note=scoped(trace, "square"))
    reference.recurrent_attention(*rows, decay=decay, note=trace)
    return Worked(trace, run=run, track="exact")


def in_chunks(decay=None, run="", chunk_size=2, values=examples.STATE_VALUES):
    trace, words = Trace(), examples.STATE_WORDS
    given = zip(("query", "key", "value"), (examples.STATE_QUERIES, examples.STATE_KEYS, values), strict=True)
    rows = [trace.given(name, numbers, words=words) for name, numbers in given]
    decay = None if decay is None else trace.given("decay", decay)
    reference.chunked_attention(*rows, decay=decay, chunk_size=chunk_size, note=trace)
    return Worked(trace, run=run, track="exact")


def replaced(values=examples.PLACE_VALUES, run=""):
    trace, keys = Trace(), examples.PLACE_KEYS
    rows = [
        trace.given(name, numbers, words=examples.PLACE_WORDS) for name, numbers in zip(("query", "key", "value"), (keys, keys, values), strict=True)
    ]
    start, beta = trace.given("start", np.zeros((2, np.shape(values)[1]))), trace.given("beta", [1, 1, 1])
    reference.recurrent_attention(*rows, beta=beta, state=start, note=trace)
    return Worked(trace, run=run, track="exact")


def looked_up(query=examples.LOOKUP_QUERY, asked=("asked",)):
    trace, items = Trace(), ("east", "north", "northeast")
    key, value = trace.given("key", examples.LOOKUP_KEYS, words=items), trace.given("value", examples.LOOKUP_VALUES, words=items)
    reference.attention(trace.given("query", query, words=asked), key, value, note=trace)
    return Worked(trace, {"weights": "weight"}, track="exact")


def masked():
    trace = Trace()
    x = trace.given("embedding", np.eye(3, 4), words=("the", "cat", "sat"))
    self_attention(x, trace.given_each("params", examples.REVIEW_PARAMS), note=trace, mask=causal_mask(3))
    return Worked(trace)


def two_headed(params=examples.TWO_HEADS, run=""):
    trace = Trace()
    x = trace.given("embedding", examples.HEADS_VECTORS, words=examples.HEADS_WORDS)
    layer = trace.given_each("params", params)
    multi_head_attention(x, layer, note=trace)
    width = trace.names["head1.context"].exact.shape[-1]
    for k, half in enumerate((layer.output[:, :width], layer.output[:, width:]), 1):
        trace(f"head{k}.written", trace.names[f"head{k}.context"] @ half.T)
    return Worked(trace, run=run)


def looked_at(run=""):
    trace = Trace()
    weights = trace.given("weights", np.eye(4, 5) / 2 + 0.1, words=[f"head {k}" for k in range(1, 5)])
    trace("word", weights[:, 3:5].sum(-1))
    return Worked(trace, run=run)


def walked():
    trace = Trace()
    x = trace.given("x", examples.RNN_VECTORS, words=examples.RNN_WORDS)
    rnn(x, trace.given_each("params", examples.RNN_PARAMS), note=trace, h0=trace.given("h0", [0, 0]))
    return Worked(trace)


def multiplied(inner=2, columns=2):
    trace = Trace()
    left = trace.given("left", np.arange(2.0 * inner).reshape(2, inner) - 1.5)
    right = trace.given("right", np.arange(1.0 * inner * columns).reshape(inner, columns))
    trace("out", left @ right)
    return Worked(trace)


def belted():
    trace = Trace()
    rows = trace.given("x", [examples.LSTM_VECTORS[word] for word in ("not", "good")], words=["not", "good"])
    lstm(rows, trace.given_each("params", examples.LSTM_PARAMS), note=trace)
    return Worked(trace)


def landed(run="", king=(0.5, 2)):
    trace = Trace()
    rows = trace.given("embedding", [[*king, 9], [-1, 0.5, 9], [-1.5, 1, 9]], words=["king", "man", "woman"], columns=["across", "up", "far"])
    away = trace("away", rows[0] - rows[1])
    trace("there", away + rows[2])
    return Worked(trace, run=run)


def blocked(run="", norm_first=True):
    trace = Trace()
    x = trace.given("x", examples.PAIR_EMBEDDINGS, words=examples.PAIR)
    block(x, trace.given_each("params", examples.PAIR_BLOCK), note=trace, config=reference.BlockConfig(norm_first=norm_first))
    return Worked(trace, whole=False, run=run)


def stacked(run=""):
    trace = Trace()
    params = trace.given_each("params", examples.PAIR_BLOCK)
    reference.stack(trace.given("x", examples.ROWS, words=examples.PAIR), [params, params], note=trace)
    return Worked(trace, run=run)


def meshed(run=""):
    trace = Trace()
    first, twice, thrice = (trace.given(name, number) for name, number in {"first": 0.25, "twice": 2, "thrice": 3}.items())
    trace("third", thrice * trace("second", twice * first))
    trace("through", twice * thrice)
    return Worked(trace, run=run)


def modern(run=""):
    trace = Trace()
    x = trace.given("x", examples.PAIR_EMBEDDINGS + examples.PAIR_POSITIONS, words=examples.PAIR)
    block(x, trace.given_each("params", examples.MODERN_BLOCK), note=trace, config=examples.MODERN_CONFIG)
    return Worked(trace, whole=False, run=run)
