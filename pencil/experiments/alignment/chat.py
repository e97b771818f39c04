"""The record of chapter 14b's chat: a tiny GPT learns to write about an invented film, then to answer, from pairs. Both writers are kept in int8."""

from dataclasses import asdict, replace
from time import process_time

import torch

from pencil.experiments.alignment import film
from pencil.experiments.alignment.answers import Answers
from pencil.experiments.alignment.chat_writer import ANSWER, END, MAX_NEW_TOKENS
from pencil.experiments.alignment.tuning import Tuning, sft
from pencil.experiments.quantization import pack, unpack
from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import SHARED, TEST_SHARE, Plan, TinyGPT, build_model, train_tokenizer
from pencil.model.config import Config
from pencil.model.generation import generate
from pencil.model.module import load_arrays, state_arrays

PLAN = Plan(Config(32, 4, n_layers=2, max_len=64), TrainingConfig(epochs=8, batch_size=32, lr=6e-3, **SHARED), windows=1600)
TUNING = Tuning(steps=200, batch=32, lr=2e-3)
QUESTIONS = (*(question for question, _ in film.held_out()), *film.UNANSWERABLE)
PARAGRAPHS = 120  # of the text to learn to write from


def measure(seed=0, threads=1, plan=PLAN, tuning=TUNING, paragraphs=PARAGRAPHS):  # -> JSON-able, for `python -m pencil record chat`
    """Train on the text, then fine-tune on the pairs; ask both writers, with their weights in int8, every question."""
    torch.set_num_threads(threads)
    start, text = process_time(), film.plain_text(paragraphs, seed)
    plan = replace(plan, training=replace(plan.training, seed=seed))
    writer, trained = _pretrained(text, plan)
    packed = {"before": pack(state_arrays(writer.model))}
    sft(writer, as_answers(writer, film.pairs()), tuning, torch.Generator().manual_seed(seed))
    packed["after"] = pack(state_arrays(writer.model))
    accuracy, told = {}, {}
    for when, mark in (("before", ""), ("after", ANSWER)):
        load_arrays(writer.model, unpack(packed[when]))
        accuracy[when] = {name: share_answered(writer, asked, mark) for name, asked in (("seen", film.pairs()), ("held_out", film.held_out()))}
        told[when] = answers(writer, QUESTIONS, mark)
    probs = _probs(writer, list(zip(QUESTIONS, told["after"], strict=True)))
    sizes = plan.sizes
    return {
        "sizes": {"d_model": sizes.d_model, "n_heads": sizes.n_heads, "n_layers": sizes.n_layers, "max_len": sizes.max_len},
        "n_parameters": sum(p.numel() for p in writer.model.parameters()),
        "letters": len(text),
        "loss": as_recorded(trained.column("loss")),
        "val_loss": as_recorded(trained.column("val_loss")),
        "pairs": len(film.pairs()),
        "tuning": asdict(tuning),
        "accuracy": accuracy,
        "questions": list(QUESTIONS),
        "answers": told,
        "probs": probs,
        "cpu_seconds": as_recorded(process_time() - start),
        "vocabulary": list(writer.tokenizer.pieces),
        "writers": packed,
    }


def _pretrained(text, plan):  # -> TinyGPT, TrainingResult; ANSWER and END are in its vocabulary, and in no text yet
    tokenizer = train_tokenizer(text, initial_alphabet=text + ANSWER + END)
    ids, model = tokenizer.encode(text), build_model(plan.sizes, tokenizer, plan.training.seed)
    cut = len(ids) - int(TEST_SHARE * len(ids))
    task = TextTask(ids[:cut], ids[cut:], plan.sizes.max_len, plan.windows)
    return TinyGPT(model, tokenizer), train(model, task, plan.training, description="the film")


def as_answers(writer, pairs):  # [(question, answer)] -> Answers
    """Each pair as one row: the question, ANSWER, the answer, END. Only what comes after ANSWER counts in the loss."""
    rows = [writer.tokenizer.encode(question + ANSWER + answer + END).tolist() for question, answer in pairs]
    width = max(map(len, rows))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
    first, length = (torch.tensor(column)[:, None] for column in ([len(question) + 1 for question, _ in pairs], list(map(len, rows))))
    column = torch.arange(1, width)
    return Answers(ids, (column >= first) & (column < length), torch.ones(len(rows)), tuple(answer for _, answer in pairs))


def answers(writer, questions, mark=ANSWER):  # [str] -> [str]
    """What a TinyGPT writes after each question and `mark`, the likeliest letter each time, up to END or for MAX_NEW_TOKENS letters."""
    tokenizer = writer.tokenizer
    prompts = [tokenizer.encode(question + mark).tolist() for question in questions]
    written = generate(writer.model.eval(), prompts, max_new_tokens=MAX_NEW_TOKENS, temperature=0, end=tokenizer.pieces.index(END))
    return [tokenizer.decode(ids).removesuffix(END) for ids in written]


def share_answered(writer, pairs, mark):  # -> share of the questions after which the writer writes the answer
    """A question counts as answered where its answer is in what is written, at any place."""
    questions, expected = zip(*pairs, strict=True)
    return as_recorded(sum(answer in said for answer, said in zip(expected, answers(writer, questions, mark), strict=True)) / len(pairs))


@torch.no_grad()
def _probs(writer, pairs):  # -> the probability of each whole answer: the product of those of its letters and of END
    return as_recorded(as_answers(writer, pairs).log_probs(writer.model).sum(-1).exp().tolist())
