"""The contest's models have the source's sizes, reviews are encoded as the page says, and baselines agree with scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from small_tasks import SMALL, build, encoded_reviews

from pencil.data.reviews import Reviews, Split, load
from pencil.experiments.contest import entrants
from pencil.experiments.contest.encoding import Encoded, EncodingConfig, encode, hold_out
from pencil.experiments.contest.saliency import gradient_norms
from pencil.experiments.contest.word_cosines import cosines
from pencil.reference import mean_pool, mlp_head

TEXTS = ("Good, good film!", "a bad film", "the film the good and the bad and more")


def small():
    pile = Split(TEXTS, np.array([1, 0, 1], dtype=np.int8))
    return Reviews(pile, Split(("Unheard of: good.",), np.array([1], dtype=np.int8)))


def test_reviews_are_laid_out_by_the_dictionary_of_the_study_pile():
    vocabulary, study, test = encode(small(), EncodingConfig(vocab_size=4, max_len=5))
    assert vocabulary.ranks["good"] < 4 and vocabulary.unknown == 5 and "unheard" not in vocabulary.ranks
    assert study.ids.tolist()[0] == [vocabulary.ranks["good"], vocabulary.ranks["good"], vocabulary.ranks["film"], 0, 0]
    assert test.ids.tolist() == [[5, 5, vocabulary.ranks["good"], 0, 0]] and test.labels.tolist() == [1]
    _, last, _ = encode(small(), EncodingConfig(vocab_size=4, max_len=5, keep="last"))
    whole = encode(small(), EncodingConfig(vocab_size=4, max_len=9))[1].ids[2]
    assert study.ids[2].tolist() == whole[:5].tolist() and last.ids[2].tolist() == whole[4:].tolist()
    assert (last.ids[:2] == study.ids[:2]).all() and study.lengths.tolist() == [3, 3, 5]
    with pytest.raises(ValueError, match="keep='middle'; say first or last"):
        EncodingConfig(keep="middle")


def test_the_study_pile_is_parted_and_nothing_is_in_both_parts():
    pile = Encoded(np.arange(1, 101)[:, None], np.arange(100) % 2)
    train, validation = hold_out(pile, 0.2, seed=3)
    assert (len(train), len(validation)) == (80, 20) and sorted([*train.ids[:, 0], *validation.ids[:, 0]]) == list(range(1, 101))
    assert (train.ids[:, 0] % 2 != train.labels).all()
    assert not (hold_out(pile, 0.2, seed=4)[1].ids == validation.ids).all()


@pytest.mark.parametrize(
    "name, params",
    [
        ("SimpleRNN", 2 * 32 * 32 + 32 + 32 * 20 + 20 + 21),
        ("LSTM", 4 * (2 * 32 * 32 + 32) + 32 * 20 + 20 + 21),
        ("BiLSTM", 8 * (2 * 32 * 32 + 32) + 64 * 20 + 20 + 21),
        ("Transformer", 8416 + 32 * 20 + 20 + 21),  # Keras counts 8,416 for the two heads of 32
        ("Averages", 32 * 20 + 20 + 21),
    ],
)
def test_the_machines_have_the_sizes_of_the_source(name, params):
    model = entrants.build_model(name, 10_002)
    assert sum(p.numel() for p in model.parameters() if p.requires_grad) == 10_002 * 32 + params
    assert model.head.dropout == 0.1 and model.head.layer1.weight.shape[0] == 20
    with pytest.raises(ValueError, match="no model 'GPT' in this experiment; take one of SimpleRNN, LSTM, BiLSTM, Transformer, Averages"):
        entrants.build_model("GPT", 10)


def test_averages_are_the_reference_s_parts():
    model = build("Averages", 0.0).double().eval()
    ids = encoded_reviews(6).ids
    table = model.embedding.detach().numpy()
    from pencil.reference import MLPParams

    head = MLPParams(*(array.detach().numpy() for array in model.head.arrays().values()))
    expected = [mlp_head(mean_pool(table[row], mask=row != 0), head).item() for row in ids]
    assert model(torch.tensor(ids)).squeeze(-1).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", entrants.MODELS)
def test_masked_padding_changes_no_answer(name):
    model, rows = build(name).eval(), torch.tensor(encoded_reviews(20).ids)
    wide = torch.nn.functional.pad(rows, (0, 5))
    with torch.no_grad():
        assert torch.allclose(model(rows), model(wide), atol=1e-6)
        bare = build(name, padding=False).eval()
        assert not torch.allclose(bare(rows), bare(wide), atol=1e-4)


def test_the_whole_contest_on_the_book_s_own_reviews():
    reviews = load()
    few = Reviews(*(Split(pile.texts[:120], pile.labels[:120]) for pile in (reviews.train, reviews.test)))
    splits = entrants.make_splits(few, EncodingConfig(vocab_size=200, max_len=30))
    assert (len(splits.train), len(splits.validation), len(splits.test)) == (96, 24, 120)
    found = {name: entrants.run_model(name, splits, replace(SMALL, epochs=2))[0] for name in entrants.FOUR}
    for name, result in found.items():
        assert result.model == name and len(result.history) == 2 and 0 <= result.last <= 1 and result.best_epoch in (1, 2)
        assert result.last == result.best or result.best_epoch == 1
    again, model = entrants.run_model("LSTM", splits, replace(SMALL, epochs=2))
    assert again == found["LSTM"]
    from pencil.experiments.contest.reviews_task import predict

    assert (predict(model, splits.test) == (splits.test.labels > 0)).mean() == again.last


@pytest.mark.parametrize("name", entrants.MODELS)
def test_the_slope_at_a_slot_is_how_far_the_answer_moves(name):
    model = build(name, 0.0).double().eval()
    ids = np.array([[3, 7, 3, 9]], dtype=np.int32)
    found = gradient_norms(model, ids)
    own = torch.cat([model.embedding.detach()[:1], model.embedding.detach()[torch.tensor(ids[0])]])  # a locker for each slot
    model.embedding = torch.nn.Parameter(own)
    slots, step = torch.arange(1, 5)[None], 1e-6
    for position in range(4):
        norm_of = np.zeros(own.shape[1])
        for number in range(own.shape[1]):
            ends = []
            for side in (1, -1):
                with torch.no_grad():
                    model.embedding[position + 1, number] += side * step
                    ends.append(model.logit(slots).item())
                    model.embedding[position + 1, number] -= side * step
            norm_of[number] = (ends[0] - ends[1]) / (2 * step)
        assert found[position] == pytest.approx(np.linalg.norm(norm_of), rel=1e-5, abs=1e-9)
    with pytest.raises(ValueError, match="hand in full rows only"):
        gradient_norms(model, np.array([[1, 0]]))


def test_a_machine_keeps_its_table_when_the_slope_cannot_be_worked(monkeypatch):
    model = build("Averages", 0.0)
    table = model.embedding
    monkeypatch.setattr(torch.autograd, "grad", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        gradient_norms(model, np.array([[3, 7]], dtype=np.int32))
    assert model.embedding is table


def test_the_angle_of_two_sticks():
    vocabulary = encode(small(), EncodingConfig(vocab_size=6, max_len=5))[0]
    table = np.zeros((vocabulary.num_embeddings, 2))
    table[vocabulary.ranks["good"]], table[vocabulary.ranks["bad"]] = (1, 0), (1, 1)
    assert cosines(table, vocabulary, (("good", "bad"), ("good", "unheard"))) == {"good bad": pytest.approx(0.5**0.5)}
