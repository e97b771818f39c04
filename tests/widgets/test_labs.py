"""The labs in Python: runs, changes, state, and no import of Jupyter."""

import json

import numpy as np
import pytest

from pencil import examples
from pencil.experiments.records import read
from pencil.params import flatten
from pencil.reference import (
    AttentionParams,
    BlockConfig,
    BlockParams,
    QKVParams,
    Rotary,
    block,
    causal_mask,
    gelu,
    kv_bytes,
    layer_norm,
    multi_head_attention,
    page_slots,
    ring_slots,
    rms_norm,
    self_attention,
    silu,
    softmax,
    write_slots,
)
from pencil.widgets import (
    AttentionLab,
    BitsLab,
    BlockLab,
    CacheLab,
    DiceLab,
    HeadsLab,
    KeepLab,
    LSTMLab,
    MaskLab,
    ModernLab,
    PagesLab,
    PatchLab,
    PoolingLab,
    PositionLab,
    PreferenceLab,
    RingLab,
    RNNLab,
    RotaryLab,
    RowLab,
    SamplingLab,
    SoftmaxLab,
    SparseLab,
    StateLab,
    ValleyLab,
)

# fmt: off
LABS = [
    AttentionLab, RowLab, SoftmaxLab, BlockLab, HeadsLab, PositionLab, PoolingLab, PatchLab, MaskLab, SamplingLab, DiceLab, RNNLab, LSTMLab,
    KeepLab, ModernLab, CacheLab, PagesLab, RingLab, SparseLab, StateLab, BitsLab, RotaryLab, ValleyLab, PreferenceLab,
]
# fmt: on
every_lab = pytest.mark.parametrize("lab", LABS, ids=lambda made: made.__name__)


@every_lab
def test_every_part_of_every_variant_shows_something(lab):
    made = lab()
    for variant in made.variants:
        for step in variant.steps:
            assert step.parts
            for part in step.parts:
                assert (part.kind == "drawing" and part.show in made.drawings) or part.still(variant.worked)


@every_lab
def test_the_state_has_given_numbers_alone(lab):
    """No number that was worked out: so the output is the same on every machine."""
    made, again = lab(), lab()
    state = json.loads(json.dumps(made.state(), allow_nan=False))
    steps = [step for variant in state["variants"] for step in variant["data"]["program"]["steps"]]
    assert steps and all(("value" in step) == (step["op"] in ("given", "constant")) for step in steps)
    assert repr(made) == repr(again) and made._repr_html_() == again._repr_html_()


@every_lab
def test_a_step_is_found_by_what_it_says(lab):
    for variant in lab().variants:
        says = [step.label for step in variant.steps]
        assert len(set(says)) == len(says)


@every_lab
def test_every_given_number_of_a_variant_can_be_reached(lab):
    for variant in lab().variants:
        given = {name for name, step in variant.worked.trace.names.items() if step.op == "given"}
        assert given == {part.show for step in variant.steps for part in step.parts if part.kind == "given"}


# ---- held against the reference, without a trace


def test_the_attention_lab_with_other_numbers():
    lab = AttentionLab()
    lab.variant = 3
    rows = np.array(lab.givens["embedding"]) - 0.5
    lab.givens = {"embedding": rows, "params.query": np.eye(4)}
    params = QKVParams(np.eye(4), examples.REVIEW_PARAMS.key, examples.REVIEW_PARAMS.value)
    np.testing.assert_allclose(lab.trace.find("context").exact, self_attention(rows, params), rtol=1e-12)
    assert lab.chosen() == {"Words": "4"}


@pytest.mark.parametrize("number", range(4))
def test_the_block_lab_in_all_its_ways(number):
    lab = BlockLab()
    lab.variant = number
    norm, mask = lab.chosen().values()
    rows = examples.ROWS + np.array([[0.5, 0, -1, 0], [0, 2, 0, 0]])
    lab.givens = lab.givens | {"x": rows}
    plain = block(rows, examples.PAIR_BLOCK, mask=causal_mask(2) if mask == "on" else None, config=BlockConfig(norm_first="Pre" in norm))
    np.testing.assert_allclose(lab.trace.find("out").exact, plain, rtol=1e-10)


def test_the_heads_lab_is_the_machine_of_its_chapter():
    lab = HeadsLab()
    np.testing.assert_allclose(lab.trace.find("attn_out").exact, multi_head_attention(examples.HEADS_VECTORS, examples.TWO_HEADS), rtol=1e-12)
    lab.variant = 1
    stacked = QKVParams(*(np.vstack([getattr(h, tag) for h in examples.TWO_HEADS.heads]) for tag in ("query", "key", "value")))
    one = AttentionParams((stacked,), examples.TWO_HEADS.output)
    np.testing.assert_allclose(lab.trace.find("attn_out").exact, multi_head_attention(examples.HEADS_VECTORS, one), rtol=1e-12)


def test_the_heads_lab_takes_as_many_heads_as_there_are():
    head = examples.TWO_HEADS.heads[0]
    five = AttentionParams((head,) * 5, np.eye(5 * head.value.shape[0])[: examples.HEADS_VECTORS.shape[1]])
    assert HeadsLab(attention=five).choices[0].options[0] == "5"


def test_the_softmax_lab_cools_and_saturates():
    lab = SoftmaxLab()
    lab.givens = {"temperature": 0.25}
    scores = np.array(lab.givens["scores"]) / 0.25
    shares = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(lab.trace.find("weights").exact, shares, rtol=1e-12)
    np.testing.assert_allclose(lab.trace.find("slope").exact, shares * (1 - shares), rtol=1e-9)


def test_the_keep_lab_raises_the_gate_to_the_number_of_words():
    lab = KeepLab()
    for gate, words in ((0.0, 3), (0.9, 7), (0.999, 400), (1.0, 79)):
        lab.givens = lab.givens | {"forget_gate": gate, "words": [1, 2, words, 40, 79]}
        np.testing.assert_allclose(lab.trace.find("left").exact, gate ** np.array([1, 2, words, 40, 79]), rtol=1e-12)


@pytest.mark.parametrize("number", range(8))
def test_the_modern_lab_is_the_block_with_the_parts_that_are_chosen(number):
    lab = ModernLab()
    lab.variant = number
    norm, pairs, network = lab.chosen().values()
    attention, old = examples.MODERN_ATTENTION, examples.PAIR_HEAD
    if pairs == "one for each head":
        heads = tuple(QKVParams(old.query[rows], old.key[rows], old.value[rows]) for rows in (slice(2), slice(2, 4)))
        attention = AttentionParams(heads, attention.output)
    feed_forward, activation = (examples.GATED_FEED_FORWARD, silu) if network == "SwiGLU" else (examples.PAIR_BLOCK.feed_forward, gelu)
    rows = examples.ROWS + np.array([[0.5, 0, -1, 0], [0, 2, 0, 0]])
    lab.givens = lab.givens | {"x": rows, "positions": [3, 4]}
    config = BlockConfig(norm=rms_norm if norm == "RMSNorm" else layer_norm, activation=activation, position_encoding=Rotary(np.array([3, 4])))
    found = {name: float(lab.trace.find(name).exact) for name in ("attention_parameters", "feed_forward_parameters", "kept")}
    np.testing.assert_allclose(lab.trace.find("out").exact, block(rows, BlockParams(attention, feed_forward), config=config), rtol=1e-10)
    n_pairs = sum(head.key is not None for head in attention.heads)
    assert found["attention_parameters"] == sum(array.size for array in flatten(attention).values())
    assert found["feed_forward_parameters"] == sum(array.size for array in flatten(feed_forward).values())
    assert found["kept"] == kv_bytes(1, n_layers=1, n_kv_heads=n_pairs, d_k=2, bytes_per_number=1)


def test_the_modern_lab_bills_a_real_machine():
    """Mistral 7B, by the shapes of the grids in its checkpoint."""
    lab = ModernLab()
    lab.givens = lab.givens | {"width": 4096, "heads": 32, "pairs": 8, "across": 128, "units": 14336}
    attention = (4096 * 4096, 1024 * 4096, 1024 * 4096, 4096 * 4096)  # q_proj, k_proj, v_proj, o_proj
    network = (14336 * 4096, 14336 * 4096, 4096 * 14336)  # gate_proj, up_proj, down_proj
    assert [float(lab.trace.find(name).exact) for name in ("attention_parameters", "feed_forward_parameters")] == [sum(attention), sum(network)]
    assert float(lab.trace.find("kept").exact) * 32 * 2 == 131_072  # the bytes of a word, worked in chapter 16


@pytest.mark.parametrize("number", range(3))
def test_the_cache_lab_counts_bytes_as_the_reference_does(number):
    lab, machine = CacheLab(), list(examples.CACHE_SIZES.values())[number]
    lab.variant = number
    for (blocks, heads, kept, width, words), size in ((machine, 2), ((3, 6, 2, 7, 11), 4)):
        sizes = {"blocks": blocks, "heads": heads, "kept_heads": kept, "width": width, "words": words, "size": size}
        assert size == 4 or lab.givens == sizes
        lab.givens = sizes
        plan = {"n_layers": blocks, "d_k": width, "bytes_per_number": size}
        assert float(lab.trace.find("a_word").exact) == kv_bytes(1, n_kv_heads=kept, **plan)
        assert float(lab.trace.find("text").exact) == kv_bytes(words, n_kv_heads=kept, **plan)
        assert float(lab.trace.find("unshared").exact) == kv_bytes(words, n_kv_heads=heads, **plan)
        assert float(lab.trace.find("part").exact) == kept / heads


def test_a_latent_is_kept_for_all_heads():
    lab = CacheLab()
    lab.variant = 3
    blocks, heads, width, latent, rotated, words = examples.LATENT_SIZES["DeepSeek"]
    assert lab.chosen() == {"Begin as": "DeepSeek"}
    machine = next(one for one in read("who_uses_what")["machines"] if one["class"] == "DeepseekV3Config")
    assert [machine[name] for name in ("n_layers", "n_heads", "latent_dim", "rope_dim")] == [blocks, heads, latent, rotated]
    assert (
        lab.trace.find("a_word").exact == blocks * (latent + rotated) * 2 and lab.trace.find("text").exact == words * lab.trace.find("a_word").exact
    )
    assert lab.trace.find("part").exact == pytest.approx((latent + rotated) / (2 * heads * width))
    lab.givens = {"latent": 256, "rotated": 64}
    assert lab.trace.find("a_word").exact == blocks * 320 * 2


REFUSED = [  # a lab, its variant, what is given, and what it says
    (CacheLab, 0, {"blocks": 0}, "'blocks' must be a whole number, 1 or more. Type 1, for example"),
    (CacheLab, 0, {"words": 2.5}, "'words' must be a whole number, 1 or more. Type 3, for example"),
    (CacheLab, 0, {"kept_heads": 5}, "that divides 'heads'. Type 4, for example"),
    (CacheLab, 0, {"heads": 10}, "'kept_heads' must be a whole number, 1 or more, that divides 'heads'. Type 10, for example"),
    (CacheLab, 0, {"size": 0}, "A number takes some room"),
    (ModernLab, 0, {"pairs": 3}, "that divides 'heads'. Type 2, for example"),
    (ModernLab, 0, {"units": 1.5}, "must be a whole number, 1 or more"),
    (KeepLab, 0, {"forget_gate": 1.5}, "'forget_gate' must be a number from 0 to 1. Type 1, for example"),
    (KeepLab, 0, {"words": [1, 2, 3, 4, 5.5]}, "'words' must be a whole number, 0 or more. Type 6, for example"),
    (SamplingLab, 0, {"u": 1}, "0 or more, and below 1"),
    (SamplingLab, 0, {"counts": [0, 0.5, 0]}, "must be a whole number, 0 or more"),
    (SamplingLab, 3, {"k": 1.5}, "'k' must be a whole number, 1 or more. Type 2, for example"),
    (SamplingLab, 6, {"p": 0}, "p is a share"),
    (SamplingLab, 6, {"p": 1.1}, "p is a share"),
    (DiceLab, 0, {"u": [0, 0, -0.1]}, "0 or more, and below 1"),
    (DiceLab, 0, {"target_parts": [1, 1, 1, 1, 1, 0]}, "above zero"),
    (MaskLab, 0, {"mask": [[2, 0, 0], [1, 1, 0], [1, 1, 1]]}, "Type 1 or 0"),
    (PatchLab, 0, {"order": [0, 1, 2, 4]}, "'order' must be a whole number from 0 to 3. Type 3, for example"),
    (RingLab, 0, {"window": 2.5}, "'window' must be a whole number from 1 to 5. Type 3, for example"),
]


@pytest.mark.parametrize(
    "lab", [BitsLab, CacheLab, DiceLab, KeepLab, MaskLab, ModernLab, PagesLab, PatchLab, RingLab, SamplingLab, SoftmaxLab, SparseLab, StateLab]
)
def test_a_number_with_limits_has_a_name_on_the_page_or_a_message_of_its_own(lab):
    """Otherwise the page would say "This number must be …"."""
    seen = 0
    for variant in lab().variants:
        own = {part.show for step in variant.steps for part in step.parts if part.refusal}
        limited = {name: value.attrs for name, value in variant.worked.trace.names.items() if value.op == "given" and value.attrs}
        needed = (set(limited) - own) | {limits["divides"] for limits in limited.values() if "divides" in limits}
        assert needed <= set(variant.worked.labels), needed - set(variant.worked.labels)
        seen += len(limited)
    assert seen


@pytest.mark.parametrize("lab, variant, numbers, says", REFUSED)
def test_what_is_counted_is_whole_and_what_is_a_share_lies_between_its_bounds(lab, variant, numbers, says):
    made = lab()
    made.variant = variant
    before = made.givens
    with pytest.raises(ValueError, match=says):
        made.givens = before | numbers
    assert made.givens == before


@pytest.mark.parametrize("number, size", [(0, 2), (1, 3), (2, 4)])
def test_the_pages_lab_has_the_slots_of_the_reference(number, size):
    lab, rng = PagesLab(), np.random.default_rng(number)
    lab.variant = number
    assert lab.chosen() == {"Slots of a page": str(size)}
    for _ in range(12):
        table, words = rng.integers(0, 6, 4), int(rng.integers(1, 4 * size + 1))  # pages that lie in one place too: the later one stays
        taken = rng.integers(0, 2, 6)
        lab.givens = {"words": words, "table": table, "taken": taken}
        slots = page_slots(range(words), table, block_size=size)
        assert lab.trace.find("room").words[1] == ("zero", "one", "two", "three")[:size], "slots are counted from zero, as in the text"
        room = write_slots(np.arange(1.0, words + 1)[:, None], slots, n_slots=6 * size).reshape(6, size)
        assert (lab.trace.find("room").exact == np.where(room > 0, room, -taken[:, None])).all()
        found = {name: float(lab.trace.find(name).exact) for name in ("used", "wasted", "slot", "found")}
        pages = -(-words // size)
        assert found == {"used": pages, "wasted": pages * size - words, "slot": slots[-1], "found": (room > 0).sum()}
        assert float(lab.trace.find("others").exact) == size * taken.sum()
        assert float(lab.trace.find("overwritten").exact) == ((room > 0) & (taken[:, None] == 1)).sum()
    told = {"words": "no more than the pages", "table": "must be a whole number from 0 to 5", "taken": "1 is a page of the other text"}
    odd = [("words", 4 * size + 1), ("words", 0), ("words", 1.5), ("table", [0, 1, 2, 6]), ("table", [0, 1, 2, -1]), ("taken", [0, 2, 0, 0, 0, 0])]
    for name, value in odd:
        with pytest.raises(ValueError, match=told[name]):
            lab.givens = {name: value}


def test_the_ring_lab_overwrites_as_the_reference_does():
    lab = RingLab()
    in_a_row = [(window, np.arange(start, start + 6)) for window, start in ((3, 0), (1, 0), (2, 4), (4, 0), (5, 6))]
    for window, positions in (*in_a_row, (3, [0, 1, 4, 4, 4, 7]), (5, [9, 0, 3, 3, 11, 2])):
        lab.givens = {"window": window, "positions": positions, "sinks": 0}
        slots = ring_slots(positions, window=window)
        assert lab.trace.find("ring").words[1] == ("zero", "one", "two", "three", "four", "five", "six")
        assert lab.trace.find("slots").exact.tolist() == slots.tolist()
        for words, ring in enumerate(lab.trace.find("ring").exact, 1):
            written = write_slots(np.arange(1.0, words + 1)[:, None], slots[:words], n_slots=7).ravel() - 1  # counted from zero; -1 is empty
            there = np.arange(7) < window  # the widest ring has seven slots; those that this one has not are told from empty ones
            assert ring.tolist() == np.where(there, written, -2).tolist()
    for sinks, window in ((1, 3), (2, 1), (2, 5)):  # the first words stay; the others take the slots behind them in turn
        lab.givens = {"window": window, "positions": np.arange(6), "sinks": sinks}
        slots = [k if k < sinks else sinks + ring_slots([k - sinks], window=window)[0] for k in range(6)]
        assert lab.trace.find("slots").exact.tolist() == slots
        held = lab.trace.find("ring").exact[-1]
        assert held[:sinks].tolist() == list(range(sinks)) and (held[sinks + window :] == -2).all()
    for name, odd in (("window", 0), ("window", 6), ("window", 2.5), ("positions", [0, 1, 2, 3, 4, 12])):
        with pytest.raises(ValueError, match="from 1 to 5" if name == "window" else "from 0 to 11"):
            lab.givens = {name: odd}


@pytest.mark.parametrize(
    "name, odd, says",
    [
        ("givens", [1], "givens=\\[1\\]; give them by name: {'scores': ...}"),
        ("givens", None, "givens=None; give them by name"),
        ("givens", {"scores": "hello"}, "'scores' takes finite numbers of the shape .*; these are 'hello'"),
        ("givens", {"scores": [[1, 2], [1]]}, "'scores' takes finite numbers of the shape"),
        ("variant", 0.0, "variant 0.0; there are"),
        ("variant", "three words", "variant 'three words'; there are"),
        ("step", 0.0, "step 0.0; there are"),
    ],
)
def test_what_a_lab_cannot_take_is_told_and_nothing_changes(name, odd, says):
    lab = SoftmaxLab()
    before = getattr(lab, name)
    with pytest.raises(ValueError, match=says):
        setattr(lab, name, odd)
    assert getattr(lab, name) == before


def test_the_mask_lab_leaves_the_shares_of_its_mask():
    lab, scores = MaskLab(), np.array([[0.0, 1, 2], [3, -1, 0], [1, 1, 1]])
    for number in range(len(lab.variants)):
        lab.variant = number
        mask = np.array(lab.givens["mask"])
        mask[1] = [0, 1, 1]
        lab.givens = lab.givens | {"scaled": scores, "mask": mask}
        np.testing.assert_allclose(lab.trace.find("weights").exact, softmax(np.where(mask == 1, scores, -np.inf)), rtol=1e-12)
    with pytest.raises(ValueError, match="masked whole has no word"):
        lab.givens = {"mask": np.zeros((3, 3))}
