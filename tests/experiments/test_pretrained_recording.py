"""What is recorded of an encoder, on a small one with random weights: each figure by another formula."""

from dataclasses import replace

import numpy as np
import pytest

from pencil.experiments.pretrained import recording
from pencil.experiments.pretrained.recording import Reading
from pencil.model import Config
from pencil.params import map_arrays
from pencil.reference import WordPiece, encoder, stable_softmax

PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "bank")
CONFIG = Config.bert(6, 3, n_layers=2, vocab_size=len(PIECES), max_len=9, d_ff=5, softmax=stable_softmax)
TEXTS = ("a b a c", "b a c", "c b")


@pytest.fixture(scope="module")
def params():
    draw = np.random.default_rng(0)
    return map_arrays(CONFIG.encoder_params(), lambda _, array: draw.normal(size=array.shape))


@pytest.fixture(scope="module")
def readings(params):
    return readings_of(TEXTS, params)


def readings_of(texts, params):
    return [Reading(text, WordPiece(PIECES), params, CONFIG) for text in texts]


def test_what_a_word_may_look_at_as_a_hand_counts_it(readings):
    found = {name: {tuple(pair) for pair in np.argwhere(mask).tolist()} for name, mask in recording.patterns(readings[0]).items()}
    words = (1, 2, 3, 4)  # of [CLS] a b a c [SEP]
    assert found == {
        "before": {(2, 1), (3, 2), (4, 3)},
        "after": {(1, 2), (2, 3), (3, 4)},
        "same": {(1, 3), (3, 1)},
        "[CLS]": {(word, 0) for word in words},
        "[SEP]": {(word, 5) for word in words},
    }
    assert "same" not in recording.patterns(readings[1])


def test_a_look_is_averaged_over_the_texts_in_which_it_occurs(readings):
    found = recording.looks(readings)
    same = readings[0].weights(2, 3)[[1, 3], [3, 1]].mean()
    assert found["same"]["shares"][1][2] == pytest.approx(same, abs=1e-4) and found["same"]["alike"] == pytest.approx(1 / 6)
    before = [np.diagonal(each.weights(1, 2), -1)[1:-1].mean() for each in readings]
    assert found["before"]["shares"][0][1] == pytest.approx(np.mean(before), abs=1e-4)
    assert found["before"]["alike"] == pytest.approx(np.mean([1 / 6, 1 / 5, 1 / 4]))
    for each in recording.maps(readings[0], found)["heads"]:
        shares = np.array(found[each["look"]]["shares"])
        assert shares[each["block"] - 1, each["head"] - 1] == shares.max()
        np.testing.assert_allclose(each["weights"], readings[0].weights(each["block"], each["head"]), atol=1e-3)


def test_the_pencil_s_head_gives_most_to_the_last_word_and_its_share_follows_from_its_numbers(params):
    pair = readings_of(("a bank c", "a bank b"), params)
    found = recording.for_pencil(*pair, 2, 3)
    least = {head: min(each.weights(*head)[2, 3] for each in pair) for head in recording.heads_of(params)}
    assert least[found["block"], found["head"]] == max(least.values())
    words = np.array(found["weights"])[1:-1]
    assert found["two"] == (1 + np.argsort(-words)[:2]).tolist()
    shares = stable_softmax(np.array(found["keys"]) @ found["query"] / 2**0.5)
    assert found["share"] == pytest.approx(shares[0])
    assert found["share"] / (1 - found["share"]) == pytest.approx(np.divide(*np.array(found["weights"])[found["two"]]))


def test_the_banks_have_the_cosines_of_their_rows(params):
    river, money = readings_of(("a bank c", "a bank c c"), params), readings_of(("a bank b", "a bank b b"), params)
    found = recording.banks(river, money, 2)
    rows = np.array([[each.rows(depth)[2] for each in river + money] for depth in (0, 1, 2)])
    rows /= np.linalg.norm(rows, axis=-1, keepdims=True)
    cosines = rows @ rows.swapaxes(1, 2)
    assert found["pair"] == pytest.approx(cosines[:, 0, 2]) and found["pair"][0] == pytest.approx(1)
    assert found["within"] == pytest.approx((cosines[:, 0, 1] + cosines[:, 2, 3]) / 2)
    assert found["across"] == pytest.approx(cosines[:, :2, 2:].mean((1, 2)))
    nearest = (cosines - 9 * np.eye(4)).argmax(-1)[1:]
    assert found["right"] == ((nearest < 2) == (np.arange(4) < 2)).sum(-1).tolist()


def test_blocks_that_are_run_again_keep_their_numbers(params):
    config = replace(CONFIG, window=1, window_layers=(2,))
    reading = Reading(TEXTS[0], WordPiece(PIECES), params, config)
    np.testing.assert_allclose(reading.sentence_vector(2, params), reading.sentence_vector(), rtol=1e-12)


def test_a_head_is_taken_out_by_zeros_in_its_columns_or_by_its_mean(params, readings):
    found = recording.ablations(readings)
    contexts = np.concatenate([each.run["block1.head3.context"] for each in readings])

    def without(value):  # the columns of the head away, and the output bias with what it adds on average
        def change(name, array):
            if name == "block1.attention.output":
                array = array.copy()
                array[:, 4:6] = 0
            return array + value if name == "block1.attention.output_bias" else array

        return map_arrays(params, change)

    whole = [encoder(each.ids, params, config=CONFIG).mean(0) for each in readings]
    mean = params.blocks[0].attention.output[:, 4:6] @ contexts.mean(0)
    for name, value in (("zero", 0.0), ("mean", mean)):
        other = [encoder(each.ids, without(value), config=CONFIG).mean(0) for each in readings]
        turned = [1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(whole, other, strict=True)]
        assert found[name][0][2] == pytest.approx(np.mean(turned), abs=1e-6)
    assert np.shape(found["mean"]) == (2, 3)
