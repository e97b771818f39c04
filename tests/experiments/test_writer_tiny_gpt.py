"""The tiny GPT: data, loss, sampling, checkpoints and commands."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import pencil.__main__ as command
from pencil.data.text import load
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import evaluate
from pencil.experiments.writer import recording, tiny_gpt
from pencil.experiments.writer.text_task import TextTask, eval_windows
from pencil.experiments.writer.tiny_gpt import Plan, TinyGPT
from pencil.model import Config, state_arrays
from pencil.reference import probabilities, sample
from pencil.reference.generation import count_ngrams, next_token_probs

TEXT = load()[:6000]
SMALL = Plan(Config(8, 2, n_layers=1, max_len=6), TrainingConfig(epochs=2, batch_size=4, lr=1e-2, monitor="val_loss"), windows=20)


@pytest.fixture(scope="module")
def trained_writer():
    return tiny_gpt.train_writer(TEXT, SMALL)


# ---- the lesson


def test_windows_lie_in_the_text_and_the_exam_scores_the_sealed_end_once():
    task = TextTask(np.arange(50), np.arange(100, 120), 6, windows=30)
    batches = task.batches(3, 1, 8)
    assert [len(batch) for batch in batches] == [8, 8, 8, 6] and all(((batch >= 0) & (batch + 6 < 50)).all() for batch in batches)
    assert all((a == b).all() for a, b in zip(batches, task.batches(3, 1, 8), strict=True))
    assert not np.array_equal(batches[0], task.batches(3, 2, 8)[0]) and not np.array_equal(batches[0], task.batches(4, 1, 8)[0])
    assert len(np.concatenate(TextTask(np.arange(50), np.arange(100, 120), 6).batches(0, 1, 8))) == 50 // 6
    starts, scored = eval_windows(20, 6)
    assert starts.tolist() == [0, 3, 6, 9, 12, 13] and scored.tolist() == [6, 3, 3, 3, 3, 1]
    assert np.concatenate(task.eval_batches(4)).tolist() == list(range(6))


def test_smoothed_labels_share_some_of_the_probability_out_to_all_tokens(trained_writer):
    model, (tokenizer, ids, held_out) = trained_writer[0].model, tiny_gpt.make_splits(TEXT)
    plain, smooth = TextTask(ids, held_out, 6), TextTask(ids, held_out, 6, label_smoothing=0.1)
    starts = np.array([3, 11])
    rows = torch.tensor(np.stack([ids[start : start + 7] for start in starts]).astype(int))
    log_probs = model(rows[:, :-1]).log_softmax(-1)
    aimed = torch.full_like(log_probs, 0.1 / len(tokenizer.pieces)).scatter_add(-1, rows[:, 1:, None], torch.full((2, 6, 1), 0.9))
    assert smooth.loss(model, starts, "cpu").item() == pytest.approx(-(aimed * log_probs).sum().item() / 6, rel=1e-5)
    assert smooth.metrics(model, np.array([0]), "cpu") == plain.metrics(model, np.array([0]), "cpu")
    for wrong, says in ((1.0, "leaves nothing for the token"), (-0.1, "label_smoothing=-0.1")):
        with pytest.raises(ValueError, match=says):
            TextTask(ids, held_out, 6, label_smoothing=wrong)


@pytest.mark.parametrize("n_tokens, length, stride", [(7, 6, None), (20, 6, None), (20, 5, None), (40, 8, 8), (41, 8, 1), (9, 1, None), (50, 7, 2)])
def test_an_exam_scores_each_token_once_with_enough_before_it(n_tokens, length, stride):
    met = []
    for start, count in zip(*eval_windows(n_tokens, length, stride), strict=True):
        met += [(token, token - start) for token in range(start + length + 1 - count, start + length + 1)]
    assert [token for token, _ in met] == list(range(1, n_tokens))
    fewest = length - (stride or max(length // 2, 1)) + 1
    assert all(before >= min(token, fewest) and before <= length for token, before in met)
    assert stride or fewest >= length / 2


@pytest.mark.parametrize("length, stride", [(6, None), (6, 1), (6, 6), (5, None)])
def test_the_exam_is_cross_entropy_of_each_token_alone(trained_writer, length, stride):
    """Every token by itself: the model reads what stands before it in its window, and nothing else."""
    writer, trained = trained_writer
    _, train_ids, test_ids = tiny_gpt.make_splits(TEXT)
    step, losses = stride or length // 2, []
    with torch.no_grad():
        for token in range(1, len(test_ids)):
            start = 0 if token <= length else min(-(-(token - length) // step) * step, len(test_ids) - 1 - length)
            scores = writer.model.eval()(torch.tensor(test_ids[start:token])[None])[0, -1]
            losses.append(F.cross_entropy(scores, torch.tensor(int(test_ids[token]))).item())
    task = TextTask(train_ids, test_ids, length, stride=stride)
    for size in (1, 64):
        assert evaluate(writer.model, task, replace(SMALL.training, batch_size=size))["val_loss"] == pytest.approx(np.mean(losses), abs=1e-5)
    if length == 6 and stride is None:
        assert trained.history[-1]["val_loss"] == pytest.approx(np.mean(losses), abs=1e-5)


@pytest.mark.parametrize("order", [1, 2, 4])
def test_counting_sits_the_same_exam(order):
    """A count reads a few tokens only, so the windows of the machine's exam change nothing for it."""
    tokenizer, train_ids, test_ids = tiny_gpt.make_splits(TEXT)
    counted, losses = count_ngrams(train_ids, order=order, vocab_size=len(tokenizer.pieces)), []
    for start, scored in zip(*eval_windows(len(test_ids), 8), strict=True):
        losses += list(-np.log(next_token_probs(counted, test_ids[start : start + 9]))[9 - scored :])
    assert len(losses) == len(test_ids) - 1 and tiny_gpt.ngram_loss(TEXT, order) == pytest.approx(np.mean(losses), rel=1e-12)


@pytest.mark.parametrize("stride", [-1, 0, 7])
def test_a_stride_that_leaves_tokens_out_is_refused(stride):
    with pytest.raises(ValueError, match=f"stride={stride} and windows of 6 tokens; from 1 to 6"):
        eval_windows(20, 6, stride)


def test_a_text_shorter_than_a_window_is_refused():
    with pytest.raises(ValueError, match="validation has 5 tokens, and a window reads 7"):
        TextTask(np.arange(50), np.arange(5), 6)


# ---- the text


@pytest.mark.parametrize("merges", [0, 30])
def test_the_piles_are_the_text(merges):
    tokenizer, train_ids, test_ids = tiny_gpt.make_splits(TEXT, merges)
    assert tokenizer.decode(train_ids) + tokenizer.decode(test_ids) == TEXT
    assert len(tokenizer.decode(test_ids)) == len(TEXT) // 10 and len(tokenizer.merges) == merges
    again, _, _ = tiny_gpt.make_splits(TEXT[:5400] + TEXT[:600][::-1], merges)
    assert again.merges == tokenizer.merges  # what stands in the sealed end is nobody's to know


def test_more_merges_than_the_text_has_are_refused_before_anything_is_trained(monkeypatch):
    text = "the cat " * 50
    most = len(tiny_gpt.make_splits(text, 10**6)[0].merges)
    monkeypatch.setattr(tiny_gpt, "train", lambda *a, **k: ("nothing", "is trained here"))
    assert len(tiny_gpt.train_writer(text, replace(SMALL, merges=most))[0].tokenizer.merges) == most
    with pytest.raises(ValueError, match=f"merges={most + 1}, and the text has {most} to learn before each of its words is one piece; take no more"):
        tiny_gpt.train_writer(text, replace(SMALL, merges=most + 1))


def test_letters_are_byte_pairs_without_a_join():
    assert tiny_gpt.train_tokenizer("the cat").pieces == tuple(sorted(set("the cat")))


@pytest.mark.parametrize("order, merges", [(1, 0), (2, 0), (3, 0), (2, 20)])
def test_the_loss_of_counting_is_that_of_a_loop(order, merges):
    tokenizer, train_ids, test_ids = (part.tolist() if hasattr(part, "tolist") else part for part in tiny_gpt.make_splits(TEXT[:1500], merges))

    def prob(before, token):
        shorter = prob(before[1:], token) if before else 1 / len(tokenizer.pieces)
        found = [train_ids[i + len(before)] for i in range(len(train_ids) - len(before)) if train_ids[i : i + len(before)] == before]
        return (found.count(token) + len(set(found)) * shorter) / (len(found) + len(set(found))) if found else shorter

    losses = [-math.log(prob(test_ids[max(0, i - order + 1) : i], token)) for i, token in enumerate(test_ids) if i]
    assert tiny_gpt.ngram_loss(TEXT[:1500], order, merges) == pytest.approx(np.mean(losses), rel=1e-12)


# ---- training


def test_a_seed_gives_the_same_writer_and_another_seed_another(trained_writer):
    writer, _ = trained_writer
    same, _ = tiny_gpt.train_writer(TEXT, SMALL)
    other, _ = tiny_gpt.train_writer(TEXT, replace(SMALL, training=replace(SMALL.training, seed=1)))
    assert all(np.array_equal(state_arrays(writer.model)[name], array) for name, array in state_arrays(same.model).items())
    assert not np.array_equal(writer.model.embedding.detach(), other.model.embedding.detach())


@pytest.mark.parametrize("merges", [0, 60])
def test_it_learns_more_than_single_letters(merges):
    plan = Plan(Config(16, 2, n_layers=1, max_len=16), TrainingConfig(epochs=3, batch_size=8, lr=1e-2, monitor="val_loss"), merges, windows=600)
    text = load()[:40_000]
    assert tiny_gpt.train_writer(text, plan)[1].history[-1]["val_loss"] < tiny_gpt.ngram_loss(text, 1, merges) - 0.3


# ---- writing


def without_cache(writer, prompt, count, seed, **how):
    """The same rule, everything worked anew for each token."""
    ids, rng = writer.tokenizer.encode(prompt).tolist(), np.random.default_rng(seed)
    with torch.no_grad():
        for _ in range(count):
            scores = writer.model.eval()(torch.tensor([ids]))[0, -1].double().numpy()
            ids.append(int(sample(probabilities(scores, **how), rng.random())))
    return writer.tokenizer.decode(ids)


@pytest.mark.parametrize("how", [{}, {"temperature": 0.5}, {"top_k": 3}, {"top_p": 0.6}, {"temperature": 2.0, "top_k": 9, "top_p": 0.9}])
def test_the_cache_changes_no_letter(trained_writer, how):
    sizes = replace(SMALL.sizes, max_len=40)
    tokenizer, _, _ = tiny_gpt.make_splits(TEXT)
    writer = TinyGPT(tiny_gpt.build_model(sizes, tokenizer, seed=3), tokenizer)
    assert tiny_gpt.write(writer, "The ", 30, seed=5, **how) == without_cache(writer, "The ", 30, 5, **how)


def test_it_writes_on_when_its_seats_are_taken(trained_writer):
    writer, _ = trained_writer
    text = tiny_gpt.write(writer, "The film was ", 50)
    assert text.startswith("The film was ") and len(text) == 63 and set(text) <= set(TEXT)
    assert tiny_gpt.write(writer, "The film was ", 50) == text != tiny_gpt.write(writer, "The film was ", 50, seed=1)
    assert len(tiny_gpt.write(writer, "a", 20)) == 21


def test_what_cannot_be_written_is_refused(trained_writer):
    writer, _ = trained_writer
    with pytest.raises(ValueError, match="the prompt is empty"):
        tiny_gpt.write(writer, "")
    with pytest.raises(ValueError, match="'§' is none of the"):
        tiny_gpt.write(writer, "§")
    with pytest.raises(ValueError, match="the temperature is 0"):
        tiny_gpt.write(writer, "a", temperature=0)


# ---- the commands


def experiment(*argv):
    return command.main(["experiment", *argv])


SMALLEST = ["tiny-gpt", "--epochs=1", "--d-model=8", "--n-heads=2", "--n-layers=1", "--max-len=6", "--threads=1"]


@pytest.mark.parametrize(
    "option, says",
    [
        (["--n-heads", "4"], "model.config.n_heads=2, and this one has model.config.n_heads=4"),
        (["--d-model", "4"], "model.embedding="),
        (["--max-len", "7"], "model.positions="),
        (["--n-layers", "2"], "model.stack.blocks.1"),
        (["--merges", "5"], "model.embedding="),
        (["--lr", "0.5"], "lr=0.006, and this one has lr=0.5"),
        (["--epochs", "2"], "epochs=1, and this one has epochs=2"),
        (["--seed", "1"], "seed=0, and this one has seed=1"),
    ],
)
def test_another_writer_in_the_same_folder_is_refused(tmp_path, capsys, monkeypatch, option, says):
    monkeypatch.setattr("pencil.data.text._embedded", lambda: TEXT[:600])
    asked = [*SMALLEST, "--folder", str(tmp_path / "state"), "--checkpoint", str(tmp_path / "w.safetensors")]
    assert experiment(*asked) == 0
    kept = {path: path.read_bytes() for path in (tmp_path / "w.safetensors", tmp_path / "state/checkpoint.pt")}
    capsys.readouterr()
    assert experiment(*asked, *option) == 1
    said = capsys.readouterr().err
    assert "comes from a run with" in said and says in said and said.endswith("; take another folder\n") and said.count("\n") == 1
    assert all(path.read_bytes() == content for path, content in kept.items())


def test_teach_and_write_from_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("pencil.data.text._embedded", lambda: TEXT)
    file = str(tmp_path / "w.safetensors")
    asked = [*SMALLEST, "--checkpoint", file]
    assert experiment(*asked, "--folder", str(tmp_path / "state")) == 0
    said = capsys.readouterr().out
    assert "counted in runs of two (bigrams)" in said and "tiny GPT, pass by pass" in said and (tmp_path / "state/checkpoint.pt").is_file()
    assert experiment("write", "--checkpoint", file, "--prompt", "The ", "--count", "30", "--top-k", "5", "--top-p", "0.9") == 0
    written = capsys.readouterr().out
    assert written.startswith("The ") and len(written) == 35
    assert experiment("write", "--checkpoint", file, "--prompt", "The ", "--count", "30", "--top-k", "5", "--top-p", "0.9") == 0
    assert capsys.readouterr().out == written
    assert tiny_gpt.load_writer(file).model.embedding.shape == (len(set(TEXT)), 8)


@pytest.mark.parametrize(
    "argv, says",
    [
        (["tiny-gpt", "--d-model", "9"], "d_model=9 does not split into n_heads=4"),
        (["tiny-gpt", "--device", "abacus"], "device='abacus' is not known"),
        (["write", "--checkpoint", "nowhere.safetensors"], "nowhere.safetensors is not there yet"),
    ],
)
def test_what_makes_no_sense_is_said(argv, says, capsys):
    assert experiment(*argv) == 1
    assert says in capsys.readouterr().err


# ---- the record


@pytest.mark.slow
def test_the_recording_s_function_on_a_small_text(monkeypatch, tmp_path):
    monkeypatch.setattr("pencil.data.text._embedded", lambda: TEXT)
    found = recording.measure(source="embedded", plan=SMALL, checkpoint=tmp_path / "w")
    json.dumps(found, allow_nan=False)
    assert found["steps"] == 10 and len(found["loss"]) == len(found["val_loss"]) == 2 and found["tokens"]["n_test"] == 600
    assert found["ngram_loss"]["2"] == pytest.approx(tiny_gpt.ngram_loss(TEXT, 2)) and len(found["samples"]) == len(recording.SAMPLES)
    assert list(found["counted"]) == ["2", "3", "4", "5", "6"] and all(len(text) == 301 for text in found["counted"].values())
    assert state_arrays(tiny_gpt.load_writer(tmp_path / "w").model)["embedding"].size + 8 * 6 < found["n_parameters"]


def test_what_the_chapter_quotes_is_recorded():
    facts = read("tiny_gpt")
    assert facts["sizes"] == {"d_model": 128, "n_heads": 4, "n_layers": 4, "max_len": 64} and (facts["steps"], facts["batch"]) == (2000, 12)
    assert facts["val_loss"][-1] == min(facts["val_loss"]) < facts["ngram_loss"]["3"] and facts["val_loss"][-1] < 1.88
    assert facts.provenance["data"]["shakespeare"] and facts["tokens"] == {"vocab_size": 65, "n_train": 1003855, "n_test": 111539}


@pytest.mark.slow
def test_the_run_on_the_real_text_agrees_with_the_record(real_data):
    real_data("shakespeare")
    facts = read("tiny_gpt")
    again = recording.measure()
    assert again["ngram_loss"] == facts["ngram_loss"]
    assert again["val_loss"][-1] == pytest.approx(facts["val_loss"][-1], abs=0.03)
