"""A writer that knows one small film, before and after instruction tuning, both in int8 for the page (chapter 14b).

Before: trained on sentences about the film and on lists of questions, so that it goes on from a question with another question. After:
tuned on pairs of a question and its answer, with a loss on the answers alone. A quarter of the pairs is held out.
"""

from copy import deepcopy

import numpy as np
import torch

from pencil.experiments import records
from pencil.experiments.alignment.answers import Answers
from pencil.experiments.alignment.tuning import Tuning, sft
from pencil.experiments.quantization import pack
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.writer import page_writer
from pencil.experiments.writer.tiny_gpt import SHARED, Plan, TinyGPT, train_writer
from pencil.model.config import Config
from pencil.model.module import state_arrays

FILM = (  # who, what they did, where: a film of the book's own making
    ("the cat", "sat", "on the mat"),
    ("the dog", "hid", "in the barn"),
    ("the fox", "ran", "up the hill"),
    ("the hen", "slept", "in the cart"),
    ("the boy", "fished", "at the pond"),
    ("the cook", "sang", "by the fire"),
    ("the owl", "waited", "in the oak"),
    ("the king", "wept", "at the gate"),
)
LINES = 600  # of each kind in the text
LENGTH = 72  # characters that the writer sees
PLAN = Plan(Config(48, 4, n_layers=2, max_len=LENGTH), TrainingConfig(epochs=2, batch_size=16, lr=6e-3, **SHARED), windows=4800)
TUNING = Tuning(steps=200, batch=16, lr=1e-3)
ROWS = 400  # question and answer, some of them after another pair


def pairs():  # -> [(question, answer)]
    """Four questions of each line of the film."""
    found = []
    for who, did, where in FILM:
        found += [(f"who {did}?", f"{who}."), (f"where was {who}?", f"{where}.")]
        found += [(f"what did {who} do?", f"it {did}."), (f"who was {where}?", f"{who}.")]
    return found


def held_out():  # -> set of questions
    """Another kind of question of each line, so that every line and every kind is taught three times in four."""
    return {pairs()[4 * line + line % 4][0] for line in range(len(FILM))}


def text_of_the_film(seed=0):  # -> str
    """Sentences about the film and questions about it, a line each, in runs of one kind."""
    rng, lines = np.random.default_rng(seed), []
    told = [f"{who} {did} {where}." for who, did, where in FILM] + [f"{where} {did} {who}." for who, did, where in FILM]
    asked = [question for question, _ in pairs()]
    while len(lines) < 2 * LINES:
        for kind in (told, asked):
            lines += [kind[k] for k in rng.permutation(len(kind))[: rng.integers(4, 9)]]
    return "\n".join(lines) + "\n"


def rows(tokenizer, taught, rng):  # BPE, [(question, answer)], a NumPy generator -> Answers
    """Rows of a question and its answer, every second one after another pair; only the last answer counts."""
    ids, mask = torch.zeros(ROWS, LENGTH + 1, dtype=torch.long), torch.zeros(ROWS, LENGTH, dtype=torch.bool)
    for row in range(ROWS):
        first, (question, answer) = (taught[k] for k in rng.integers(0, len(taught), 2))
        before = f"{first[0]}\n{first[1]}\n" if row % 2 else ""
        asked, whole = (tokenizer.encode(text) for text in (f"{before}{question}\n", f"{before}{question}\n{answer}\n"))
        ids[row, : len(whole)] = torch.as_tensor(whole)
        mask[row, len(asked) - 1 : len(whole) - 1] = True
    return Answers(ids, mask, torch.ones(ROWS), ("",) * ROWS)


def answer(writer, question, most=40):  # PageWriter, str -> str
    """What it writes after the question and a new line, up to the next one; always the likeliest letter."""
    text = asked = f"{question}\n"
    while len(text) < len(asked) + most and (text == asked or text[-1] != "\n"):
        text = writer.write(text, 1, top_k=1)
    return text[len(asked) :].removesuffix("\n")


def measure(seed=0, threads=1, plan=PLAN, tuning=TUNING):  # -> JSON-able, for `python -m pencil record film`
    """Train the writer on the film, tune a copy on pairs, and ask both every question."""
    torch.set_num_threads(threads)
    writer, _ = train_writer(text_of_the_film(seed), plan)
    taught = [pair for pair in pairs() if pair[0] not in held_out()]
    tuned = TinyGPT(deepcopy(writer.model), writer.tokenizer)
    losses = sft(tuned, rows(writer.tokenizer, taught, np.random.default_rng(seed)), tuning, torch.Generator().manual_seed(seed))
    stored = {"before": pack(state_arrays(writer.model)), "after": pack(state_arrays(tuned.model))}
    vocabulary = list(writer.tokenizer.pieces)
    packed = {which: page_writer.read(records.Record(which, {}, {"vocabulary": vocabulary, **one})) for which, one in stored.items()}
    return {
        "asked": [_asked(packed, *pair) for pair in pairs()],
        "steps": {"before": plan.training.epochs * plan.windows // plan.training.batch_size, "after": tuning.steps},
        "loss": records.as_recorded(losses[-1]),
        "vocabulary": vocabulary,
        **stored,
    }


def _asked(writers, question, right):  # -> an entry of the record
    told = {which: answer(writer, question) for which, writer in writers.items()}
    return {"question": question, "right": right, "taught": question not in held_out(), **told}
