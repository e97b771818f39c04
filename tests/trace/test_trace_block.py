"""The block and whole models under a trace: names, row words, and errors."""

import numpy as np
import pytest

from pencil import examples
from pencil.reference import (  # fmt: skip
    Alibi,
    AttentionParams,
    BlockConfig,
    BlockParams,
    DecoderParams,
    EncoderDecoderParams,
    EncoderParams,
    LayerNormParams,
    Rotary,
    block,
    encoder,
    encoder_decoder,
    feed_forward,
    gelu,
    gelu_erf,
    self_attention,
    sinusoidal,
    stack,
)
from pencil.trace import Trace, TraceError, check_replay

PAIR = examples.PAIR_BLOCK
ASKER = BlockParams(PAIR.attention, PAIR.feed_forward, (LayerNormParams(),) * 3, PAIR.attention)
NORM = ["mean", "deviation", "square", "square_sum", "variance", "std", "normalized"]
LOOK = ["query", "key", "value", "scores", "scaled", "exp", "exp_sum", "weights", "weighted_values", "context"]
WORK = ["hidden", "activated", "mlp_out"]
TABLE = np.vstack([np.full((1, 4), 9.0), examples.PAIR_EMBEDDINGS])


def noted(trace):
    return [name for name, value in trace.names.items() if value.op == "note"]


def scoped(scope, names):
    return [f"{scope}.{name}" for name in names]


def rows(trace):
    return trace.given("x", examples.ROWS, words=examples.PAIR)


def block_names(cross=False, norm_first=True):
    asked = [*scoped("cross", [*LOOK, "attn_out"]), "cross.residual"] if cross else []
    last = "norm3" if cross else "norm2"
    if norm_first:
        middle = [*scoped("norm2", NORM), *asked] if cross else []
        return [*scoped("norm1", NORM), *LOOK, "attn_out", "residual", *middle, *scoped(last, NORM), *WORK, "out"]
    middle = [*asked, *scoped("norm2", NORM)] if cross else []
    return [*LOOK, "attn_out", "residual", *scoped("norm1", NORM), *middle, *WORK, "mlp_residual", *scoped(last, NORM), "out"]


# ---- names, in the order of the work


@pytest.mark.parametrize("norm_first", [True, False], ids=["Pre-LN", "Post-LN"])
@pytest.mark.parametrize("cross", [False, True], ids=["alone", "with cross"])
def test_the_names_of_a_block(cross, norm_first):
    trace = Trace()
    memory = trace.given("memory", examples.MIXING_MATRIX, words=["le", "chat", "est", "assis"]) if cross else None
    block(rows(trace), trace.given_each("params", ASKER if cross else PAIR), note=trace, config=BlockConfig(norm_first=norm_first), memory=memory)
    assert noted(trace) == block_names(cross, norm_first)


def test_the_names_of_a_stack():
    trace = Trace()
    params = trace.given_each("params", PAIR)
    stack(rows(trace), (params, params), note=trace, norm=LayerNormParams())
    assert noted(trace) == [*scoped("block1", block_names()), *scoped("block2", block_names()), *scoped("norm", NORM)]


def test_the_names_of_the_machine_of_2017():
    trace = Trace()
    params = EncoderDecoderParams(EncoderParams(TABLE, (PAIR,), examples.PAIR_POSITIONS), DecoderParams(TABLE, (ASKER,), norm=LayerNormParams()))
    encoder_decoder(np.array([1, 2]), np.array([2, 1]), trace.given_each("params", params), note=trace)
    causal = [name for plain in block_names(cross=True) for name in ((plain, "masked") if plain == "scaled" else (plain,))]
    assert noted(trace) == [
        *scoped("encoder", ["embedding", "x", *scoped("block1", block_names())]),
        *scoped("decoder", ["embedding", *scoped("block1", causal), *scoped("norm", NORM), "logits"]),
    ]


def test_the_names_of_positions_inside_attention():
    trace = Trace()
    self_attention(
        rows(trace), trace.given_each("params", examples.PAIR_HEAD), note=trace, position_encoding=Rotary(trace.given("positions", [0, 1]))
    )
    assert noted(trace) == [*LOOK[:3], "angle", "sin", "cos", "query.rotated", "key.rotated", *LOOK[3:]]
    trace = Trace()
    self_attention(rows(trace), trace.given_each("params", examples.PAIR_HEAD), note=trace, position_encoding=Alibi(trace.given("positions", [0, 1])))
    assert noted(trace) == [*LOOK[:5], "distance", "bias", "biased", *LOOK[5:]]


# ---- words


def test_the_words_of_both_texts_travel_through_cross_attention():
    trace = Trace()
    memory = trace.given("memory", examples.PAIR_POSITIONS + np.eye(4)[:2], words=["chat", "assis"])
    block(rows(trace), trace.given_each("params", ASKER), note=trace, memory=memory)
    shares = trace.find("cross.weights")
    assert trace.find("cat.cross.weights[chat]").exact == shares.exact[0, 0]
    assert trace.find("sat.cross.weights[assis]").exact == shares.exact[1, 1]
    assert trace.find("chat.cross.key").exact.tolist() == [0, 0, 1, 2]  # [2, 1, 0, 0], reversed
    assert trace.find("cat.cross.weighted_values[assis]").exact.shape == (4,)
    assert trace.find("cat.out").exact.shape == (4,)


def test_the_words_stay_with_their_rows_through_a_stack_and_through_turns():
    trace = Trace()
    params = trace.given_each("params", PAIR)
    out = stack(rows(trace), (params, params), note=trace, config=BlockConfig(position_encoding=Rotary(trace.given("positions", [0, 1]))))
    for reference in ("cat.block2.out", "sat.block1.weights[cat]", "sat.block2.query.rotated", "cat.block1.norm2.std"):
        trace.find(reference)
    assert trace.find("sat.block2.out").exact.tolist() == out.exact[1].tolist()


# ---- what a trace cannot follow, and what it can


def test_the_exact_form_of_gelu_is_refused_by_name_and_the_form_with_tanh_is_followed():
    trace = Trace()
    worker = trace.given_each("params", PAIR.feed_forward)
    with pytest.raises(TraceError, match=r"would lose sight of np\.erf"):
        feed_forward(rows(trace), worker, note=trace, activation=gelu_erf)

    def params(given, note):
        return feed_forward(given["x"], PAIR.feed_forward.__class__(given["up"], given["down"]), note=note, activation=gelu)

    trace = Trace()
    given = {"x": rows(trace), "up": trace.given("up", PAIR.feed_forward.up), "down": trace.given("down", PAIR.feed_forward.down)}
    params(given, trace)
    assert check_replay(params, trace) == 9


@pytest.mark.parametrize("positions", [Rotary(), Alibi(), Rotary(np.arange(2)), Alibi(np.arange(2))], ids=["Rotary", "Alibi"] * 2)
def test_seats_that_were_not_given_have_no_place_in_a_program(positions):
    trace = Trace()
    with pytest.raises(TraceError, match="it depends on nothing given"):
        self_attention(rows(trace), trace.given_each("params", examples.PAIR_HEAD), note=trace, position_encoding=positions)


def test_a_stamp_for_plain_seats_is_refused_as_well():
    with pytest.raises(TraceError, match="angle"):
        sinusoidal(np.arange(2), width=4, note=Trace())


def test_ids_that_decide_who_is_seen_may_not_be_given():
    trace = Trace()
    with pytest.raises(TraceError, match="plain array"):
        encoder(trace.given("ids", [1, 2]), trace.given_each("params", EncoderParams(TABLE, (PAIR,))), note=trace)


def test_a_grid_that_was_left_plain_is_found():
    layer = AttentionParams((examples.PAIR_HEAD,), np.eye(4))

    def params(given, note):
        return block(given["x"], BlockParams(layer, PAIR.feed_forward), note=note)

    trace = Trace()
    params({"x": rows(trace)}, trace)
    with pytest.raises(TraceError, match="baked into the program"):
        check_replay(params, trace)
