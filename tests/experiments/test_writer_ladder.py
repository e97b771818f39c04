"""The scaling experiment: its text, sizes, resumption and record."""

import json

import numpy as np
import pytest

from pencil.data import reviews
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.writer import ladder, tiny_gpt
from pencil.model import Config


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    """The book's own reviews for the real ones, and rungs that take no time."""
    embedded = reviews.load()
    text = "\n".join(embedded.train.texts)[:4000]
    plan = tiny_gpt.Plan(Config(8, 2, n_layers=1, max_len=6), TrainingConfig(epochs=2, batch_size=4, lr=1e-2, monitor="val_loss"), windows=8)
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(tmp_path))
    monkeypatch.setattr("pencil.data.reviews.load", lambda source: embedded)
    monkeypatch.setattr("pencil.data.text.load", lambda source: text)
    monkeypatch.setattr(ladder, "WIDTHS", {"cpu": (16, 32)})
    monkeypatch.setattr(ladder, "LETTERS_A_WEIGHT", 1)
    monkeypatch.setattr(ladder, "SEALED", 900)
    monkeypatch.setattr(ladder, "LONG", {"cpu": plan})
    monkeypatch.setattr(ladder, "LONG_REVIEWS", {"cpu": plan})
    ladder.review_ids.cache_clear()
    yield
    ladder.review_ids.cache_clear()


def test_the_text_is_the_reviews_without_what_is_no_letter():
    study, sealed = ladder.review_ids(2000)
    assert (len(study), len(sealed)) == (2000, 900) and study.min() >= 0 and study.max() < len(ladder.LETTERS)
    words = "".join(ladder.LETTERS[k] for k in study).split()
    known = set(" ".join(reviews.load("embedded").train.texts).split())
    assert np.mean([word in known for word in words]) > 0.99


@pytest.mark.parametrize("width", [16, 48, 96])
def test_a_rung_reads_so_many_letters_a_weight(width):
    plan = ladder.plan_of(width, 40)
    model = tiny_gpt.build_model(plan.sizes, tiny_gpt.train_tokenizer("ab"))
    weights = sum(p.numel() for p in model.stack.parameters() if p.ndim == 2)
    assert weights == 12 * ladder.LAYERS * width**2 and plan.windows * ladder.LENGTH == pytest.approx(40 * weights, rel=0.01)
    assert plan.windows % plan.training.batch_size == 0 and plan.sizes.d_model // plan.sizes.n_heads == 16


@pytest.mark.slow
def test_what_is_done_is_kept_and_nothing_is_no_record():
    with pytest.raises(ValueError, match="nothing was written; leave out --done"):
        ladder.measure(only_done=True)
    found = ladder.measure()
    json.dumps(found, allow_nan=False)
    assert [one["d_model"] for one in found["rungs"]] == [16, 32] and len(found["ngrams"]["loss"]) == len(ladder.ORDERS)
    assert all(one["loss"] > 0 for one in found["rungs"])
    for long in (found["long"], found["long_reviews"]):
        assert [one["passes"] for one in long["seen"]] == [1, 2] and long["batch"] == 4 and long["sizes"]["d_model"] == 8
        assert 0 < long["seen"][0]["seconds"] < long["seen"][1]["seconds"]
    assert ladder.measure(only_done=True) == found


def test_the_record_has_what_the_chapter_says():
    recorded = read("writer_ladder")
    rungs = recorded["rungs"]
    sizes, losses = ([one[name] for one in rungs] for name in ("n_block_parameters", "loss"))
    assert len(rungs) == 6 and sizes == sorted(sizes) and losses == sorted(losses, reverse=True)
    slope, start = np.polyfit(np.log(sizes[:-1]), np.log(losses[:-1]), 1)
    assert -0.3 < slope < -0.03 and abs(np.exp(start + slope * np.log(sizes[-1])) - losses[-1]) < 0.1


def test_the_recorded_long_run_passes_every_count_of_shakespeare_and_the_reviews_count_better():
    recorded, small = read("writer_ladder"), read("tiny_gpt")
    seen, counted = recorded["long"]["seen"], small["ngram_loss"]
    assert [one["steps"] for one in seen] == [500, 1000, 1500, 2000, 2500] and recorded["long"]["n_parameters"] > 2 * small["n_parameters"]
    sealed, studied, spent = ([one[name] for one in seen] for name in ("loss", "train_loss", "seconds"))
    assert sealed == sorted(sealed, reverse=True) and spent == sorted(spent)
    assert counted["4"] < sealed[0] and sealed[-1] < min(counted.values())
    gaps = [a - b for a, b in zip(sealed, studied, strict=True)]
    assert gaps == sorted(gaps)  # it begins to know by heart
    assert recorded["ngrams"]["loss"]["6"] < recorded["rungs"][-1]["loss"] < recorded["ngrams"]["loss"]["5"]


def test_the_ladder_of_a_gpu_goes_on_where_that_of_the_cpu_ends_and_bends_above_its_line():
    rungs, more = (read(name)["rungs"] for name in ("writer_ladder", "writer_ladder_cuda"))
    losses, apart = {one["d_model"]: one["loss"] for one in rungs}, []
    slope, start = np.polyfit(np.log([one["n_block_parameters"] for one in rungs[:-1]]), np.log([one["loss"] for one in rungs[:-1]]), 1)
    above = {one["d_model"]: one["loss"] - np.exp(start + slope * np.log(one["n_block_parameters"])) for one in more}
    apart = [abs(losses[one["d_model"]] - one["loss"]) for one in more if one["d_model"] in losses]
    assert len(apart) == 4 and 0 < max(apart) < 0.03  # other products, and windows of a longer text
    assert 0.05 < above[96] < above[128] < above[192]


def test_the_long_runs_on_a_gpu_overfit_the_plays_and_not_the_reviews():
    recorded = read("writer_ladder_cuda")
    plays, reviews = ([one["loss"] for one in recorded[name]["seen"]] for name in ("long", "long_reviews"))
    studied = [one["train_loss"] for one in recorded["long"]["seen"]]
    assert studied == sorted(studied, reverse=True) and reviews == sorted(reviews, reverse=True)
    assert np.argmin(plays) == 2 and plays[2:4] == sorted(plays[2:4]) and plays[-1] > plays[2] + 0.2
    assert recorded["rungs"][-1]["loss"] < recorded["ngrams"]["loss"]["6"] < recorded["rungs"][-2]["loss"]


def test_a_device_without_widths_is_refused():
    with pytest.raises(ValueError, match="no widths for the device 'mps'; take cpu"):
        ladder.measure(device="mps")
