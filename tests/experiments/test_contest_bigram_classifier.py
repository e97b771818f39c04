"""The classifier of words and bigrams against plain loops over the reference; the search on the embedded reviews."""

import json

import numpy as np
import pytest
import torch
from small_tasks import ROWS, encoded_reviews

from pencil.data.reviews import Reviews, Split, load
from pencil.experiments.contest import hyperparameter_search
from pencil.experiments.contest.bigram_classifier import ATTENTION, BigramClassifier, BigramEmbedding
from pencil.experiments.contest.bigrams import bigram_keys, frequent_bigrams
from pencil.experiments.contest.encoding import EncodingConfig
from pencil.experiments.contest.entrants import make_splits
from pencil.experiments.contest.hyperparameter_search import Trial
from pencil.experiments.training.config import TrainingConfig
from pencil.model import Config
from pencil.reference import MLPParams, mean_pool, mlp_head

SIZES = Config(d_model=8, n_heads=2, vocab_size=ROWS, head_hidden_size=4)


def build(attention="none", min_count=2, **options):
    torch.manual_seed(0)
    return BigramClassifier(SIZES, frequent_bigrams(encoded_reviews().ids, ROWS, min_count), attention, **options).double().eval()


def test_pairs_are_known_by_how_often_they_stand_side_by_side():
    ids = np.array([[1, 2, 3, 0], [1, 2, 0, 0], [2, 3, 1, 2]])
    assert bigram_keys(ids, 10).tolist() == [[12, 23, 0], [12, 0, 0], [23, 31, 12]]
    assert frequent_bigrams(ids, 10, min_count=2).tolist() == [12, 23] and frequent_bigrams(ids, 10, min_count=3).tolist() == [12]


def test_the_second_word_of_a_known_pair_wears_its_stick():
    vectors = BigramEmbedding(np.array([12, 23]), 10, 4)
    found = vectors(torch.tensor([[1, 2, 3, 0], [3, 2, 3, 9]]))
    none = torch.zeros(4)
    for row, expected in zip(
        found, ([none, vectors.embedding[0], vectors.embedding[1], none], [none, none, vectors.embedding[1], none]), strict=True
    ):
        assert torch.equal(row, torch.stack(expected))
    with pytest.raises(ValueError, match="no bigram is known; ask for rarer ones too"):
        BigramEmbedding(np.array([], dtype=np.int64), 10, 4)


def test_without_a_look_it_is_the_reference_s_average_of_words_and_pairs():
    model = build()
    embedding, bigrams, known = model.embedding.detach().numpy(), model.bigrams.embedding.detach().numpy(), model.bigrams.known.tolist()
    head = MLPParams(*(array.detach().numpy() for array in model.head.arrays().values()))
    ids = encoded_reviews(6).ids
    expected = []
    for row in ids:
        vectors = embedding[row].copy()
        for slot in range(1, len(row)):
            key = int(row[slot - 1]) * ROWS + int(row[slot])
            if key in known:
                vectors[slot] += bigrams[known.index(key)]
        expected.append(mlp_head(mean_pool(vectors, mask=row != 0), head).item())
    assert model(torch.tensor(ids)).squeeze(-1).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("attention", ATTENTION)
def test_padding_changes_no_answer_and_pairs_do(attention):
    model, ids = build(attention), torch.tensor(encoded_reviews(20).ids)
    with torch.no_grad():
        said = model(ids)
        assert torch.allclose(said, model(torch.nn.functional.pad(ids, (0, 5))), atol=1e-12)
        model.bigrams.embedding.zero_()
        assert not torch.allclose(said, model(ids), atol=1e-6)
    assert {name.split(".")[0] for name in model.arrays()} == {"embedding", "bigrams", "head"} | ({"block1"} if attention != "none" else set())
    assert sum(view.numel() for view in model.arrays().values()) == sum(p.numel() for p in model.parameters())


@pytest.mark.parametrize("attention", ATTENTION)
def test_silent_blocks_add_nothing_until_they_have_learned(attention):
    """The words' stream ends in no norm, so at first the machine says what its averages say; each grid that writes has a slope."""
    model, plain, ids = build(attention, zero_init=True), build(), torch.tensor(encoded_reviews(20).ids)
    plain.load_state_dict({name: value for name, value in model.state_dict().items() if not name.startswith("stack")})
    assert torch.allclose(model(ids), plain(ids), atol=1e-12)
    model.logit(ids).sum().backward()
    for block in model.stack.blocks if attention != "none" else ():
        for matrix in (block.attention.output, block.feed_forward.down, *([block.cross.output] if block.cross else [])):
            assert not matrix.weight.any() and matrix.weight.grad.abs().max() > 0
    if attention != "none":
        assert not torch.allclose(build(attention)(ids), plain(ids), atol=1e-6)


def test_a_look_that_is_not_known_is_answered_with_those_that_are():
    with pytest.raises(ValueError, match="attention='far' is not known; take none, words, summary"):
        BigramClassifier(SIZES, attention="far")


def test_the_search_marks_every_trial_and_sits_one_exam(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_EXPERIMENTS", str(tmp_path))
    reviews = load()
    few = Reviews(*(Split(pile.texts[:120], pile.labels[:120]) for pile in (reviews.train, reviews.test)))
    monkeypatch.setattr(hyperparameter_search, "_splits", lambda source, encoding: make_splits(few, encoding))
    short = {"encoding": EncodingConfig(vocab_size=200, max_len=30), "training": TrainingConfig(epochs=2, lr=0.01)}
    trials = (Trial("plain", **short), Trial("asks", attention="summary", **short), Trial("words only", min_count=None, **short))
    record = hyperparameter_search.measure(threads=torch.get_num_threads(), source="few", trials=trials)
    assert [trial["setting"]["name"] for trial in record["trials"]] == ["plain", "asks", "words only"]
    for trial in record["trials"]:
        assert len(trial["accuracy"]) == 2 and np.argmax(trial["accuracy"]) + 1 == trial["best_epoch"] and trial["seconds"] > 0
        assert "test_accuracy" not in trial
    tops = {trial["setting"]["name"]: max(trial["accuracy"]) for trial in record["trials"]}
    assert record["test"]["trial"] == max(tops, key=tops.get) and 0 < record["test"]["test_accuracy"] < 1
    assert len(list(tmp_path.rglob("test-*.json"))) == 1
    json.dumps(record)
    monkeypatch.setattr(hyperparameter_search, "run_test", lambda *given: pytest.fail("the sealed pile is opened once"))
    assert hyperparameter_search.measure(threads=torch.get_num_threads(), source="few", trials=trials) == record


def test_the_exam_s_machine_learns_from_the_whole_study_pile(monkeypatch):
    reviews, seen = load(), []
    few = make_splits(
        Reviews(*(Split(pile.texts[:100], pile.labels[:100]) for pile in (reviews.train, reviews.test))), EncodingConfig(vocab_size=100, max_len=20)
    )
    monkeypatch.setattr(hyperparameter_search, "_train", lambda model, task, *rest: seen.append(task.train) or (None, {}))
    hyperparameter_search.run_test(Trial("plain"), few, epochs=1)
    assert sorted(map(tuple, seen[0].ids)) == sorted(map(tuple, np.concatenate([few.train.ids, few.validation.ids]))) and len(few.train) == 80
