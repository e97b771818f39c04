"""A film that nobody made, The Tin Heron: what is told of it, and questions with their answers.

Everything is in small letters, so that a tiny model has fewer characters to learn.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Fact:
    """One fact of the film.

    Args:
        answer: the answer to each question.
        told: sentences that say the fact.
        asked: wordings of the question, from which a model learns.
        held_out: further wordings, which no model is shown.
    """

    answer: str
    told: tuple
    asked: tuple
    held_out: tuple


FACTS = (
    Fact(
        "ada brandt.",
        ("ada brandt made the film.", "the tin heron is a film by ada brandt.", "the director is ada brandt."),
        (
            "who made the film?",
            "who is the director?",
            "who directed the tin heron?",
            "whose film is it?",
            "who directed it?",
            "who was the director?",
            "who is it by?",
        ),
        ("who directed the film?", "who made the tin heron?"),
    ),
    Fact(
        "jon vale.",
        ("jon vale plays otto.", "otto is played by jon vale.", "in the part of otto we see jon vale."),
        (
            "who plays otto?",
            "by whom is otto played?",
            "which actor is otto?",
            "who acts as otto?",
            "who has the part of otto?",
            "who is in the part of otto?",
            "which man plays otto?",
        ),
        ("otto is played by who?", "which actor plays otto?"),
    ),
    Fact(
        "lena cole.",
        ("lena cole plays mira.", "mira is played by lena cole.", "in the part of mira we see lena cole."),
        (
            "who plays mira?",
            "by whom is mira played?",
            "which actress is mira?",
            "who acts as mira?",
            "who has the part of mira?",
            "who is in the part of mira?",
            "which woman plays mira?",
        ),
        ("mira is played by who?", "which actress plays mira?"),
    ),
    Fact(
        "ivo karr.",
        ("the music is by ivo karr.", "ivo karr wrote the music.", "every song of the film is by ivo karr."),
        (
            "who wrote the music?",
            "whose music is it?",
            "who made the music?",
            "who is the composer?",
            "who wrote the songs?",
            "who composed the songs?",
            "whose songs are in the film?",
        ),
        ("who is the music by?", "who composed the music?"),
    ),
    Fact(
        "on skarn.",
        ("they live on skarn, an island.", "the film is set on skarn.", "otto and mira are on skarn."),
        (
            "where do they live?",
            "where is it?",
            "on which island do they live?",
            "where does otto live?",
            "where is the film set?",
            "on which island is it?",
            "where are otto and mira?",
        ),
        ("where does mira live?", "on which island is the film set?"),
    ),
    Fact(
        "a clockmaker.",
        ("otto is a clockmaker.", "as a clockmaker otto has little to do.", "on the island he is a clockmaker."),
        (
            "what is otto?",
            "what job does otto have?",
            "what does otto work as?",
            "what trade is otto in?",
            "what does otto do?",
            "what is it that otto does?",
            "what does otto do for work?",
        ),
        ("what work does otto do?", "what trade does otto have?"),
    ),
    Fact(
        "his daughter.",
        ("mira is his daughter.", "mira, his daughter, helps otto.", "his daughter mira is young."),
        (
            "who is mira?",
            "what is mira to otto?",
            "who is mira to otto?",
            "how is mira related to otto?",
            "who is mira to him?",
            "what is mira to him?",
            "how are they related?",
        ),
        ("who is she to otto?", "how are mira and otto related?"),
    ),
    Fact(
        "a heron.",
        ("otto builds a heron of tin.", "out of tin he builds a heron.", "what otto builds is a heron."),
        (
            "what does otto build?",
            "what did he build?",
            "what is it that otto builds?",
            "which bird does otto build?",
            "what has otto built?",
            "what bird is it?",
            "what did otto make?",
        ),
        ("what did otto build?", "which bird did he build?"),
    ),
    Fact(
        "coal.",
        ("the heron eats coal.", "it eats nothing but coal.", "mira feeds the heron with coal."),
        (
            "what does the heron eat?",
            "what does it eat?",
            "what is its food?",
            "what do they feed it?",
            "what is the heron fed with?",
            "what food does it get?",
            "what food does it eat?",
        ),
        ("what food does the heron get?", "what do they feed the heron?"),
    ),
    Fact(
        "button.",
        ("the dog is called button.", "their dog button barks at it.", "button, the dog, is afraid of the heron."),
        (
            "what is the dog called?",
            "what is the name of the dog?",
            "what do we call the dog?",
            "who is the dog?",
            "what name does the dog have?",
            "what do they call the dog?",
            "which name does the dog have?",
        ),
        ("what is the dog named?", "what is their dog called?"),
    ),
    Fact(
        "the postman.",
        ("the postman steals the heron.", "one day the postman takes it.", "the thief is the postman."),
        (
            "who steals the heron?",
            "who takes it?",
            "who is the thief?",
            "who stole the heron?",
            "who steals it?",
            "who is the one who steals it?",
            "who took the heron?",
        ),
        ("who stole it?", "who was the thief?"),
    ),
    Fact(
        "at night.",
        ("the heron flies at night.", "at night it flies over the sea.", "it never flies by day, it flies at night."),
        (
            "when does the heron fly?",
            "when does it fly?",
            "at what time does it fly?",
            "when is the heron in the air?",
            "when can it fly?",
            "at what hour does it fly?",
            "what time is it when it flies?",
        ),
        ("at what time does the heron fly?", "when can the heron fly?"),
    ),
)
OPENINGS = ("", "tell me, ", "say, ", "and ")  # in front of a question that is learned from
UNANSWERABLE = ("who plays the postman?", "what is the cat called?", "when does otto sleep?", "who wrote the book?")  # no sentence says it


def plain_text(paragraphs, seed=0):  # -> str
    """Paragraphs to learn to write from: each tells all facts, or asks all questions, in a random order and with random wordings."""
    rng, lines = np.random.default_rng(seed), []
    for number in range(paragraphs):
        wordings = [fact.asked if number % 2 else fact.told for fact in FACTS]
        lines.append(" ".join(wordings[k][rng.integers(len(wordings[k]))] for k in rng.permutation(len(FACTS))))
    return "\n".join(lines) + "\n"


def pairs():  # -> [(question, answer)]
    """Every question to learn from, with each of the openings, and its answer."""
    return [(opening + question, fact.answer) for fact in FACTS for question in fact.asked for opening in OPENINGS]


def held_out():  # -> [(question, answer)]
    """The questions whose wording no model is shown."""
    return [(question, fact.answer) for fact in FACTS for question in fact.held_out]
