"""The block and the machines under a trace: their names, the words that travel with them, and what they refuse."""

import numpy as np
import pytest

from pencil import examples
from pencil.reference import (
    Alibi,
    Attention,
    Block,
    Decoder,
    Encoder,
    EncoderDecoder,
    Norm,
    Recipe,
    Rotary,
    block,
    encoder,
    encoder_decoder,
    feed_forward,
    gelu,
    gelu_erf,
    self_attention,
    sine_cosine,
    stack,
)  # fmt: skip
from pencil.trace import Trace, TraceError, still_true

PAIR = examples.PAIR_BLOCK
ASKER = Block(PAIR.attention, PAIR.feed_forward, (Norm(),) * 3, PAIR.attention)
NORM = ["mean", "deviation", "square", "square_sum", "variance", "std", "normalized"]
LOOK = ["query", "key", "value", "scores", "scaled", "raised", "total", "weights", "parts", "mixed"]
WORK = ["hidden", "bent", "worker"]
TABLE = np.vstack([np.full((1, 4), 9.0), examples.PAIR_EMBEDDINGS])


def noted(trace):
    return [name for name, value in trace.names.items() if value.op == "note"]


def scoped(scope, names):
    return [f"{scope}.{name}" for name in names]


def rows(trace):
    return trace.given("x", examples.ROWS, words=examples.PAIR)


def block_names(cross=False, norm_first=True):
    asked = [*scoped("cross", [*LOOK, "projected"]), "cross.stream"] if cross else []
    last = "norm3" if cross else "norm2"
    if norm_first:
        middle = [*scoped("norm2", NORM), *asked] if cross else []
        return [*scoped("norm1", NORM), *LOOK, "projected", "stream", *middle, *scoped(last, NORM), *WORK, "out"]
    middle = [*asked, *scoped("norm2", NORM)] if cross else []
    return [*LOOK, "projected", "stream", *scoped("norm1", NORM), *middle, *WORK, "thought", *scoped(last, NORM), "out"]


# ---- names, in the order of the work


@pytest.mark.parametrize("norm_first", [True, False], ids=["Pre-LN", "Post-LN"])
@pytest.mark.parametrize("cross", [False, True], ids=["alone", "with cross"])
def test_the_names_of_a_block(cross, norm_first):
    trace = Trace()
    memory = trace.given("memory", examples.MIXING_GRID, words=["le", "chat", "est", "assis"]) if cross else None
    block(rows(trace), trace.given_each("grid", ASKER if cross else PAIR), trace, recipe=Recipe(norm_first), memory=memory)
    assert noted(trace) == block_names(cross, norm_first)


def test_the_names_of_a_stack():
    trace = Trace()
    grids = trace.given_each("grid", PAIR)
    stack(rows(trace), (grids, grids), trace, norm=Norm())
    assert noted(trace) == [*scoped("block1", block_names()), *scoped("block2", block_names()), *scoped("norm", NORM)]


def test_the_names_of_the_machine_of_2017():
    trace = Trace()
    machine = EncoderDecoder(Encoder(TABLE, (PAIR,), examples.PAIR_SEATS), Decoder(TABLE, (ASKER,), norm=Norm()))
    encoder_decoder(np.array([1, 2]), np.array([2, 1]), trace.given_each("grid", machine), trace)
    causal = [name for plain in block_names(cross=True) for name in ((plain, "masked") if plain == "scaled" else (plain,))]
    assert noted(trace) == [
        *scoped("encoder", ["stick", "x", *scoped("block1", block_names())]),
        *scoped("decoder", ["stick", *scoped("block1", causal), *scoped("norm", NORM), "logits"]),
    ]


def test_the_names_of_positions_inside_attention():
    trace = Trace()
    self_attention(rows(trace), trace.given_each("grid", examples.PAIR_HEAD), trace, positions=Rotary(trace.given("seats", [0, 1])))
    assert noted(trace) == [*LOOK[:3], "angle", "sin", "cos", "query.turned", "key.turned", *LOOK[3:]]
    trace = Trace()
    self_attention(rows(trace), trace.given_each("grid", examples.PAIR_HEAD), trace, positions=Alibi(trace.given("seats", [0, 1])))
    assert noted(trace) == [*LOOK[:5], "distance", "lean", "leaned", *LOOK[5:]]


# ---- words


def test_the_words_of_both_texts_travel_through_cross_attention():
    trace = Trace()
    memory = trace.given("memory", examples.PAIR_SEATS + np.eye(4)[:2], words=["chat", "assis"])
    block(rows(trace), trace.given_each("grid", ASKER), trace, memory=memory)
    shares = trace.find("cross.weights")
    assert trace.find("cat.cross.weights[chat]").exact == shares.exact[0, 0]
    assert trace.find("sat.cross.weights[assis]").exact == shares.exact[1, 1]
    assert trace.find("chat.cross.key").exact.tolist() == [0, 0, 1, 2]  # [2, 1, 0, 0], reversed
    assert trace.find("cat.cross.parts[assis]").exact.shape == (4,)
    assert trace.find("cat.out").exact.shape == (4,)


def test_the_words_stay_with_their_rows_through_a_stack_and_through_turns():
    trace = Trace()
    grids = trace.given_each("grid", PAIR)
    out = stack(rows(trace), (grids, grids), trace, recipe=Recipe(positions=Rotary(trace.given("seats", [0, 1]))))
    for reference in ("cat.block2.out", "sat.block1.weights[cat]", "sat.block2.query.turned", "cat.block1.norm2.std"):
        trace.find(reference)
    assert trace.find("sat.block2.out").exact.tolist() == out.exact[1].tolist()


# ---- what a trace cannot follow, and what it can


def test_the_exact_form_of_gelu_is_refused_by_name_and_the_form_with_tanh_is_followed():
    trace = Trace()
    worker = trace.given_each("grid", PAIR.feed_forward)
    with pytest.raises(TraceError, match=r"would lose sight of np\.erf"):
        feed_forward(rows(trace), worker, trace, gelu_erf)

    def machine(given, note):
        return feed_forward(given["x"], PAIR.feed_forward.__class__(given["widen"], given["narrow"]), note, gelu)

    trace = Trace()
    given = {"x": rows(trace), "widen": trace.given("widen", PAIR.feed_forward.widen), "narrow": trace.given("narrow", PAIR.feed_forward.narrow)}
    machine(given, trace)
    assert still_true(machine, trace) == 9


@pytest.mark.parametrize("positions", [Rotary(), Alibi(), Rotary(np.arange(2)), Alibi(np.arange(2))], ids=["Rotary", "Alibi"] * 2)
def test_seats_that_were_not_given_have_no_place_in_a_program(positions):
    trace = Trace()
    with pytest.raises(TraceError, match="it depends on nothing given"):
        self_attention(rows(trace), trace.given_each("grid", examples.PAIR_HEAD), trace, positions=positions)


def test_a_stamp_for_plain_seats_is_refused_as_well():
    with pytest.raises(TraceError, match="angle"):
        sine_cosine(np.arange(2), 4, Trace())


def test_ids_that_decide_who_is_seen_may_not_be_given():
    trace = Trace()
    with pytest.raises(TraceError, match="plain array"):
        encoder(trace.given("ids", [1, 2]), trace.given_each("grid", Encoder(TABLE, (PAIR,))), trace)


def test_a_grid_that_was_left_plain_is_found():
    layer = Attention((examples.PAIR_HEAD,), np.eye(4))

    def machine(given, note):
        return block(given["x"], Block(layer, PAIR.feed_forward), note)

    trace = Trace()
    machine({"x": rows(trace)}, trace)
    with pytest.raises(TraceError, match="baked into the program"):
        still_true(machine, trace)
