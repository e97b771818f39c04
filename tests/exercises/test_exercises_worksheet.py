"""Worksheets: the page generates, marks, shows and prints what Python does."""

import os

import numpy as np
import pytest
from exercises_in_node import ask, page_data

from pencil.exercises import Worksheet, mark
from pencil.exercises.generation import generate
from pencil.exercises.printed import body, document
from pencil.exercises.topics import TOPICS
from pencil.rounding import show

SEEDS = {"softmax": 40, "layernorm": 40, "attention": 25, "lstm": 12, "block": 2, "backward": 6}  # many in the slow test
MANY = int(os.environ.get("PENCIL_SHEETS", 0))
EACH = [pytest.param(topic, marks=pytest.mark.slow) if topic in ("block", "backward") else topic for topic in TOPICS]  # long sheets


def same_sheets(tmp_path, topic, seeds):
    questions = [{"ask": "topic", "data": page_data(topic)}, *({"ask": "deal", "topic": topic, "seed": seed} for seed in seeds)]
    for seed, there in zip(seeds, ask(tmp_path, questions)[1:], strict=True):
        here = generate(topic, seed)
        assert [here.names[name].exact.ravel().tolist() for name in TOPICS[topic].givens] == there, (topic, seed)


@pytest.mark.parametrize("topic", EACH)
def test_python_and_the_page_deal_alike(tmp_path, topic):
    same_sheets(tmp_path, topic, [*range(SEEDS[topic]), 2**32 - 1, 123456789])


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["softmax", "layernorm", "attention", "lstm", "backward"])
def test_they_deal_alike_for_many_seeds(tmp_path, topic):
    same_sheets(tmp_path, topic, range(MANY or 100))


@pytest.mark.parametrize("topic", EACH)
def test_python_and_the_page_print_alike(tmp_path, topic):
    sheet = Worksheet(topic, 11)
    _, there = ask(tmp_path, [{"ask": "topic", "data": page_data(topic)}, {"ask": "paper", "topic": topic, "seed": 11}])
    assert there == body(sheet)


@pytest.mark.parametrize("seeds", [2, pytest.param(8, marks=pytest.mark.slow)])
@pytest.mark.parametrize("topic", EACH)
def test_the_page_has_every_wrong_turn_of_a_sheet_whatever_the_seed(topic, seeds):
    mistakes = page_data(topic)["mistakes"]
    there = {(entry["key"], mistakes[k]["key"]) for entry in page_data(topic)["asks"] for k, _ in entry["mistakes"]}
    for seed in range(seeds // 2 if topic in ("block", "backward") else seeds):
        sheet = Worksheet(topic, seed)
        assert {(asked, known.key) for asked in sheet.asks for known in sheet.exercise(asked).mistakes} <= there


def test_a_sheet_asks_and_knows_its_answers():
    sheet = Worksheet("attention", 7)
    assert len(sheet.asks) == 15 and sheet.label("nolan.query") == "nolan.query" and sheet.count("pooled") == 4
    for asked in sheet.asks:
        exercise = sheet.exercise(asked)
        assert mark(exercise, " ".join(map(show, exercise.right.paper))).right
        assert sheet.key(asked)[-1].startswith(sheet.label(asked))
    assert "nolan.query = ____" in repr(sheet) and 'data-topic="attention" data-seed="7"' in sheet._repr_html_()
    assert "\nembedding:\n  nolan  [−1, 2, −1, −2]\n" in repr(sheet)


@pytest.mark.parametrize("topic, lines", [("attention", 4 * 3 * 2), ("block", 4 * 6 * 2)])
def test_the_rows_of_a_grid_are_called_as_the_key_calls_them(topic, lines):
    sheet = Worksheet(topic, 7)
    key = [line for asked in sheet.asks for line in sheet.key(asked)]
    named = [f"{called} {word} [{', '.join(row)}] · " for called, words, rows in sheet.givens for word, row in zip(words, rows, strict=True)]
    assert sum(part in line for part in named for line in key) == lines


def test_paper_has_a_line_for_exp_and_its_sum_and_room_by_need():
    assert Worksheet("attention", 7).blanks("nolan.weights") == ["nolan.exp", "nolan.sum\xa0of\xa0exp", "nolan.share"]
    assert Worksheet("softmax", 7).blanks("first.weights") == ["first.share"]  # there they are asked for
    assert Worksheet("backward", 7).blanks("nolan.grad.weights") == ["nolan.d.share"]
    task = body(Worksheet("attention", 7)).split('<section class="key">')[0]
    lines = {label: rooms.count('class="room"') for label, _, rooms in (row.partition(" =</span>") for row in task.split('<span class="label">')[1:])}
    assert (lines["nolan.scaled"], lines["nolan.context"]) == (1, 3) and "nolan.exp" in lines


def test_the_key_stands_on_its_own_page_and_not_in_the_task():
    sheet = Worksheet("softmax", 7)
    task, key = document(sheet, "letter").split('<section class="key">')
    assert "size: letter" in task and "break-before: page" in task
    for asked in sheet.asks:
        assert sheet.key(asked)[-1] in key.replace("&amp;", "&") and sheet.key(asked)[-1] not in task
    with pytest.raises(ValueError, match="there is no paper 'a5'; take one of a4, letter"):
        document(sheet, "a5")


def test_numbers_of_a_sheet_are_whole_and_small():
    for topic in TOPICS:
        for _, _, rows in Worksheet(topic, 5).givens:
            assert np.abs([[int(x.replace("−", "-")) for x in row] for row in rows]).max() <= 3


GETTERS = {
    "found": lambda sheet, ask: sheet.found(ask),
    "givens": lambda sheet, ask: sheet.givens,
    "label": lambda sheet, ask: sheet.label(ask),
    "count": lambda sheet, ask: sheet.count(ask),
    "key": lambda sheet, ask: sheet.key(ask),
    "exercise": lambda sheet, ask: sheet.exercise(ask),
    "mark": lambda sheet, ask: mark(sheet.exercise(ask), "1"),
    "repr": lambda sheet, ask: repr(sheet),
    "html": lambda sheet, ask: sheet._repr_html_(),
    "body": lambda sheet, ask: body(sheet),
}


@pytest.mark.parametrize("topic", EACH)
def test_who_asks_a_sheet_changes_nothing_in_it(topic):
    sheet = Worksheet(topic, 7)
    names, steps = list(sheet.trace.names), list(sheet.trace.steps)
    for getter, get in GETTERS.items():
        for reference in sheet.asks:
            get(sheet, reference)
        assert list(sheet.trace.names) == names and sheet.trace.steps == steps, getter
        assert all(step.id == at for at, step in enumerate(steps)), getter


def test_a_sheet_knows_its_wrong_turns_each_time_it_is_asked():
    sheet = Worksheet("softmax", 7)
    first, second = (sheet.exercise("first.weights").mistakes for _ in range(2))
    assert first == second and {"added_scores", "wrong_axis", "not_divided"} <= {known.key for known in first}
