"""OpenWriterLab's computations in the page agree with pencil.reference: weights, pattern scores, logit lens, losses and ablations."""

import random
from itertools import combinations

import numpy as np
import pytest
import torch
from node_runner import ask

from pencil.experiments.exported import CONFIG
from pencil.experiments.pretrained.opened import LOOKS, Opened
from pencil.experiments.writer import page_writer
from pencil.model import Decoder
from pencil.reference import without_head
from pencil.widgets import OpenWriterLab, WriterLab

EXACT = {"rtol": 0, "atol": 1e-10}
CHOSEN = ("The queen sat on the throne and she wore h", "T", "aa", "abcabcabc", "\n\n \n", "Straße", "é é?", "x" * 60, "ß" + "The music was not " * 4)


@pytest.fixture(scope="module")
def page():
    return page_writer.read()


def drawn(page, count=12):
    """Texts by lot, of few letters or of many, some too long."""
    rng = random.Random(3)
    return ["".join(rng.choices(page.vocabulary[: rng.choice((3, 57))], k=rng.randint(1, 60))) for _ in range(count)]


@pytest.fixture(scope="module")
def answered(page, tmp_path_factory):
    """(text, heads that are off, what the page found, the same by NumPy) of many texts, each with all heads and without some."""
    heads = [(b, h) for b in (1, 2) for h in (1, 2, 3, 4)]
    rng, pairs = random.Random(5), list(combinations(heads, 2))
    offs = [[one] for one in heads] + [heads]
    asked = [(text, []) for text in (*CHOSEN, *drawn(page))]
    asked += [(CHOSEN[0], off) for off in offs] + [(text, rng.choice([*offs, *pairs])) for text in drawn(page)]
    questions = [{"text": text, "gates": [float(one not in off) for one in heads]} for text, off in asked]
    folder = tmp_path_factory.mktemp("opened")
    (answers,) = ask(folder, [{"ask": "opened", "script": WriterLab(writer=page).script(), "asked": questions}])
    return [(text, off, found, opened(page, text, off)) for (text, off), found in zip(asked, answers, strict=True)]


def opened(page, text, off):
    """The machine by NumPy, at what the page should read of the text."""
    letters = "".join(letter for letter in text if letter in page.vocabulary)[-page.positions :]
    params = page.params
    for block, head in off:
        params = without_head(params, block=block, head=head)
    return Opened(page.ids(letters), params, CONFIG)


def rows(grid):
    """Of a matrix what stands on and below its diagonal."""
    return [row[: t + 1] for t, row in enumerate(grid)]


def test_the_page_reads_what_it_knows_and_the_last_of_it(page, answered):
    for text, _, found, _ in answered:
        read = "".join(letter for letter, is_read in zip(text, found["read"], strict=True) if is_read)
        known = "".join(letter for letter in text if letter in page.vocabulary)
        assert read == known[-page.positions :] and found["early"] == max(0, len(known) - page.positions), text
        assert sorted(found["strange"]) == sorted(set(text) - set(page.vocabulary)), text
    assert {found["early"] for _, _, found, _ in answered} > {0} and any(found["strange"] for _, _, found, _ in answered)


def test_the_shares_of_every_head_are_numpy_s(answered):
    for text, off, found, wanted in answered:
        for head, weights in zip(wanted.heads, found["weights"], strict=True):
            np.testing.assert_allclose(
                np.concatenate(weights), np.concatenate(rows(wanted.weights(*head))), **EXACT, err_msg=f"{text!r} {off} {head}"
            )


def test_what_each_head_looks_at_is_counted_as_in_the_chapter(answered):
    for text, off, found, wanted in answered:
        scores, uniform = wanted.scores(), wanted.uniform_scores()
        for kind, look in enumerate(LOOKS):
            by_page = [*(one[kind] for one in found["scores"]), found["alike"][kind]]
            if look not in scores:
                assert by_page == [None] * 9, (text, look)
            else:
                np.testing.assert_allclose(by_page, [*scores[look].values(), uniform[look]], **EXACT, err_msg=f"{text!r} {off} {look}")


def test_the_lens_is_numpy_s_at_every_letter_and_its_last_row_is_that_of_torch(answered):
    for text, off, found, wanted in answered:
        for depth, by_page in enumerate(found["lens"]):
            rows_there = wanted.run[f"block{depth}.out" if depth else "x"]
            np.testing.assert_allclose(by_page, wanted.logit_lens_probs(rows_there), **EXACT, err_msg=f"{text!r} {off} {depth}")
        model = Decoder.from_params(wanted.params, CONFIG).eval()
        with torch.no_grad():
            by_torch = model(torch.tensor(wanted.ids)[None])[0].softmax(-1).numpy()
        np.testing.assert_allclose(found["lens"][-1], by_torch, **EXACT, err_msg=f"{text!r} {off}")


def test_the_loss_with_heads_off_is_numpy_s(page, answered):
    for _, _, found, wanted in answered:
        if len(wanted.ids) == 1:
            assert found["loss"] is None and found["losses"] == []
            continue
        probs = wanted.logit_lens_probs(wanted.run["block2.out"][:-1])
        losses = -np.log(probs[np.arange(len(wanted.ids) - 1), wanted.ids[1:]])
        np.testing.assert_allclose(found["losses"], losses, rtol=0, atol=1e-9)
        assert abs(found["loss"] - losses.mean()) < 1e-10
    lab = OpenWriterLab(writer=page)
    by_page = {tuple(off): found["loss"] for text, off, found, _ in answered if text == lab.text}
    assert len(by_page) == 10
    for off, loss in by_page.items():
        assert abs(lab.losses(off).mean() - loss) < 1e-10, off


def test_the_lab_refuses_what_it_cannot_open(page):
    with pytest.raises(ValueError, match="none of its 57 letters"):
        OpenWriterLab("Straße", writer=page)
    with pytest.raises(ValueError, match="the text has 60 letters, and the writer sees 48 at once; shorten it"):
        OpenWriterLab("x" * 60, writer=page)
    with pytest.raises(ValueError, match=r"there is no head \(3, 1\); there are \(1, 1\)"):
        OpenWriterLab(head=(3, 1), writer=page)
    assert repr(OpenWriterLab(writer=page)) == "OpenWriterLab: 42 letters, 8 heads, 2 blocks"
