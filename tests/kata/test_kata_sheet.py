"""Sheets: the page deals, marks, writes and prints what Python does; the wrong turns are told apart."""

import os
from collections import Counter

import numpy as np
import pytest
from test_kata_parity import ask

from pencil.kata import Sheet, mark
from pencil.kata.deal import deal
from pencil.kata.paper import body, document
from pencil.kata.sheet import page_data
from pencil.kata.topics import TOPICS
from pencil.kata.wrong_turns import WRONG_TURNS
from pencil.rounding import show

SEEDS = {"softmax": 120, "layernorm": 120, "attention": 80, "lstm": 40, "block": 4}
MANY = int(os.environ.get("PENCIL_SHEETS", 0))


def same_sheets(tmp_path, topic, seeds):
    questions = [{"ask": "topic", "data": page_data(topic)}, *({"ask": "deal", "topic": topic, "seed": seed} for seed in seeds)]
    for seed, there in zip(seeds, ask(tmp_path, questions)[1:], strict=True):
        here = deal(topic, seed)
        assert [here.names[name].exact.ravel().tolist() for name in TOPICS[topic].givens] == there, (topic, seed)


@pytest.mark.parametrize("topic", TOPICS)
def test_python_and_the_page_deal_alike(tmp_path, topic):
    same_sheets(tmp_path, topic, [*range(SEEDS[topic]), 2**32 - 1, 123456789])


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["softmax", "layernorm", "attention", "lstm"])
def test_they_deal_alike_for_many_seeds(tmp_path, topic):
    same_sheets(tmp_path, topic, range(MANY or 1000))


@pytest.mark.parametrize("topic", TOPICS)
def test_python_and_the_page_print_alike(tmp_path, topic):
    sheet = Sheet(topic, 11)
    _, there = ask(tmp_path, [{"ask": "topic", "data": page_data(topic)}, {"ask": "paper", "topic": topic, "seed": 11}])
    assert there == body(sheet)


@pytest.mark.parametrize("topic", TOPICS)
def test_the_page_has_every_wrong_turn_of_a_sheet_whatever_the_seed(topic):
    there = {(entry["key"], key) for entry in page_data(topic)["asks"] for key, _, _ in entry["wrong"]}
    for seed in range(30 if topic != "block" else 3):
        sheet = Sheet(topic, seed)
        assert {(asked, key) for asked in sheet.asks for key in sheet.exercise(asked).wrong} <= there


def test_a_sheet_asks_and_knows_its_answers():
    sheet = Sheet("attention", 7)
    assert len(sheet.asks) == 15 and sheet.label("nolan.query") == "nolan.WANT" and sheet.count("summary") == 4
    for asked in sheet.asks:
        exercise = sheet.exercise(asked)
        assert mark(exercise, " ".join(map(show, exercise.right.paper))).right
        assert sheet.key(asked)[-1].startswith(sheet.label(asked))
    assert "nolan.WANT = ____" in repr(sheet) and 'data-topic="attention" data-seed="7"' in sheet._repr_html_()
    assert "\nstick:\n  nolan  [−1, 2, −1, −2]\n" in repr(sheet)


def test_the_key_stands_on_its_own_page_and_not_in_the_task():
    sheet = Sheet("softmax", 7)
    task, key = document(sheet, "letter").split('<section class="key">')
    assert "size: letter" in task and "break-before: page" in task
    for asked in sheet.asks:
        assert sheet.key(asked)[-1] in key.replace("&amp;", "&") and sheet.key(asked)[-1] not in task
    with pytest.raises(ValueError, match="there is no paper 'a5'; take one of a4, letter"):
        document(sheet, "a5")


def told_apart(topic, seeds):
    """Of each wrong turn of each word's value: how often it can be taken, and how often no other answer is the same."""
    there, apart = Counter(), Counter()
    for seed in seeds:
        sheet = Sheet(topic, seed)
        for asked in sheet.asks:
            exercise = sheet.exercise(asked)
            for key, (numbers, _) in exercise.wrong.items():
                there[asked, key] += 1
                typed = list(numbers.exact)
                apart[asked, key] += mark(exercise, typed).wrong == key and not any(
                    other.is_meant(as_typed(typed)) for name, (other, _) in exercise.wrong.items() if name != key
                )
    return there, apart


def as_typed(numbers):
    from pencil.kata import read

    return read(numbers)


def of_all_words(counts):
    """The same for each value, whosever it is."""
    total = Counter()
    for (asked, key), n in counts.items():
        total[asked.split(".", 1)[-1], key] += n
    return total


def share_apart(there, apart):
    return sum(apart.values()) / sum(there.values())


@pytest.mark.parametrize("topic", ["softmax", "layernorm", "attention", "lstm"])
def test_wrong_turns_are_told_apart_on_most_sheets(topic):
    there, apart = told_apart(topic, range(40))
    assert there and share_apart(there, apart) >= 0.95, {pair: (apart[pair], n) for pair, n in there.items() if apart[pair] < n}


@pytest.mark.slow
@pytest.mark.parametrize("topic, count", [("softmax", 4_000), ("layernorm", 3_000), ("attention", 1_000), ("lstm", 1_000), ("block", 150)])
def test_wrong_turns_are_told_apart_on_nearly_all(topic, count, record_property):
    there, apart = told_apart(topic, range(MANY or count))
    assert all(apart[pair] >= 0.9 * n for pair, n in there.items()), {pair: (apart[pair], n) for pair, n in there.items() if apart[pair] < n}
    there, apart = of_all_words(there), of_all_words(apart)
    for (value, key), n in there.items():
        record_property(f"{topic} {value} {key}", f"{apart[value, key]} of {n}")
        assert apart[value, key] >= 0.95 * n, f"{topic}: {value}, {key}: told apart {apart[value, key]} times of {n}"
    assert not there or share_apart(there, apart) >= 0.95


def test_every_wrong_turn_of_the_catalogue_can_be_taken_on_some_sheet():
    reached = {(key, asked.rpartition(".")[2]) for topic in TOPICS for asked, key in told_apart(topic, range(3))[0]}
    asked_for = {ask.rpartition(".")[2] for topic in TOPICS.values() for ask in topic.asks}
    of_two = {("one_less", "summary")}  # of two words, one less is one: that is the sum, which was not divided
    assert reached == {(turn.key, turn.value) for turn in WRONG_TURNS if turn.value in asked_for} - of_two


def test_numbers_of_a_sheet_are_whole_and_small():
    for topic in TOPICS:
        for _, _, rows in Sheet(topic, 5).givens:
            assert np.abs([[int(x.replace("−", "-")) for x in row] for row in rows]).max() <= 3
