"""Length extrapolation: losses by position, interpolated positions, and the record."""

from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from pencil.data.text import load
from pencil.experiments.records import read
from pencil.experiments.training.loop import train
from pencil.experiments.writer import longer_texts
from pencil.experiments.writer.longer_texts import INTERPOLATED, READ, TRAINED, YARN, build_writer, with_encoding
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import make_splits

TOKENIZER, TRAIN, TEST = make_splits(load()[:12000])
VOCAB = len(TOKENIZER.pieces)


def test_the_loss_by_position_is_that_of_a_loop():
    writer, sums = build_writer("alibi", VOCAB), np.zeros(8)
    starts = range(0, len(TEST) - 8, 8)
    with torch.no_grad():
        for start in starts:
            logits = writer.eval()(torch.tensor(TEST[start : start + 8])[None])[0]
            sums += [F.cross_entropy(logits[i], torch.tensor(int(TEST[start + 1 + i]))).item() for i in range(8)]
    assert loss_by_position(writer, TEST, 8) == pytest.approx(sums / len(starts), abs=1e-5)


def test_divided_positions_turn_a_query_and_a_key_as_the_gap_divided_by_four_would():
    writer = build_writer("rotary", VOCAB)
    query = torch.randn(1, 1, READ, 16)
    plain, divided = (one.stack.blocks[0].attention.position_encoding.rotate for one in (writer, with_encoding(writer, INTERPOLATED)))
    quiet = lambda name, value: value  # noqa: E731
    with torch.no_grad():
        whole = torch.einsum("...d,...d->...", *(rows[0, 0, at] for rows, at in zip(plain(query, query, quiet), (30, 10), strict=True)))
        moved = query.clone()
        moved[0, 0, 120], moved[0, 0, 40] = query[0, 0, 30], query[0, 0, 10]
        stretched = torch.einsum("...d,...d->...", *(rows[0, 0, at] for rows, at in zip(divided(moved, moved, quiet), (120, 40), strict=True)))
    assert stretched.item() == pytest.approx(whole.item(), abs=1e-4)


def test_training_reaches_the_first_rows_of_the_table_alone():
    writer = build_writer("learned", VOCAB)
    before = writer.positions.detach().clone()
    task = TextTask(TRAIN, TEST, TRAINED, windows=32)
    config = replace(longer_texts.TRAINING, weight_decay=0.0, warmup_steps=0)
    train(writer, task, config)
    moved = (writer.positions - before).abs().sum(-1)
    assert (moved[:TRAINED] > 0).all() and (moved[TRAINED:] == 0).all()


def test_new_sines_are_as_large_as_new_words():
    writer = build_writer("sinusoidal", VOCAB)
    assert writer.positions.square().mean().item() == pytest.approx(writer.embedding.square().mean().item(), rel=1e-4)
    assert not writer.positions.requires_grad


def test_yarn_keeps_the_pair_that_turns_often_and_slows_the_ones_that_never_came_round():
    slower, pairs = YARN.stretch(16), np.arange(8)
    turns = TRAINED / (2 * np.pi * 10_000 ** (pairs / 8))  # in a text of training, by each pair
    assert slower[0] == 1 and (slower[turns < 1] == READ / TRAINED).all() and (np.diff(slower) >= 0).all()


def test_the_writer_whose_last_block_has_no_positions_rotates_in_its_first_alone():
    blocks = build_writer("last_without", VOCAB).stack.blocks
    assert [block.attention.position_encoding is not None for block in blocks] == [True, False]


@pytest.mark.slow
def test_a_measurement_has_a_row_for_each_seed_and_a_figure_for_each_stretch():
    found = longer_texts.measure(seeds=1, steps=2, tuning_steps=1, source="embedded")
    names = [*longer_texts.ENCODINGS, "interpolated", "rotary_tuned", "interpolated_tuned"]
    assert list(found["loss"]) == names and all(np.shape(rows) == (1, READ // found["bin"]) for rows in found["loss"].values())


def test_the_record_is_of_this_measurement():
    recorded = read("longer_texts")
    assert (recorded["trained"], recorded["read"], recorded["steps"]) == (TRAINED, READ, longer_texts.STEPS)
    assert {np.shape(rows) for rows in recorded["loss"].values()} == {(longer_texts.SEEDS, READ // longer_texts.BIN)}


def test_both_records_have_the_same_rotary_model():
    runs = [run for run in read("longer_rotary")["runs"] if "rotary" in run["loss"]]
    assert [run["seed"] for run in runs] == [0, 1, 2]
    assert [run["loss"]["rotary"] for run in runs] == [pytest.approx(read("longer_texts")["loss"]["rotary"][seed], abs=1e-5) for seed in range(3)]


def test_the_rotary_models_start_from_the_one_of_the_other_record():
    loss = {}
    for name in longer_texts.ROTARY:
        loss |= longer_texts.run_rotary(name, TRAIN, TEST, VOCAB, 0, steps=2)["loss"]
    again = longer_texts.run_seed(TRAIN, TEST, VOCAB, 0, steps=2, tuning_steps=1)["rotary"]
    assert sorted(loss) == sorted([*longer_texts.ROTARY, "yarn"])
    assert loss["rotary"] == pytest.approx(again.reshape(-1, longer_texts.BIN).mean(1), abs=1e-9)
    assert all(not np.allclose(row, loss["rotary"], atol=1e-6) for name, row in loss.items() if name != "rotary")


def test_a_run_that_is_done_is_not_measured_again(tmp_path, monkeypatch):
    monkeypatch.setattr("pencil.data.text.load", lambda source: load()[:12000])
    (tmp_path / "rotary-0.json").write_text('{"seed": 0, "loss": {"rotary": [1]}}')
    found = longer_texts.measure_rotary(folder=tmp_path, seeds=1, steps=1)
    assert [list(run["loss"]) for run in found["runs"]] == [["rotary"], ["base_500000"], ["last_without"]]
    assert found["runs"][0]["loss"] == {"rotary": [1]} and found["runs"][1]["commit"]
