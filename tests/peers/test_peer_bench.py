"""The benchmark of the model with its peers out of transformers, eager and compiled, in sizes that take no time; no speed is asserted."""

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
        yield bench_model
    for name in [name for name in sys.modules if name.split(".")[0] in ("bench_model", "weighted_values")]:
        del sys.modules[name]


def test_the_whole_table_eager(bench):
    setting, _, _ = bench.parse([*SMALL, "--gpt2"])
    rows = list(bench.measure(setting, compiles=False))
    assert [row.what.split(",")[0] for row in rows] == [
        *["block forward", "block there and back"] * 2,
        *["GPT forward", "GPT there and back", "GPT training step", "GPT training step"],
        *["3 words read at once"] * 2,
        *["3 words"] * 8,
    ]
    assert {row.peer for row in rows} == {
        "torch's encoder layer", "transformers' GPT-2 block", "transformers' GPT-2", "torch's products and attention alone",
        "ours without a cache", "transformers' with its cache", "transformers' generate", "nanoGPT", "nanoGPT's generate",
    }  # fmt: skip


@pytest.fixture
def compiler(bench):
    """What torch.compile writes is built by a C++ compiler; where there is none the test is skipped, and says why."""
    from parts.clock import cannot_compile

    if reason := cannot_compile("cpu"):
        pytest.skip(f"torch.compile cannot run here: {reason}")


def test_a_block_compiled(bench, compiler):
    from parts.contenders import block_rows

    setting, _, _ = bench.parse(SMALL)
    assert [row.what for row in block_rows(setting, compiled=True)] == ["block forward, compiled", "block there and back, compiled"] * 2


def test_a_step_of_training_compiled(bench, compiler):
    from parts.contenders import training_rows

    setting, _, _ = bench.parse(SMALL)
    rows = list(training_rows(setting, compiled=True))
    assert [row.peer for row in rows] == ["nanoGPT", "transformers' GPT-2"]
    for row in rows:
        assert row.what == "GPT training step, compiled" and row.words == 8 and row.tflops > 0 and row.with_kernels is None


def test_a_writer_compiled(bench, compiler):
    from parts.contenders import compiled_writing_rows

    setting, _, _ = bench.parse(SMALL)
    rows = list(compiled_writing_rows(setting, "small: "))
    assert {row.what for row in rows} == {"small: 3 words, laid out, compiled"}
    assert [row.peer for row in rows] == ["transformers' with its cache", "transformers' generate", "transformers' laid out, compiled"]


def test_whatever_the_cache_their_writer_writes_the_same(bench):
    import torch
    from parts import contenders

    setting, _, _ = bench.parse([*SMALL, "--length", "12"])
    torch.manual_seed(2)
    _, peer = contenders.writers(setting)
    first = setting.ids(1, 1)
    laid_out = [contenders.write(contenders.with_their_cache(peer.eval(), peer.config, room), first, 11).tolist() for room in (None, 12)]
    assert laid_out == [contenders.generate(peer, first, 11).tolist()] * 2
