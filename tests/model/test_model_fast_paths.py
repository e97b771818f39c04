"""`verify` covers the fast paths: it fails if any of them is broken."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw

from pencil import examples, model, reference
from pencil.model import attending, attention_context, blocks, cache, positions
from pencil.trace import Trace

PAPER, EPS = reference.BlockConfig(), reference.BlockConfig(eps=1e-5)
IDS = np.array([3, 1, 4, 1, 5])


def a_block(config=PAPER, **inputs):
    trace = Trace()
    mask = {"mask": reference.causal_mask(2)} if inputs else {}
    reference.block(trace.given("x", examples.ROWS), trace.given_each("params", examples.PAIR_BLOCK), config=config, note=trace, **mask)
    return trace, model.Block.from_params(examples.PAIR_BLOCK, config), inputs


def a_decoder(chosen=None, padded=0):
    bundle, trace = Draw(1).decoder(heads=2, positions=8 if chosen is None else None), Trace()
    config = replace(EPS, position_encoding=chosen, softmax=reference.stable_softmax)
    ids = np.where(np.arange(len(IDS)) < len(IDS) - padded, IDS, 0)
    if chosen is not None:  # seats are given, so that the trace has angles
        config = replace(config, position_encoding=type(chosen)(positions=trace.given("positions", np.arange(len(ids)))))
    reference.decoder(ids, trace.given_each("params", bundle), config=config, padding=padded > 0, note=trace)
    return trace, model.Decoder.from_params(bundle, config, padding=padded > 0), {"ids": ids}


def a_stack():
    trace, draw = Trace(), Draw(7)
    bundles = [draw.block(4) for _ in range(2)]
    x, mask = trace.given("x", draw.array(5, 4)), reference.causal_mask(5)
    reference.stack(x, [trace.given_each(f"grid{i}", b) for i, b in enumerate(bundles)], mask=mask, config=EPS, note=trace)
    return trace, model.Stack.from_params(bundles, EPS), {"causal": True, "mask": mask}


def a_pair():
    bundle, trace = Draw(2).encoder_decoder(), Trace()
    reference.encoder_decoder(IDS, IDS[:2], trace.given_each("params", bundle), config=EPS, note=trace)
    return trace, model.EncoderDecoder.from_params(bundle, EPS), {"source": IDS, "target": IDS[:2]}


def a_classifier(padding=True, change=lambda attention: attention):
    bundle, trace = Draw(3).classifier(heads=2, d_k=5), Trace()
    bundle = replace(bundle, attention=change(bundle.attention))
    ids = np.array([3, 1, 4, 0])
    reference.classifier(ids, trace.given_each("params", bundle), padding=padding, note=trace)
    return trace, model.Classifier.from_params(bundle, padding=padding), {"ids": ids}


def with_shared_heads(attention):
    first, second = attention.heads
    return replace(attention, heads=(first, replace(second, key=None, value=None, key_bias=None, value_bias=None)))


def with_qk_norm(attention):
    norm = reference.LayerNormParams(np.linspace(0.5, 1.5, 5), np.linspace(-1, 1, 5))
    return replace(attention, query_norm=norm, key_norm=norm)


def cell(draw):
    return reference.RNNParams(draw.array(2, 3), draw.array(2, 2), draw.array(2))


def a_walk(kind):
    draw, trace = Draw(4), Trace()
    gates = [reference.LSTMParams(*(cell(draw) for _ in range(4))) for _ in range(2)]
    bundle = {"RNN": cell(draw), "LSTM": gates[0], "Bidirectional": reference.BidirectionalParams(*gates)}[kind]
    reference.run_rnn(trace.given("x", draw.array(4, 3)), trace.given_each("params", bundle), note=trace)
    return trace, getattr(model, kind).from_params(bundle), {}


def a_walking_machine():
    draw, trace = Draw(5), Trace()
    head = reference.MLPParams(draw.array(3, 2), draw.array(3), draw.array(1, 3), draw.array(1))
    bundle, ids = reference.RNNClassifierParams(draw.array(9, 3), cell(draw), head), np.array([0, 3, 0, 1, 4, 0])
    reference.rnn_classifier(ids, trace.given_each("params", bundle), note=trace)
    return trace, model.RNNClassifier.from_params(bundle), {"ids": ids}


def a_picture():
    trace, speck = Trace(), reference.BlockConfig(eps=1e-5)
    reference.vit(trace.given("image", examples.LETTER_L), trace.given_each("params", examples.LETTERS), config=speck, note=trace)
    return trace, model.ViT.from_params(examples.LETTERS, speck), {}


RUNS = {
    "block": a_block,
    "block, masked": lambda: a_block(mask=reference.causal_mask(2)),
    "block, causal": lambda: a_block(causal=True),
    "block, gelu": lambda: a_block(replace(PAPER, activation=reference.gelu)),
    "decoder": a_decoder,
    "decoder, padded": lambda: a_decoder(padded=2),
    "decoder, rotary": lambda: a_decoder(reference.Rotary()),
    "decoder, alibi": lambda: a_decoder(reference.Alibi(), padded=1),
    "stack": a_stack,
    "encoder and decoder": a_pair,
    "classifier": a_classifier,
    "classifier, shared heads": lambda: a_classifier(change=with_shared_heads),
    "classifier, QK norm": lambda: a_classifier(change=with_qk_norm),
    "classifier, no padding": lambda: a_classifier(padding=False),
    "RNN": lambda: a_walk("RNN"),
    "LSTM": lambda: a_walk("LSTM"),
    "Bidirectional": lambda: a_walk("Bidirectional"),
    "walker": a_walking_machine,
    "vit": a_picture,
}


def zeros_like_value(query, key, value, **_):  # attention that gathers nothing
    return torch.zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype)


def off(change):
    """The function, and its result changed by a little."""
    return lambda function: lambda *args, **kwargs: change(function(*args, **kwargs))


by_a_bit = off(lambda out: out * (1 + 1e-6))
without_slopes = off(torch.Tensor.detach)
by_a_bit_of_the_first = off(lambda out: (out[0] * (1 + 1e-6), *out[1:]))
functional = torch.nn.functional

# what is broken: whose attribute, which, how, and a run that must fail for it
BROKEN = {
    "attention gathers nothing": (functional, "scaled_dot_product_attention", lambda _: zeros_like_value, "block"),
    "attention forgets its mask": (
        functional,
        "scaled_dot_product_attention",
        lambda f: lambda q, k, v, attn_mask, **more: f(q, k, v, **more),
        "block, masked",
    ),
    "attention forgets that it is causal": (
        functional,
        "scaled_dot_product_attention",
        lambda f: lambda *args, is_causal, **more: f(*args, **more),
        "block, causal",
    ),
    "attention has no slopes": (functional, "scaled_dot_product_attention", without_slopes, "block"),
    "attention in a stack": (functional, "scaled_dot_product_attention", by_a_bit, "stack"),
    "cross-attention": (functional, "scaled_dot_product_attention", by_a_bit, "encoder and decoder"),
    "attention of a picture": (functional, "scaled_dot_product_attention", by_a_bit, "vit"),
    "layer norm": (functional, "layer_norm", by_a_bit, "block"),
    "layer norm has no slopes": (functional, "layer_norm", without_slopes, "block"),
    "an RNN's layer": (torch.nn.RNN, "forward", by_a_bit_of_the_first, "RNN"),
    "an LSTM's layer": (torch.nn.LSTM, "forward", by_a_bit_of_the_first, "LSTM"),
    "both ways": (torch.nn.LSTM, "forward", by_a_bit_of_the_first, "Bidirectional"),
    "an RNN's layer has no slopes": (torch.nn.RNN, "forward", off(lambda out: (out[0].detach(), *out[1:])), "walker"),
    "the joined masks": (attention_context, "per_head", lambda _: lambda mask: None, "block, masked"),
    "rotated query and key": (attending, "apply_rope", lambda _: lambda x, sin, cos: x, "decoder, rotary"),
    "the tables of rotary positions": (positions.Rotary, "tables", by_a_bit_of_the_first, "decoder, rotary"),
    "the tables of ALiBi": (positions.Alibi, "tables", by_a_bit, "decoder, alibi"),
    "what a cache keeps": (cache.LayerCache, "extend", by_a_bit_of_the_first, "decoder"),
    "a stack's cache": (cache.LayerCache, "extend", by_a_bit_of_the_first, "stack"),
    "a cache that knows no words before": (cache.LayerCache, "extend", lambda _: lambda self, k, v, start: (k, v), "decoder"),
}  # fmt: skip


@pytest.mark.parametrize("run", RUNS)
def test_all_ways_to_run_a_machine_are_one(run):
    trace, machine, inputs = RUNS[run]()
    agreed = model.verify(trace, machine, **inputs)
    assert agreed.runs[:2] == ("alone", "in a batch")
    assert ("with a cache" in agreed.runs) == run.startswith(("decoder", "stack"))
    assert repr(agreed) == f"{len(agreed.names)} named values agree within 1e-10"


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_fast_path_is_seen(what, monkeypatch):
    owner, name, breaks, run = BROKEN[what]
    trace, machine, inputs = RUNS[run]()
    monkeypatch.setattr(owner, name, breaks(getattr(owner, name)))
    with pytest.raises(
        model.Disagreement, match=r"^without a note \((alone|in a batch|with a cache|with an allocated cache)\) the (output|gradient of .*)\["
    ):
        model.verify(trace, machine, **inputs)


def test_an_activation_that_is_another_without_a_note_is_seen(monkeypatch):
    trace, machine, _ = a_block()

    class Hasty(blocks.FeedForward):
        def forward(self, x, *, note=None):
            return super().forward(x, note=note) if note else self.down(functional.leaky_relu(self.up(x)))

    machine.feed_forward.__class__ = Hasty
    with pytest.raises(model.Disagreement, match=r"without a note \(alone\) the output\[\d, \d\] is "):
        model.verify(trace, machine)


def test_what_only_a_compiled_model_does_is_seen_where_it_is_asked_for(monkeypatch):
    trace, machine, _ = a_block()
    assert model.verify(trace, machine, compiled="eager").runs == ("alone", "in a batch", "compiled")
    plain = functional.layer_norm
    monkeypatch.setattr(functional, "layer_norm", lambda *args: plain(*args) + torch.compiler.is_compiling())
    model.verify(trace, machine)
    torch._dynamo.reset()
    with pytest.raises(model.Disagreement, match=r"without a note \(compiled\) the output"):
        model.verify(trace, machine, compiled="eager")


@pytest.mark.parametrize("dtype, tolerance", [(torch.float32, 1e-5), (torch.bfloat16, 5e-2), (torch.float16, 5e-3)])
def test_the_tolerance_is_that_of_the_type(dtype, tolerance):
    assert model.verify(a_block()[0], model.Block.from_params(examples.PAIR_BLOCK, dtype=dtype)).tolerance == tolerance


def test_a_run_leaves_the_model_and_its_inputs_as_they_were():
    trace, machine, _ = a_block()
    x = torch.tensor(examples.ROWS)
    learned, before = [p.clone() for p in machine.parameters()], x.clone()
    model.verify(trace, machine, x=x)
    assert all(map(torch.equal, machine.parameters(), learned)) and torch.equal(x, before)
    assert all(p.grad is None for p in machine.parameters()) and not x.requires_grad
