"""The programs of trained models: compressed, equivalent, and their indices as runs."""

import json

import numpy as np
import pytest

from pencil.experiments.vision import page_digits
from pencil.experiments.writer import page_writer
from pencil.params import flatten
from pencil.trace import Trace
from pencil.widgets import ChatLab, DigitsLab, WriterLab
from pencil.widgets.compact import compact_program, runs


@pytest.fixture(scope="module")
def lab():
    return WriterLab()


def laid_out(start, runs):
    """Each run multiplies the places, from the outermost in; what `spread` does in web/engine/operations.js."""
    places = [start]
    for count, stride in runs:
        places = [place + k * stride for place in places for k in range(count)]
    return places


@pytest.mark.parametrize("seed", range(40))
def test_places_with_a_rule_are_written_as_runs(seed):
    rng = np.random.default_rng(seed)
    array = np.arange(rng.integers(0, 9) + 360).reshape(-1)[-360:].reshape(rng.permutation([3, 4, 5, 6]))
    view = array.transpose(rng.permutation(4))
    view = view[tuple(slice(None, None, int(step)) for step in rng.choice([-1, 1, 2], 4))]
    found = runs(np.broadcast_to(view, (2, *view.shape)).ravel().tolist())
    assert laid_out(**found) == np.broadcast_to(view, (2, *view.shape)).ravel().tolist()


@pytest.mark.parametrize("places", [[3], [0, 1], [0, 2, 3, 9, 1], [0, 1, 2, 5, 6, 8], np.random.default_rng(0).integers(0, 99, 64).tolist()])
def test_places_without_one_stay_a_list(places):
    assert runs(places) is None


@pytest.mark.parametrize("made, limit", [(WriterLab, 150_000), (ChatLab, 150_000), (DigitsLab, 75_000)])
def test_a_script_is_small(made, limit):
    script = made().script()
    assert len(script.encode()) <= limit and script.startswith("window.pencilExported = {")


def test_the_digits_program_is_the_whole_machine():
    """Traced once on an empty picture, it reads any other as the reference does."""
    lab, image = DigitsLab(), np.random.default_rng(0).random((8, 8))
    again, named = Trace.load(lab.trace.program(), {"image": image}), {}
    page_digits.probabilities(image, lab.params, lambda name, value: named.setdefault(name, value))
    noted = [step for step in again.names.values() if step.op == "note"]
    assert len(noted) == 10
    for step in noted:
        np.testing.assert_allclose(step.exact, named[step.name], atol=1e-12, rtol=0)
    assert repr(lab) == "DigitsLab: 26,538 numbers in bytes, 10 digits, 17 positions"


def test_the_compact_program_is_the_same_program(lab):
    """Laid out again and given its numbers, it runs to the same scores, under other ids."""
    program, arrays = compact_program(lab.trace.program()), flatten(lab.writer.params)
    assert len(json.dumps(program)) < len(json.dumps(lab.trace.program())) / 5
    for step in program["steps"]:
        if "runs" in step:
            step["index"] = laid_out(step.pop("start"), step.pop("runs"))
        if step["op"] == "given" and "value" not in step:
            step["value"] = arrays[step["name"].removeprefix("writer.")].ravel().tolist()
    ids = np.resize(lab.writer.ids("The music was "), lab.writer.positions)
    again, named = Trace.load(program, {"ids": ids, "last": [13], "temperature": 0.7, "keep": 5, "u": 0.4}), {}
    page_writer.sample_next(ids[:14], [13], lab.writer.params, 0.7, 5, 0.4, lambda name, value: named.setdefault(name, value))
    for name in ("logits", "probs", "next_id"):
        np.testing.assert_allclose(again.find(name).exact, named[name], atol=1e-12, rtol=0)


def test_a_lab_refuses_a_text_that_its_writer_cannot_read_and_to_keep_more_letters_than_there_are():
    with pytest.raises(ValueError, match="none of its 57 letters"):
        WriterLab("Straße")
    with pytest.raises(ValueError, match="top_k=58, and it has 57 letters to draw from; take 1 to 57, or None for all"):
        WriterLab(keep=58)
    assert repr(WriterLab()) == "WriterLab: 61,680 numbers in bytes, 57 letters, 48 positions"


def test_a_text_never_becomes_html(lab):
    page = WriterLab(writer=page_writer.PageWriter((*"<b>&", *lab.writer.vocabulary[4:]), lab.writer.params), text="<b>")._repr_html_()
    assert "<textarea rows" in page and "<b>" not in page and "&lt;b&gt;" in page


@pytest.mark.parametrize("when", ["before", "after"])
def test_the_chat_program_gives_what_each_writer_would_write(when):
    """Traced once with the parameters after tuning, it runs to the probabilities of either, under other ids."""
    lab, text = ChatLab(), "who stole it?"
    writer, named = lab.writers[when], {}
    given = {f"writer.{name}": array for name, array in flatten(writer.params).items()}
    ids = np.resize(writer.ids(text), writer.positions)
    again = Trace.load(lab.trace.program(), given | {"ids": ids, "last": [len(text) - 1]})
    writer.sample_next(text, note=lambda name, value: named.setdefault(name, value))
    np.testing.assert_allclose(again.find("probs").exact, named["probs"], atol=1e-12, rtol=0)


def test_the_chat_shows_every_recorded_answer_and_refuses_what_no_writer_can_read():
    lab = ChatLab()
    page, record = lab._repr_html_(), lab.record
    assert all(f"<option>{question}</option>" in page for question in record["questions"])
    assert page.count("<tr>") == len(record["questions"]) + 1
    assert lab.replies(record["questions"][-1]) == {when: said[-1] for when, said in record["answers"].items()}
    with pytest.raises(ValueError, match="'ß' is none of its"):
        ChatLab("wer saß?")
