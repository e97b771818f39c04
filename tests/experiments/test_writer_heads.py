"""What the heads of the page's tiny GPT attend to: places by hand, weights and choices against torch, and what chapter 07 says."""

import numpy as np
import pytest
import torch

from pencil.data import text
from pencil.experiments.exported import CONFIG
from pencil.experiments.writer import heads, page_writer
from pencil.model import Decoder

QUEEN = "In the palace the queen lost h"


@pytest.fixture(scope="module")
def writer():
    return page_writer.read()


def test_places_stand_behind_the_last_word_for_a_man_or_a_woman_of_their_sentence():
    found = heads.find_places("The king sat. The boy met a girl and her cat. She saw his hat. It was the cat of her aunt.\nA man lost his hat.", 48)
    assert [(place.prompt, place.prompt[place.start : place.end], place.right, place.wrong) for place in found] == [
        ("The boy met a girl and h", "girl", "e", "i"), ("A man lost h", "man", "i", "e")
    ]  # fmt: skip
    assert not heads.find_places("The king saw a thousand different lamps in his palace.", 8)  # king is out of sight
    assert heads.find_places("A man lost his hat. A man lost his hat.", 48) == {heads.Place("A man lost h", 2, 5, "i"): 2}


def test_the_weights_and_the_choices_are_those_of_torch_one_prompt_at_a_time(writer):
    places = list(heads.find_places("The old king left his throne. In the palace the queen lost her crown to a thief.", 48))
    weights, sure = heads.head_weights(writer, [place.prompt for place in places]), heads.choose(writer, places)
    model, (e, i) = Decoder.from_params(writer.params, CONFIG).double().eval(), map(writer.vocabulary.index, "ei")
    for k, place in enumerate(places):
        with torch.no_grad():
            logits = model(torch.tensor(writer.ids(place.prompt))[None])[0, -1].numpy()
        right, wrong = (i, e) if place.right == "i" else (e, i)
        assert sure[k] == pytest.approx(1 / (1 + np.exp(logits[wrong] - logits[right])), rel=1e-6)
        alone = heads.head_weights(writer, [place.prompt])
        for name, batch in weights.items():
            size = len(place.prompt)
            np.testing.assert_allclose(batch[k, :size, :size], alone[name][0], atol=1e-12)
    assert sorted(weights) == [(b, h) for b in (1, 2) for h in (1, 2, 3, 4)]


def test_the_rules_by_hand():
    rules = heads.simple_rules(["ab ab", "b, bb"])
    aims = {name: [[tuple(np.flatnonzero(row)) for row in matrix] for matrix in targets] for name, targets in rules.items()}
    assert aims["before"] == [[(), (0,), (1,), (2,), (3,)]] * 2
    assert aims["begins"] == [[(), (0,), (), (), (3,)], [(), (), (), (), (3,)]]
    assert aims["same"] == [[(), (), (), (0,), (1,)], [(), (), (), (0,), (0, 3)]]
    weights = np.tril(np.ones((2, 5, 5))) / np.arange(1, 6)[:, None]
    assert heads.followed(weights, rules["same"]) == pytest.approx(np.mean([1 / 4, 1 / 5, 1 / 4, 2 / 5]))
    np.testing.assert_allclose(heads.by_distance(weights)[3:], [(1 / 4 + 1 / 5) / 2, 1 / 5])


def test_what_the_page_says_of_the_heads(writer):
    """Head three of the second block attends to who is spoken of, more than by habit; the choice needs it more than any other."""
    measured = heads.measure(writer, heads.held_out(text.load()))
    table = measured["heads"]
    assert measured["places"] == 131 and measured["right"] > 0.86
    who, others = table.pop((2, 3)), list(table.values())
    assert who["decider"] > 3 * who["habit"] and who["right"] < 0.53 < 0.6 < min(row["right"] for row in others)
    assert all(row["decider"] < 1.5 * row["habit"] for row in others) and who["women"] > who["men"]
    assert all((row["near"] > 0.8) == (block == 1) for (block, _), row in table.items())
    assert max(row["rule"] for row in [who, *others]) < 0.35
    second = [row["letters"] for (block, _), row in table.items() if block == 2]  # of all letters its block needs it no more than its neighbours
    assert measured["letters"] > 0.79 and min(second) < who["letters"] < max(second)
    assert max(row["letters"] for (block, _), row in table.items() if block == 1) < min(second) - 0.05
    weights = heads.head_weights(writer, [QUEEN])
    queen = {name: matrix[0, -1, QUEEN.index("queen") : QUEEN.index(" lost")].sum() for name, matrix in weights.items()}
    assert queen.pop((2, 3)) > 0.9 > 0.3 > max(queen.values())


def test_a_text_that_has_nothing_to_compare_is_refused(writer):
    with pytest.raises(ValueError, match="both a 'his' and a 'her' behind a word for a man or a woman"):
        heads.measure(writer, "The king lost his crown. " * 50)
