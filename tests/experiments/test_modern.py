"""The measurements of chapter 16 and their records."""

import numpy as np
import pytest
import torch

from pencil.experiments.facts import norms_speed
from pencil.experiments.records import read
from pencil.experiments.writer import modern_blocks
from pencil.reference import functional


def test_both_norms_are_timed_on_the_same_rows():
    for layer, rms, x in norms_speed.pairs(8, rows=5, compiled=False).values():
        x = torch.as_tensor(x).double()
        centred = x - x.mean(-1, keepdim=True)
        for function, wanted in ((layer, centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt()),
                                 (rms, x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt())):  # fmt: skip
            given = x.float() if function.__qualname__.startswith("in_torch") else x.numpy()
            assert np.asarray(function(given)) == pytest.approx(wanted.numpy(), abs=1e-5)


def test_what_is_timed_in_numpy_checks_no_arguments(monkeypatch):
    def fail(*args, **kwargs):
        pytest.fail("a check was timed")

    for check in ("check_number", "check_squares", "_is_constant"):
        monkeypatch.setattr(functional, check, fail)
    *norms, x = norms_speed.pairs(8, rows=5, compiled=False)["numpy"]
    assert all(norm(x).shape == (5, 8) for norm in norms)


def test_a_measurement_has_a_ratio_for_each_width():
    found = norms_speed.measure(widths=(4, 8), rounds=3, block_rounds=1, rows=2, compiled=False)
    assert [len(one["ratio"]) for one in found["torch"]] == [3, 3] and len(found["block"]["ratio"]) == 3


def test_the_record_is_of_this_measurement():
    recorded = read("norms_speed")
    assert (tuple(recorded["widths"]), recorded["rounds"], recorded["rows"]) == (norms_speed.WIDTHS, norms_speed.ROUNDS, norms_speed.ROWS)


def test_a_gate_costs_no_dials_and_shared_pairs_keep_less():
    dials = {name: modern_blocks.count_parameters(modern_blocks.build_writer(name, 9)) for name in ("gelu", *modern_blocks.CHANGES)}
    assert dials["gelu"] == dials["swiglu"] and dials["swiglu"][0] > dials["two_of_four"][0] > dials["one_of_four"][0]
    assert [modern_blocks.plan(name).kv_heads for name in modern_blocks.BLOCKS] == [4, 4, 2, 1]
    kept = {name: modern_blocks.numbers_kept(modern_blocks.plan(name)) for name in dials}
    assert (
        kept["swiglu"] == kept["window"] == 192 and kept["latent_16"] == kept["one_of_four"] == 48 and kept["latent_40"] == kept["two_of_four"] == 96
    )


def test_every_writer_learns_from_the_same_text():
    ids = np.arange(400) % 9
    losses = [modern_blocks.run_seed(name, ids, ids[:150], 9, seed=0, steps=1) for name in ("gelu", *modern_blocks.CHANGES)]
    assert len(set(losses)) == 1 + len(modern_blocks.CHANGES) and all(0 < loss < 4 for loss in losses)


def test_the_record_of_the_writers_has_the_gate_ahead_for_every_seed():
    recorded = read("modern_blocks")
    assert recorded["steps"] == modern_blocks.STEPS and len(recorded["loss"]["gelu"]) == modern_blocks.SEEDS
    assert (np.array(recorded["loss"]["swiglu"]) < recorded["loss"]["gelu"]).all()
    assert (np.array(recorded["loss"]["swiglu"]) < recorded["loss"]["two_of_four"]).all()


def test_the_record_of_the_caches_is_of_the_same_training():
    recorded, blocks = read("modern_caches"), read("modern_blocks")
    assert tuple(recorded["loss"]) == modern_blocks.CACHES and {len(losses) for losses in recorded["loss"].values()} == {modern_blocks.SEEDS}
    assert all(recorded[key] == blocks[key] for key in ("steps", "length", "sizes"))
