"""The writer of one small film: its questions, its rows, and the record that the page carries."""

import numpy as np
import pytest

from pencil.experiments.alignment import film
from pencil.experiments.records import read
from pencil.experiments.writer.tiny_gpt import train_tokenizer
from pencil.widgets import FilmLab
from pencil.widgets.film_lab import FILES

TEXT = film.text_of_the_film()


def test_each_kind_and_each_line_is_taught_three_times_in_four():
    held, questions = film.held_out(), [question for question, _ in film.pairs()]
    assert len(set(questions)) == len(questions) == 4 * len(film.FILM) and len(held) == len(film.FILM) and held <= set(questions)
    first_words = [question.split()[0] + question.split()[1] * question.startswith("who was") for question in held]
    assert sorted(first_words.count(kind) for kind in set(first_words)) == [2, 2, 2, 2]


def test_no_answer_follows_a_question_in_the_first_training():
    lines = TEXT.splitlines()
    answers = {answer for _, answer in film.pairs()}
    assert not answers & set(lines) and {question for question, _ in film.pairs()} <= set(lines)


def test_only_the_last_answer_of_a_row_counts():
    tokenizer = train_tokenizer(TEXT, initial_alphabet=TEXT)
    taught = [pair for pair in film.pairs() if pair[0] not in film.held_out()]
    rows = film.rows(tokenizer, taught, np.random.default_rng(0))
    for row in (0, 1):
        counted = tokenizer.decode(rows.ids[row, 1:][rows.mask[row]].tolist())
        text = tokenizer.decode(rows.ids[row].tolist())
        question = text[: text.index(counted, text.rindex("?") if row else 0)].splitlines()[-1]
        assert (question, counted.removesuffix("\n")) in taught and counted.endswith("\n")


@pytest.mark.slow
def test_the_page_s_writers_answer_as_recorded():
    recorded = read("film")
    for which in FILES:
        lab = FilmLab(which)
        assert [film.answer(lab.writer, one["question"]) for one in recorded["asked"]] == [one[which] for one in recorded["asked"]]


def test_the_record_is_of_this_film():
    recorded = read("film")
    assert [(one["question"], one["right"]) for one in recorded["asked"]] == film.pairs()
    assert {one["question"] for one in recorded["asked"] if not one["taught"]} == film.held_out()
    assert recorded["vocabulary"] == list(train_tokenizer(TEXT, initial_alphabet=TEXT).pieces)
