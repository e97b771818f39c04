"""The reader of words and pairs: against plain loops over the reference's parts; and the search on the book's own reviews."""

import json

import numpy as np
import pytest
import torch
from labs_lessons import ROWS, sheets

from pencil.data.reviews import Pile, Reviews, load
from pencil.labs import winning
from pencil.labs.contest import piles
from pencil.labs.pair_reader import LOOKS, PairReader, PairSticks
from pencil.labs.sheets import Slots
from pencil.labs.sparse import known_pairs, pair_keys
from pencil.labs.training import Training
from pencil.labs.winning import Trial
from pencil.model import Config
from pencil.reference import Head, average, classify

SIZES = Config(d_model=8, n_heads=2, rows=ROWS, hidden=4)


def made(look="none", least=2, **options):
    torch.manual_seed(0)
    return PairReader(SIZES, known_pairs(sheets().ids, ROWS, least), look, **options).double().eval()


def test_pairs_are_known_by_how_often_they_stand_side_by_side():
    ids = np.array([[1, 2, 3, 0], [1, 2, 0, 0], [2, 3, 1, 2]])
    assert pair_keys(ids, 10).tolist() == [[12, 23, 0], [12, 0, 0], [23, 31, 12]]
    assert known_pairs(ids, 10, least=2).tolist() == [12, 23] and known_pairs(ids, 10, least=3).tolist() == [12]


def test_the_second_word_of_a_known_pair_wears_its_stick():
    sticks = PairSticks(np.array([12, 23]), 10, 4)
    found = sticks(torch.tensor([[1, 2, 3, 0], [3, 2, 3, 9]]))
    none = torch.zeros(4)
    for row, expected in zip(found, ([none, sticks.table[0], sticks.table[1], none], [none, none, sticks.table[1], none]), strict=True):
        assert torch.equal(row, torch.stack(expected))
    with pytest.raises(ValueError, match="no pair is known; ask for pairs that stand there less often"):
        PairSticks(np.array([], dtype=np.int64), 10, 4)


def test_without_a_look_it_is_the_reference_s_average_of_words_and_pairs():
    model = made()
    table, pairs, known = model.table.detach().numpy(), model.pairs.table.detach().numpy(), model.pairs.known.tolist()
    head = Head(*(array.detach().numpy() for array in model.head.arrays().values()))
    ids = sheets(6).ids
    expected = []
    for row in ids:
        sticks = table[row].copy()
        for slot in range(1, len(row)):
            key = int(row[slot - 1]) * ROWS + int(row[slot])
            if key in known:
                sticks[slot] += pairs[known.index(key)]
        expected.append(classify(average(sticks, row != 0), head).item())
    assert model(torch.tensor(ids)).squeeze(-1).tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("look", LOOKS)
def test_padding_changes_no_answer_and_pairs_do(look):
    model, ids = made(look), torch.tensor(sheets(20).ids)
    with torch.no_grad():
        said = model(ids)
        assert torch.allclose(said, model(torch.nn.functional.pad(ids, (0, 5))), atol=1e-12)
        model.pairs.table.zero_()
        assert not torch.allclose(said, model(ids), atol=1e-6)
    assert {name.split(".")[0] for name in model.arrays()} == {"table", "pairs", "head"} | ({"block1"} if look != "none" else set())
    assert sum(view.numel() for view in model.arrays().values()) == sum(dial.numel() for dial in model.parameters())


@pytest.mark.parametrize("look", LOOKS)
def test_silent_blocks_add_nothing_until_they_have_learned(look):
    """The words' stream ends in no norm, so at first the machine says what its averages say; each grid that writes has a slope."""
    model, plain, ids = made(look, silent=True), made(), torch.tensor(sheets(20).ids)
    plain.load_state_dict({name: value for name, value in model.state_dict().items() if not name.startswith("stack")})
    assert torch.allclose(model(ids), plain(ids), atol=1e-12)
    model.logit(ids).sum().backward()
    for block in model.stack.blocks if look != "none" else ():
        for grid in (block.attention.output, block.feed_forward.narrow, *([block.cross.output] if block.cross else [])):
            assert not grid.weight.any() and grid.weight.grad.abs().max() > 0
    if look != "none":
        assert not torch.allclose(made(look)(ids), plain(ids), atol=1e-6)


def test_a_look_that_is_not_known_is_answered_with_those_that_are():
    with pytest.raises(ValueError, match="look='far' is not known; take none, words, summary"):
        PairReader(SIZES, look="far")


def test_the_search_marks_every_trial_and_sits_one_exam(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCIL_LABS", str(tmp_path))
    reviews = load()
    few = Reviews(*(Pile(pile.texts[:120], pile.labels[:120]) for pile in (reviews.train, reviews.test)))
    monkeypatch.setattr(winning, "_piles", lambda source, slots: piles(few, slots))
    short = {"slots": Slots(words=200, slots=30), "training": Training(passes=2, rate=0.01)}
    trials = (Trial("plain", **short), Trial("asks", look="summary", **short), Trial("words only", least=None, **short))
    record = winning.measure(threads=torch.get_num_threads(), source="few", trials=trials)
    assert [trial["setting"]["name"] for trial in record["trials"]] == ["plain", "asks", "words only"]
    for trial in record["trials"]:
        assert len(trial["accuracy"]) == 2 and np.argmax(trial["accuracy"]) + 1 == trial["chosen"] and trial["seconds"] > 0
        assert "sealed" not in trial
    tops = {trial["setting"]["name"]: max(trial["accuracy"]) for trial in record["trials"]}
    assert record["exam"]["trial"] == max(tops, key=tops.get) and 0 < record["exam"]["sealed"] < 1
    assert len(list(tmp_path.rglob("exam-*.json"))) == 1
    json.dumps(record)
    monkeypatch.setattr(winning, "exam", lambda *given: pytest.fail("the sealed pile is opened once"))
    assert winning.measure(threads=torch.get_num_threads(), source="few", trials=trials) == record


def test_the_exam_s_machine_learns_from_the_whole_study_pile(monkeypatch):
    reviews, seen = load(), []
    few = piles(Reviews(*(Pile(pile.texts[:100], pile.labels[:100]) for pile in (reviews.train, reviews.test))), Slots(words=100, slots=20))
    monkeypatch.setattr(winning, "_taught", lambda model, lesson, *rest: seen.append(lesson.study) or (None, {}))
    winning.exam(Trial("plain"), few, passes=1)
    assert sorted(map(tuple, seen[0].ids)) == sorted(map(tuple, np.concatenate([few.learn.ids, few.choose.ids]))) and len(few.learn) == 80
