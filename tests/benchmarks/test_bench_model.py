"""The benchmark of the model does what it says, on a CPU and in sizes that take no time; no speed is asserted.

The peers out of transformers are in tests/peers, with the packages that they need.
"""

import json
import re
import sys
from functools import partial
from time import perf_counter
from types import SimpleNamespace

import pytest

from pencil.experiments import records
from pencil.paths import ROOT

SMALL = ["--batch", "2", "--length", "4", "--width", "8", "--heads", "2", "--blocks", "1", "--rows", "9", "--rounds", "1"]


@pytest.fixture(scope="module")
def bench():
    """The benchmark as a module, as if it were run from its own folder; without transformers, whether it is installed or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        import bench_model
        from parts import clock, contenders, kernels, mixtures, opened, setting, writing

        for module in (bench_model, contenders, mixtures, opened):
            patch.setattr(module, "find_spec", lambda name: None)
        patch.setattr(clock, "SECONDS", 0.0)
        patch.setitem(bench_model.SQUARES, "cpu", 16)  # in bfloat16 a processor takes minutes for the usual ones
        patch.setattr(bench_model, "cannot_compile", lambda device: "no compiler wanted here")
        yield SimpleNamespace(main=bench_model, clock=clock, contenders=contenders, kernels=kernels, setting=setting, writing=writing)
    for name in [name for name in sys.modules if name.split(".")[0] in ("bench_model", "parts")]:
        del sys.modules[name]


@pytest.mark.slow
def test_the_table_and_its_record(bench, capsys, tmp_path):
    file = tmp_path / "new" / "run.json"
    bench.main.main([*SMALL, "--record", str(file)])
    said, record = capsys.readouterr().out, json.loads(file.read_text(encoding="utf-8"))
    assert "transformers: not measured" in said and "compiled: not measured, for torch.compile cannot run here: no compiler wanted here" in said
    result = record["result"]
    whats = [row["what"] for row in result["rows"]]
    steps, grows, laid_out = ["GPT training step, eager"], ["3 words, a cache that grows"] * 2, ["3 words, a cache laid out"] * 2
    assert whats == [
        "block forward, eager",
        "block there and back, eager",
        *steps,
        "3 words read at once",
        *grows,
        *laid_out,
        "tiny GPT training step, eager",
        *["tiny GPT: 47 words, a cache laid out"] * 2,
    ]
    assert [row["peer"] for row in result["rows"] if "training" in row["what"]] == ["nanoGPT"] * 2
    assert all(0 < row["share"] == row["tflops"] / row["reached_tflops"] for row in result["rows"] if row["operations"])
    assert all(what in said for what in whats)
    assert all(row["ours_ms"] > 0 and row["faster"] == row["peer_ms"] / row["ours_ms"] for row in result["rows"])
    assert all(row["least_ms"] > 0 and row["at_most"] == row["peer_ms"] / row["least_ms"] for row in result["rows"])
    assert all(row["kernels_ms"] > 0 and row["with_kernels"] == row["peer_ms"] / row["kernels_ms"] for row in result["rows"])
    assert result["step_shares"].keys() == {"products", "attention", "GELU", "the rest"} and "a training step of ours: products" in said
    assert result["setting"]["width"] == 8 and record["command"].endswith(f"--record {file}")
    assert {"date", "commit", "changed_since", "seed", "device", "versions"} <= set(record) and record["versions"]["torch"]
    assert records.read("run", file.parent)["setting"] == result["setting"]


def test_the_recorded_run_is_a_record():
    record = records.read("bench_model_cpu")
    assert record["setting"]["batch"] == 32 and all(row["ours_ms"] > 0 for row in record["rows"])
    assert "benchmarks/bench_model.py" in repr(record)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_every_type_runs(bench, dtype):
    setting, *_ = bench.main.parse([*SMALL, "--dtype", dtype])
    assert len(list(bench.main.measure(setting, compiles=False))) == 11


def test_the_shape_of_gpt2_has_its_124_million_learned_numbers(bench):
    setting, *_ = bench.main.parse(["--gpt2", "--device", "cuda"])
    assert (setting.device, setting.dtype, setting.whole, setting.length) == ("cuda", "bfloat16", True, 1024)
    d, learned = setting.width, setting.rows * setting.width + setting.length * setting.width
    learned += setting.blocks * (12 * d * d + 13 * d) + 2 * d  # grids and biases of a block with its two norms; the last norm
    assert learned == 124_439_808
    a_token = setting.operations(setting.blocks, setting.rows) / (setting.batch * setting.length)
    params = learned - setting.length * d - setting.blocks * 13 * d - 2 * d  # the table counts once, as the grid of the scores
    assert a_token == 2 * params + setting.blocks * 4 * setting.length * d


def test_sizes_that_are_given_win_over_those_of_gpt2(bench):
    setting, only, threads, file = bench.main.parse(["--gpt2", "--batch", "3", "--dtype", "float32", "--threads", "2"])
    assert (setting.batch, setting.dtype, setting.width, threads, file) == (3, "float32", 768, 2, None) and only == bench.main.PARTS


def test_a_part_can_be_measured_alone(bench):
    setting, only, *_ = bench.main.parse([*SMALL, "--only", "prefill"])
    rows = [row.what for row in bench.main.measure(setting, False, only)]
    assert rows and all(what.endswith("words read at once") for what in rows)
    with pytest.raises(SystemExit, match="nothing was measured: decoder has rows with --gpt2 only"):
        bench.main.main([*SMALL, "--only", "decoder"])


def test_a_call_between_two_events_of_the_gpu(bench):
    """A stand-in for torch.cuda whose events are the wall's time: the count of calls and the unit come out right."""
    waited, calls = [], []

    class Event:
        def __init__(self, enable_timing):
            assert enable_timing

        def record(self):
            self.at = perf_counter()

        def synchronize(self):
            waited.append("event")

        def elapsed_time(self, other):
            return (other.at - self.at) * 1000  # as torch has it, in milliseconds

    def run():
        calls.append(1)
        end = perf_counter() + 0.002
        while perf_counter() < end:
            pass

    cuda = SimpleNamespace(Event=Event, synchronize=lambda: waited.append("all"))
    assert 0.002 <= bench.clock.between_events(run, cuda) < 1
    assert waited == ["all", "event"] and len(calls) >= 2


@pytest.mark.parametrize(
    "name, dtype, top",
    [
        ("NVIDIA H100 80GB HBM3", "bfloat16", 989),
        ("NVIDIA H100 PCIe", "bfloat16", 756),
        ("NVIDIA A100-SXM4-80GB", "float16", 312),
        ("NVIDIA H200", "bfloat16", 989),
        ("NVIDIA L40S", "bfloat16", 362),
        ("NVIDIA L40", "bfloat16", None),  # begins as the L4 does, which is another chip
        ("NVIDIA H100 80GB HBM3", "float32", None),
        ("x86_64 CPU with AVX2, 1 thread(s)", "bfloat16", None),
    ],
)
def test_the_peak_of_a_chip(bench, name, dtype, top):
    assert bench.setting.peak(name, dtype) == top


@pytest.mark.slow
def test_on_a_chip_that_is_known_every_row_of_a_block_says_its_share_of_peak(bench, monkeypatch, capsys, tmp_path):
    """The run of a GPU in its own type, on a CPU that bears the GPU's name."""
    for module in (bench.main, bench.setting):
        monkeypatch.setattr(module, "device_name", lambda setting: "NVIDIA H100 80GB HBM3")
    file = tmp_path / "run.json"
    bench.main.main(["--gpt2", *SMALL, "--record", str(file)])
    said, record = capsys.readouterr().out, json.loads(file.read_text(encoding="utf-8"))
    lines = [line for line in said.splitlines() if line.startswith("block")]
    assert len(lines) == 2 and all("TFLOP/s, " in line and "% of a large product, " in line and line.endswith("% of peak") for line in lines)
    assert record["device"] == "NVIDIA H100 80GB HBM3" and "bfloat16" in said
    assert record["result"]["peak_tflops"] == 989 and all(row["tflops"] > 0 for row in record["result"]["rows"] if row["operations"])


def test_the_share_of_peak_stands_only_where_there_is_one(bench):
    row = bench.setting.Row("block forward, eager", "a peer", 2.0, 3.0, operations=1e12, least_ms=0.5)
    assert row.tflops == 500 and row.faster == 1.5 and row.at_most == 6
    assert "500.0 TFLOP/s, 50.6 % of peak" in bench.main.line(row, 989) and "peak" not in bench.main.line(row, None)
    trained = bench.setting.Row("GPT training step, compiled", "a peer", 2.0, 3.0, operations=1e12, words=6, least_ms=0.5)
    assert bench.main.line(trained, 989).endswith("3000 words a second, 500.0 TFLOP/s, 50.6 % of peak")
    seen = bench.setting.Row("GPT training step", "a peer", 2.0, 3.0, operations=1e12, least_ms=0.5, reached_tflops=800.0)
    assert seen.share == 0.625 and bench.main.line(seen, None).endswith("500.0 TFLOP/s, 62.5 % of a large product")
    written = bench.setting.Row("3 words", "a peer", 2.0, 3.0, words=3, least_ms=1.0)
    assert "1500 words a second" in bench.main.line(written, 989)


def test_attention_of_every_device_is_counted_as_attention(bench):
    torch = pytest.importorskip("torch")
    ops = [f"aten::{name}" for name in dir(torch.ops.aten) if re.search("attention.*(forward|backward)|^_scaled_dot_product", name)]
    assert len(ops) > 8 and all(any(part in op for part in bench.kernels.KINDS["attention"]) for op in ops)


def test_the_recorded_training_step_of_a_gpu_is_ahead_of_transformers_and_level_with_nanogpt():
    recorded = records.read("bench_model_cuda")
    rows = [row for row in recorded["rows"] if row["what"].startswith("GPT training step")]
    assert len(rows) == 4 and all(row["tflops"] < recorded["peak_tflops"] for row in rows)
    assert all(abs(row["faster"] - 1) < 0.05 if row["peer"] == "nanoGPT" else row["faster"] > 1 for row in rows)
    assert sum(recorded["step_shares"].values()) == pytest.approx(1)


@pytest.mark.parametrize("back, times", [(False, 1), (True, 1), (False, 3)])
def test_the_bare_products_are_those_of_every_grid(bench, back, times):
    """As many additions and multiplications as torch counts in the writer itself, attention's own left out."""
    pytest.importorskip("torch")
    from torch.utils.flop_counter import FlopCounterMode

    setting, *_ = bench.main.parse(SMALL)
    ours, _ = bench.contenders.writers(setting)
    ids = setting.ids(setting.batch, setting.length)
    with FlopCounterMode(display=False) as whole:
        scores = ours(ids)
        if back:
            scores.sum().backward()
    with FlopCounterMode(display=False) as bare:
        bench.contenders.products(setting, ours, ids.numel(), back, times)()
    params = sum(count for op, count in whole.get_flop_counts()["Global"].items() if str(op) in ("aten.mm", "aten.addmm"))
    assert sum(bare.get_flop_counts()["Global"].values()) == times * params > 0


def test_the_kernels_are_all_that_a_step_of_practice_has_torch_do(bench):
    """The same kernels in the same order, those of attention, slopes and optimizer among them; and the dials turn."""
    torch = pytest.importorskip("torch")
    setting, *_ = bench.main.parse(SMALL)
    ours, _ = bench.contenders.writers(setting)
    ids, optimizer = setting.ids(setting.batch, setting.length), torch.optim.AdamW(ours.parameters(), fused=True)
    step = partial(bench.contenders.language_model_step, ours, ours, ids, optimizer)
    again, names = bench.kernels.kernels(step), []
    for run in (again, step):
        before = ours.embedding.detach().clone()
        with bench.kernels.RecordKernels() as recorded:
            run()
        names.append([str(call.func) for call in recorded.calls])
        assert not torch.equal(before, ours.embedding)
    assert names[0] == names[1]
    assert {"aten.addmm.default", "aten.native_layer_norm_backward.default", "aten._fused_adamw_.default"} <= set(names[0])
    assert any("attention" in name and "backward" in name for name in names[0])


def test_the_shares_of_a_call_are_of_all_its_kernels(bench):
    import torch

    x = torch.randn(2, 3, 64, 64)
    tries = [bench.kernels.shares(lambda: torch.nn.functional.scaled_dot_product_attention(x, x, x), "cpu") for _ in range(9)]
    found = max(tries, key=lambda shares: shares["attention"])  # the one that a busy machine disturbed least
    assert sum(found.values()) == pytest.approx(1) and found["attention"] > 0.5 and found["GELU"] == found["products"] == 0
    found = bench.kernels.shares(lambda: torch.mm(x[0, 0], x[0, 1]).relu(), "cpu")
    assert sum(found.values()) == pytest.approx(1) and min(found["products"], found["the rest"]) > 0 == found["attention"]


def test_the_kernels_stand_in_the_table_where_they_are_torchs_own(bench):
    row = bench.setting.Row("block forward, eager", "a peer", 2.0, 3.0, least_ms=0.5, operations=1e12, kernels_ms=1.5)
    compiled = bench.setting.Row("block forward, compiled", "a peer", 2.0, 3.0, least_ms=0.5, operations=1e12)
    assert row.with_kernels == 2 and compiled.with_kernels is None
    assert bench.main.line(row, None).split()[-5:-2] == ["1.50", "2.00", "6.00"]
    assert bench.main.line(compiled, None).split()[-4:-2] == ["1.50", "6.00"]


def test_the_small_writer_has_the_sizes_of_the_books_own(bench):
    setting, *_ = bench.main.parse(SMALL)
    small = setting.like(bench.main.PLANS["embedded"].sizes)
    assert (small.width, small.heads, small.blocks, small.length, small.batch) == (48, 4, 2, 48, setting.batch)


def test_with_a_cache_the_same_words_are_written(bench):
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    setting, *_ = bench.main.parse([*SMALL, "--length", "12"])
    ours, _ = bench.contenders.writers(setting)
    first = setting.ids(2, 1)
    made = bench.writing
    plain, *cached = (made.write(begin, first, 11).tolist() for begin in (made.without_cache(ours), made.with_cache(ours), made.with_cache(ours, 12)))
    assert cached == [plain, plain]


def test_a_text_read_at_once_has_the_next_word_of_the_whole_text(bench):
    import torch

    torch.manual_seed(1)
    setting, *_ = bench.main.parse([*SMALL, "--length", "12"])
    (ours, _), ids, made = bench.contenders.writers(setting), setting.ids(2, 7), bench.writing
    with torch.no_grad():
        assert torch.equal(made.read(made.with_cache(ours), ids), ours(ids)[:, -1:].argmax(-1))
