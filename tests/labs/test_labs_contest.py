"""The contest's machines have the source's sizes; reviews are laid out as the page says; the baselines are what scikit-learn has."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from labs_lessons import ROWS, SMALL, machine, sheets

from pencil.data.reviews import Pile, Reviews, load
from pencil.labs import contest
from pencil.labs.reach import reach
from pencil.labs.reader import Reader
from pencil.labs.sheets import Sheets, Slots, encode, split
from pencil.labs.sticks import cosines
from pencil.model import Config
from pencil.reference import average, classify

TEXTS = ("Good, good film!", "a bad film", "the film the good and the bad and more")


def small():
    pile = Pile(TEXTS, np.array([1, 0, 1], dtype=np.int8))
    return Reviews(pile, Pile(("Unheard of: good.",), np.array([1], dtype=np.int8)))


def test_reviews_are_laid_out_by_the_dictionary_of_the_study_pile():
    words, study, sealed = encode(small(), Slots(words=4, slots=5))
    assert words.ranks["good"] < 4 and words.unknown == 5 and "unheard" not in words.ranks
    assert study.ids.tolist()[0] == [words.ranks["good"], words.ranks["good"], words.ranks["film"], 0, 0]
    assert sealed.ids.tolist() == [[5, 5, words.ranks["good"], 0, 0]] and sealed.labels.tolist() == [1]
    _, last, _ = encode(small(), Slots(words=4, slots=5, keep="last"))
    whole = encode(small(), Slots(words=4, slots=9))[1].ids[2]
    assert study.ids[2].tolist() == whole[:5].tolist() and last.ids[2].tolist() == whole[4:].tolist()
    assert (last.ids[:2] == study.ids[:2]).all() and study.lengths.tolist() == [3, 3, 5]
    with pytest.raises(ValueError, match="keep='middle'; say first or last"):
        Slots(keep="middle")


def test_the_study_pile_is_parted_and_nothing_is_in_both_parts():
    pile = Sheets(np.arange(1, 101)[:, None], np.arange(100) % 2)
    learn, choose = split(pile, 0.2, seed=3)
    assert (len(learn), len(choose)) == (80, 20) and sorted([*learn.ids[:, 0], *choose.ids[:, 0]]) == list(range(1, 101))
    assert (learn.ids[:, 0] % 2 != learn.labels).all()
    assert not (split(pile, 0.2, seed=4)[1].ids == choose.ids).all()


@pytest.mark.parametrize(
    "name, dials",
    [
        ("SimpleRNN", 2 * 32 * 32 + 32 + 32 * 20 + 20 + 21),
        ("LSTM", 4 * (2 * 32 * 32 + 32) + 32 * 20 + 20 + 21),
        ("BiLSTM", 8 * (2 * 32 * 32 + 32) + 64 * 20 + 20 + 21),
        ("Transformer", 8416 + 32 * 20 + 20 + 21),  # Keras counts 8,416 for the two heads of 32
        ("Averages", 32 * 20 + 20 + 21),
    ],
)
def test_the_machines_have_the_sizes_of_the_source(name, dials):
    made = contest.machine(name, 10_002)
    assert sum(p.numel() for p in made.parameters() if p.requires_grad) == 10_002 * 32 + dials
    assert made.head.dropout == 0.1 and made.head.layer1.weight.shape[0] == 20
    with pytest.raises(ValueError, match="no machine 'GPT' in the contest; take one of SimpleRNN, LSTM, BiLSTM, Transformer, Averages"):
        contest.machine("GPT", 10)


def test_averages_are_the_reference_s_parts():
    made = machine("Averages", 0.0).double().eval()
    ids = sheets(6).ids
    table = made.table.detach().numpy()
    from pencil.reference import Head

    head = Head(*(array.detach().numpy() for array in made.head.arrays().values()))
    expected = [classify(average(table[row], row != 0), head).item() for row in ids]
    assert made(torch.tensor(ids)).squeeze(-1).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", contest.MACHINES)
def test_masked_padding_changes_no_answer(name):
    made, rows = machine(name).eval(), torch.tensor(sheets(20).ids)
    wide = torch.nn.functional.pad(rows, (0, 5))
    with torch.no_grad():
        assert torch.allclose(made(rows), made(wide), atol=1e-6)
        bare = machine(name, padding=False).eval()
        assert not torch.allclose(bare(rows), bare(wide), atol=1e-4)


def test_the_whole_contest_on_the_book_s_own_reviews():
    reviews = load()
    few = Reviews(*(Pile(pile.texts[:120], pile.labels[:120]) for pile in (reviews.train, reviews.test)))
    piles = contest.piles(few, Slots(words=200, slots=30))
    assert (len(piles.learn), len(piles.choose), len(piles.sealed)) == (96, 24, 120)
    found = contest.hold(piles, training=replace(SMALL, passes=2))
    assert tuple(found) == ("SimpleRNN", "LSTM", "BiLSTM", "Transformer")
    for name, result in found.items():
        assert result.machine == name and len(result.history) == 2 and 0 <= result.last <= 1 and result.chosen in (1, 2)
        assert result.last == result.best or result.chosen == 1
    again, model = contest.enter("LSTM", piles, replace(SMALL, passes=2))
    assert again == found["LSTM"]
    from pencil.labs.reading import answers

    assert (answers(model, piles.sealed) == (piles.sealed.labels > 0)).mean() == again.last


@pytest.mark.parametrize("name", contest.MACHINES)
def test_the_slope_at_a_slot_is_how_far_the_answer_moves(name):
    made = machine(name, 0.0).double().eval()
    ids = np.array([[3, 7, 3, 9]], dtype=np.int32)
    found = reach(made, ids)
    own = torch.cat([made.table.detach()[:1], made.table.detach()[torch.tensor(ids[0])]])  # a locker for each slot
    made.table = torch.nn.Parameter(own)
    slots, step = torch.arange(1, 5)[None], 1e-6
    for slot in range(4):
        slope = np.zeros(own.shape[1])
        for number in range(own.shape[1]):
            ends = []
            for side in (1, -1):
                with torch.no_grad():
                    made.table[slot + 1, number] += side * step
                    ends.append(made.logit(slots).item())
                    made.table[slot + 1, number] -= side * step
            slope[number] = (ends[0] - ends[1]) / (2 * step)
        assert found[slot] == pytest.approx(np.linalg.norm(slope), rel=1e-5, abs=1e-9)
    with pytest.raises(ValueError, match="hand in full rows only"):
        reach(made, np.array([[1, 0]]))


def test_a_machine_keeps_its_table_when_the_slope_cannot_be_worked(monkeypatch):
    made = machine("Averages", 0.0)
    table = made.table
    monkeypatch.setattr(torch.autograd, "grad", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        reach(made, np.array([[3, 7]], dtype=np.int32))
    assert made.table is table


def test_the_angle_of_two_sticks():
    words = encode(small(), Slots(words=6, slots=5))[0]
    table = np.zeros((words.rows, 2))
    table[words.ranks["good"]], table[words.ranks["bad"]] = (1, 0), (1, 1)
    assert cosines(table, words, (("good", "bad"), ("good", "unheard"))) == {"good bad": pytest.approx(0.5**0.5)}


def test_a_covered_word_is_not_looked_at_and_one_always_stays():
    made = Reader(Config(d_model=8, n_heads=2, rows=ROWS, hidden=4), cover=0.999)
    ids = torch.tensor(sheets(4).ids)
    torch.manual_seed(0)
    covered = made.train().logit(ids)  # all but the first word, as good as always
    assert torch.allclose(covered, made.eval().logit(ids[:, :1]), atol=1e-6)
    with pytest.raises(ValueError, match=r"cover=1.0; a share of the words"):
        Reader(Config(d_model=8, rows=ROWS), cover=1.0)
