"""The options of a your-turn box that tell how an answer is marked, and their errors."""

import pytest

from pencil.exercises import Exercise, mark
from pencil.exercises.exercise import Numbers
from pencil.publish.exercises import parse_exercise


def test_what_they_take():
    plain = parse_exercise("box", {"answer": "x"})
    counted = parse_exercise("box", {"answer": "x", "places": "2", "unit": "percent"})
    assert (plain.places, plain.percent, counted.places, counted.percent) == (None, False, 2, True)
    assert [plain.lines, *(parse_exercise("box", {"answer": "x", "lines": track}).lines for track in ("exact", "fractions"))] == [
        "paper",
        "exact",
        "fractions",
    ]


@pytest.mark.parametrize(
    "options, says",
    [
        ({"answer": "x", "alone": "perhaps"}, "has :alone: perhaps; write yes or no, without a :from:"),
        ({"answer": "x", "alone": "yes", "from": "y"}, "has :alone: yes; write yes or no, without a :from:"),
        ({"answer": "x", "places": "3"}, "has :places: 3; write 1 or 2"),
        ({"answer": "x", "unit": "metres"}, "has :unit: metres; write percent"),
        ({"answer": "x", "lines": "paper"}, "has :lines: paper; write exact or fractions"),
        ({"answer": "x", "hint": "Look at *nolan*."}, "has :hint: Look at *nolan*.; write a step of help, a sentence, plain"),
        ({"answer": "x", "wrong": "y | You took `y`."}, "has :wrong: y | You took `y`.; write REFERENCE | what to say"),
        ({"choices": "a | b", "right": "a", "unit": "percent"}, "has :unit: percent; write percent, beside an :answer:"),
    ],
)
def test_what_they_refuse(options, says):
    with pytest.raises(ValueError) as refused:
        parse_exercise("box", options)
    assert says in str(refused.value)


@pytest.mark.parametrize("typed", ["0.566", "0.566 %", "0.566 per cent", "0.566 percent"])
def test_a_sign_behind_what_counts_per_cent_changes_nothing(typed):
    numbers = Numbers((0.566,), (0.566,))
    assert mark(Exercise(numbers, percent=True), typed).right
    assert mark(Exercise(numbers), typed).right is (typed == "0.566")
