"""The chat of chapter 14b: the film and its questions, the rows to learn from, and the record with its two writers."""

import pytest

from pencil.experiments.alignment import chat, chat_writer, film
from pencil.experiments.alignment.chat_writer import ANSWER, END, MAX_NEW_TOKENS
from pencil.experiments.alignment.tuning import Tuning
from pencil.experiments.records import read
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.writer.tiny_gpt import Plan
from pencil.model import Config

SMALL = Plan(Config(16, 2, n_layers=1, max_len=64), TrainingConfig(epochs=1, batch_size=8, lr=1e-2, monitor="val_loss"), windows=64)


def small(seed=0):
    return chat.measure(seed, plan=SMALL, tuning=Tuning(steps=3, batch=8, lr=1e-3), paragraphs=8)


@pytest.fixture(scope="module")
def found():
    return small()


def test_each_fact_is_told_and_no_wording_is_in_two_places():
    learned, kept = [question for question, _ in film.pairs()], [question for question, _ in film.held_out()]
    every = learned + kept + list(film.UNANSWERABLE)
    assert len(set(every)) == len(every) and all(question.endswith("?") for question in every)
    for fact in film.FACTS:
        assert all(fact.answer.rstrip(".") in sentence for sentence in fact.told), fact.answer
    text = film.plain_text(400)
    assert all(question in text for fact in film.FACTS for question in fact.asked)
    for question in (*kept, *film.UNANSWERABLE):
        assert f" {question}" not in text and f"\n{question}" not in text and not text.startswith(question), question


def test_no_answer_is_part_of_another():
    answers = [fact.answer for fact in film.FACTS]
    assert all((one in other) == (one is other) for one in answers for other in answers)


def test_every_question_leaves_room_for_an_answer():
    longest = max(len(question) for question, _ in film.pairs() + film.held_out())
    assert longest + len(ANSWER) + MAX_NEW_TOKENS <= chat.PLAN.sizes.max_len
    assert max(len(fact.answer + END) for fact in film.FACTS) <= MAX_NEW_TOKENS


def test_only_the_answer_and_its_end_count():
    writer, _ = chat._pretrained(film.plain_text(8), SMALL)
    rows = chat.as_answers(writer, film.pairs())
    for row, mask, (question, answer) in zip(rows.ids, rows.mask, film.pairs(), strict=True):
        said = writer.tokenizer.decode(row.tolist())
        assert said.startswith(question + ANSWER + answer + END)
        assert writer.tokenizer.decode(row[1:][mask].tolist()) == answer + END


def test_a_small_measurement_comes_again_and_another_seed_is_another(found):
    assert small() | {"cpu_seconds": 0} == found | {"cpu_seconds": 0}
    assert small(1)["loss"] != found["loss"] and set(read("chat").result) == set(found)


def check_replies(record, numbers):
    """NumPy writes from the recorded bytes what the record says that torch wrote."""
    for when, mark in (("before", ""), ("after", ANSWER)):
        writer = chat_writer.read(when, record)
        for number in numbers:
            assert chat_writer.reply(writer, record["questions"][number], mark) == record["answers"][when][number]


def test_the_weights_that_are_kept_write_what_is_recorded(found):
    check_replies(found, (0, -1))
    check_replies(read("chat"), (0, 7, -1))


def test_the_recorded_shares_are_those_of_the_recorded_answers():
    kept = read("chat")
    asked = film.held_out()
    assert kept["questions"] == list(chat.QUESTIONS) and kept["pairs"] == len(film.pairs())
    for when, shares in kept["accuracy"].items():
        met = [answer in said for (_, answer), said in zip(asked, kept["answers"][when][: len(asked)], strict=True)]
        assert shares["held_out"] == pytest.approx(sum(met) / len(asked))


def test_the_recorded_probability_is_the_product_of_the_letters():
    kept = read("chat")
    writer = chat_writer.read("after")
    question, said = kept["questions"][0], kept["answers"]["after"][0]
    product = 1.0
    for k, letter in enumerate(said + END):
        named = {}
        writer.sample_next(question + ANSWER + said[:k], note=named.setdefault)
        product *= named["probs"][writer.vocabulary.index(letter)]
    assert kept["probs"][0] == pytest.approx(product, rel=1e-4)


def test_a_letter_that_is_unknown_is_named():
    with pytest.raises(ValueError, match="'Q' is none of its"):
        chat_writer.reply(chat_writer.read("after"), "Q?")


def test_what_the_page_says_of_the_record():
    kept = read("chat")
    said, after = (
        dict(zip(kept["questions"], kept["answers"]["before"], strict=True)),
        dict(zip(kept["questions"], kept["answers"]["after"], strict=True)),
    )
    answer = dict(film.held_out()) | {question: fact.answer for fact in film.FACTS for question in fact.asked}
    assert after["what is the dog named?"] == answer["what is the dog called?"] and after["who made the tin heron?"] == answer["who takes it?"]
    assert after["who plays the postman?"] in (answer["who plays otto?"], answer["who plays mira?"])
    asking = {question.split()[0] for fact in film.FACTS for question in fact.asked}
    assert all(text.split()[0] in asking for text in said.values()), "before SFT it goes on with a question"
