"""The benchmark of the model with its peers of transformers, eager and compiled, in tiny sizes; no speed is asserted."""

import sys

import pytest

from pencil.paths import ROOT

pytestmark = pytest.mark.slow
SMALL = ["--batch", "2", "--length", "4", "--width", "8", "--heads", "2", "--blocks", "1", "--rows", "9", "--rounds", "1"]


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        import bench_model
        from parts import clock

        patch.setattr(clock, "SECONDS", 0.0)
        patch.setitem(bench_model.SQUARES, "cpu", 16)  # in bfloat16 a processor takes minutes for the usual ones
        yield bench_model
    for name in [name for name in sys.modules if name.split(".")[0] in ("bench_model", "parts")]:
        del sys.modules[name]


def test_the_whole_table_eager(bench):
    setting, *_ = bench.parse([*SMALL, "--gpt2"])
    rows = list(bench.measure(setting, compiles=False))
    assert [row.what.split(",")[0] for row in rows] == [
        *["block forward", "block there and back"] * 2,
        *["GPT forward", "GPT there and back"],
        *["experts forward"] * 2,
        *["experts there and back"] * 2,
        *["GPT training step"] * 2,
        *["3 words read at once"] * 2,
        *["3 words"] * 8,
    ]
    assert {row.peer for row in rows} == {
        "torch's encoder layer", "transformers' GPT-2 block", "transformers' GPT-2", "torch's products and attention alone",
        "ours without a cache", "transformers' with its cache", "transformers' generate", "nanoGPT", "nanoGPT's generate",
        "transformers' Mixtral block", "the same, a loop over experts",
    }  # fmt: skip


def test_the_whole_table_with_the_compiled_rows(bench, monkeypatch):
    """A stand-in for the compiler that leaves all as it is: every row comes, of the book's own small writer and of what is opened too."""
    import torch

    monkeypatch.setattr(torch, "compile", lambda module, **options: module)
    monkeypatch.setattr(bench, "FULL", {"length": 9, "width": 12, "heads": 2, "blocks": 2, "rows": 11})
    setting, *_ = bench.parse(SMALL)
    whats = [row.what for row in bench.measure(setting, compiles=True)]
    assert whats.count("3 words, laid out, compiled") == whats.count("tiny GPT: 47 words, laid out, compiled") == 3
    assert whats[-2:] == ["Llama opened, 0.0 million: 3 words", "GPT-2 opened, 0.0 million: 7 words"]


@pytest.mark.parametrize("dtype, count", [("float32", 2), ("float64", 1)])  # torch's grouped product takes no float64
def test_our_experts_and_both_of_mixtral_s_work_out_the_same(bench, dtype, count):
    import torch
    from agree import assert_close
    from pairs import SINGLE
    from parts.mixtures import mixtures

    setting, *_ = bench.parse([*SMALL, "--length", "12", "--width", "16", "--dtype", dtype])
    torch.manual_seed(3)
    ours, peers = mixtures(setting)
    assert len(peers) == count
    x, pull = (setting.draw(2, 12, 16) for _ in range(2))
    found = torch.autograd.grad((ours(x.requires_grad_()) * pull).sum(), [x, ours.router.weight, ours.gate, ours.up, ours.down])
    for name, peer in peers.items():
        assert_close(ours(x), peer(x), SINGLE, name)  # Mixtral's router is in float32 always
        own = [x, peer.gate.weight, peer.experts.gate_up_proj, peer.experts.down_proj]
        wanted = torch.autograd.grad((peer(x) * pull).sum(), own)
        for one, other in zip((found[0], found[1], torch.cat(found[2:4], 1), found[4]), wanted, strict=True):
            assert_close(one, other, SINGLE, f"the slopes of {name}")
    chosen = ours.router(x)[1]
    assert len(chosen.unique()) > 2 and chosen.shape[-1] == 2  # not all tokens go the same way


def test_each_of_mixtral_s_two_ways_is_the_one_that_its_row_says(bench, monkeypatch):
    import torch
    from parts import mixtures
    from transformers.integrations import moe

    setting, *_ = bench.parse([*SMALL, "--width", "16"])
    asked, grouped = [], moe._grouped_mm
    monkeypatch.setattr(moe, "_grouped_mm", lambda *given, **more: asked.append(1) or grouped(*given, **more))
    _, peers = mixtures.mixtures(setting)
    with torch.no_grad():
        counts = [len(asked) for peer in peers.values() if peer(setting.draw(1, 4, 16)) is not None]
    assert list(peers) == ["transformers' Mixtral block", "the same, a loop over experts"] and counts == [2, 2]


@pytest.mark.parametrize("kind", ["GPT-2", "Llama"])
def test_what_is_opened_writes_what_transformers_writes(bench, kind):
    import torch
    from parts import opened

    setting, *_ = bench.parse([*SMALL, "--length", "24", "--width", "12", "--rows", "31"])
    torch.manual_seed(4)
    row = next(opened.opened_rows(setting, kind))  # which holds both against each other
    assert row.words == 18 and row.peer == "transformers' generate"

    def other(setting, kind, made=opened.opened):
        ours, peer = made(setting, kind)
        with torch.no_grad():
            ours.embedding.copy_(ours.embedding.flip(0))
        return ours, peer

    with pytest.MonkeyPatch.context() as patch, pytest.raises(AssertionError, match=f"an opened {kind} writes something else"):
        patch.setattr(opened, "opened", other)
        next(opened.opened_rows(setting, kind))


@pytest.fixture
def compiler(bench):
    """What torch.compile writes is built by a C++ compiler; where there is none the test is skipped, and says why."""
    from parts.clock import cannot_compile

    if reason := cannot_compile("cpu"):
        pytest.skip(f"torch.compile cannot run here: {reason}")


def test_a_block_compiled(bench, compiler):
    from parts.contenders import block_rows

    setting, *_ = bench.parse(SMALL)
    assert [row.what for row in block_rows(setting, compiled=True)] == ["block forward, compiled", "block there and back, compiled"] * 2


def test_a_step_of_training_compiled(bench, compiler):
    from parts.contenders import training_rows

    setting, *_ = bench.parse(SMALL)
    rows = list(training_rows(setting, compiled=True))
    assert [row.peer for row in rows] == ["nanoGPT", "transformers' GPT-2"]
    for row in rows:
        assert row.what == "GPT training step, compiled" and row.words == 8 and row.tflops > 0 and row.with_kernels is None


def test_a_writer_compiled(bench, compiler):
    from parts.writing import compiled_writing_rows

    setting, *_ = bench.parse(SMALL)
    rows = list(compiled_writing_rows(setting, "small: "))
    assert {row.what for row in rows} == {"small: 3 words, laid out, compiled"}
    assert [row.peer for row in rows] == ["transformers' with its cache", "transformers' generate", "transformers' laid out, compiled"]


def test_whatever_the_cache_their_writer_writes_the_same(bench):
    import torch
    from parts import contenders, writing

    setting, *_ = bench.parse([*SMALL, "--length", "12"])
    torch.manual_seed(2)
    _, peer = contenders.writers(setting)
    first = setting.ids(1, 1)
    laid_out = [writing.write(writing.with_their_cache(peer.eval(), peer.config, room), first, 11).tolist() for room in (None, 12)]
    assert laid_out == [writing.generate(peer, first, 11).tolist()] * 2
