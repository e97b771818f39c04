"""The record of chapter 14b: how often the preference is met before and after each method, and how far the model has moved from the start."""

from copy import deepcopy
from dataclasses import asdict, replace
from time import process_time

import torch

from pencil.experiments.alignment.answers import write_answers
from pencil.experiments.alignment.tuning import Tuning, dpo, grpo, sft
from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import evaluate
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import SHARED, Plan, TinyGPT, make_splits, train_writer
from pencil.model.config import Config

PLAN = Plan(Config(96, 4, n_layers=3, max_len=64), TrainingConfig(epochs=20, batch_size=32, lr=4e-3, **SHARED), windows=3200)
POOL, JUDGED, SHOWN = 4000, 1000, 6  # numbers of answers: to learn from; to evaluate; to show
TUNINGS = {
    "sft": Tuning(steps=100, batch=32, lr=1e-4),
    "dpo": Tuning(steps=100, batch=32, lr=5e-5, beta=0.5),
    "reinforce": Tuning(steps=60, lr=1e-4, normalize=False),
    "grpo": Tuning(steps=60, lr=1e-4, beta=0.3, updates=2),
}


def measure(seed=0, threads=1, plan=PLAN, pool=POOL, tunings=TUNINGS):  # -> JSON-able, for `python -m pencil record wishes`
    """Train a tiny GPT on the embedded reviews, then fine-tune copies of it by each method."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    text, start = load(), process_time()
    writer, _ = train_writer(text, replace(plan, training=replace(plan.training, seed=seed)))
    test_task = TextTask(*make_splits(text, plan.merges)[1:], plan.sizes.max_len)
    answers = write_answers(writer, pool, _generator(seed, 1))
    found = {"writer": _judged(writer, writer.model, test_task, seed)}
    for name, tuning in tunings.items():
        taught = TinyGPT(deepcopy(writer.model), writer.tokenizer)
        told = _teach(name, taught, writer.model, answers, tuning, _generator(seed, 2))
        found[name] = _judged(taught, writer.model, test_task, seed) | told | {"tuning": asdict(tuning)}
    sizes = plan.sizes
    return {
        "sizes": {"d_model": sizes.d_model, "n_heads": sizes.n_heads, "n_layers": sizes.n_layers, "max_len": sizes.max_len},
        "n_parameters": sum(p.numel() for p in writer.model.parameters()),
        "pool": {"answers": pool, "met": int(answers.rewards.sum())},
        "judged": JUDGED,
        "taught": found,
        "cpu_seconds": as_recorded(process_time() - start),
    }


def _teach(name, writer, reference, answers, tuning, generator):  # fine-tunes in place -> further entries of the record
    good, bad = (answers.take(torch.nonzero(answers.rewards == met)[:, 0]) for met in (1, 0))
    if name == "sft":
        sft(writer, good, tuning, generator)
        return {}
    if name == "dpo":
        bad = bad.take(torch.randperm(len(bad), generator=generator)[: len(good)])
        before = _log_probs(reference, good, bad)
        dpo(writer, reference, good, bad, tuning, generator)
        return {"pairs": len(good), "log_prob_before": before, "log_prob_after": _log_probs(writer.model, good, bad)}
    return {"curve": as_recorded(grpo(writer, reference, tuning, generator))}


@torch.no_grad()
def _log_probs(model, good, bad):  # -> mean log-probability of the chosen answers, and of the rejected ones
    return as_recorded([each.log_probs(model).sum(-1).mean().item() for each in (good, bad)])


@torch.no_grad()
def _judged(writer, reference, test_task, seed):  # -> statistics of its answers, and its loss on the test text
    answers = write_answers(writer, JUDGED, _generator(seed, 3))
    away = (answers.log_probs(writer.model) - answers.log_probs(reference)).sum(-1)
    return {
        "met": as_recorded(answers.rewards.mean().item()),
        "distinct": len(set(answers.texts)),
        "letters": as_recorded(answers.mask.sum(-1).double().mean().item()),
        "kl": as_recorded(away.double().mean().item()),
        "loss": as_recorded(evaluate(writer.model, test_task)["val_loss"]),
        "samples": list(dict.fromkeys(answers.texts))[:SHOWN],
    }


def _generator(seed, number):
    return torch.Generator().manual_seed(1000 * seed + number)
