"""Samples of the page's tiny GPT before, during and after training, and of n-grams.

`python -m pencil record writer_samples --threads 1 --checkpoint FILE` trains the model and saves it to FILE, which `record writer` quantizes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import clock
from pencil.experiments.training.loop import evaluate, train
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import IN_PAGE, SHORT, TinyGPT, build_model, make_splits, save, write, write_by_counting
from pencil.paths import write_whole

PROMPT, COUNT, TEMPERATURE, ORDERS = "The film ", 90, 0.8, (1, 2, 3, 4, 5)
PLAN = replace(IN_PAGE, training=replace(IN_PAGE.training, epochs=60, decay_all=True))  # of the page's model
SAMPLED = (0, 1, 10)  # epochs after which a sample is taken, besides the last
FEW_LETTERS, FEW_PASSES = 20_000, 12  # characters and epochs of the run that overfits


@dataclass(frozen=True)
class WatchedTask(TextTask):
    """A TextTask with a callback `look`, called with the number of finished epochs before each epoch."""

    look: Callable = None

    def batches(self, seed, epoch, size):
        """As in TextTask."""
        self.look(epoch - 1)
        return super().batches(seed, epoch, size)


def eval_loss(model, ids, length, stride=None):  # -> float
    """The loss per token on a text, in the windows of `eval_windows`, which explains `stride`."""
    return evaluate(model, TextTask(ids, ids, length, stride=stride), TrainingConfig(device=next(model.parameters()).device.type))["val_loss"]


def watch(plan, splits, sampled=SAMPLED, prompt=PROMPT, count=COUNT, description="tiny GPT", folder=None):  # -> TinyGPT, list of dicts
    """Train, and after some epochs and the last record the test loss, the loss on as much training text, and a sample.

    With a folder, the run saves its checkpoints and records there, resumes from them, and records its seconds by `clock` as well.
    """
    (tokenizer, train_ids, test_ids), length = splits, plan.sizes.max_len
    writer = TinyGPT(build_model(plan.sizes, tokenizer, plan.training.seed, plan.dropout), tokenizer)
    steps = -(-plan.windows // plan.training.batch_size)
    notes = None if folder is None else Path(folder) / "seen.json"
    seen = json.loads(notes.read_text(encoding="utf-8")) if notes and notes.is_file() else []
    now = clock(plan.training.device)
    before, start = seen[-1]["seconds"] if seen and notes else 0.0, now()

    def look(passes):
        if passes in (*sampled, plan.training.epochs) and passes not in [one["passes"] for one in seen]:
            spent = {"seconds": as_recorded(before + now() - start)} if notes else {}
            losses = {"loss": test_ids, "train_loss": train_ids[-len(test_ids) :]}
            losses = {name: as_recorded(eval_loss(writer.model, ids, length)) for name, ids in losses.items()}
            text = write(writer, prompt, count, TEMPERATURE, seed=plan.training.seed)
            seen.append({"passes": passes, "steps": passes * steps, **losses, **spent, "text": text})
            if notes:
                notes.parent.mkdir(parents=True, exist_ok=True)
                write_whole(notes, json.dumps(seen))

    train(writer.model, WatchedTask(train_ids, test_ids, length, plan.windows, look=look), plan.training, folder, description=description)
    look(plan.training.epochs)
    return writer, seen


def overfit(splits, seed=0, letters=FEW_LETTERS, passes=FEW_PASSES, plan=SHORT):  # -> JSON-able
    """Train on the first characters only, which the model overfits: test loss and training loss by epoch."""
    tokenizer, train_ids, test_ids = splits
    plan = replace(plan, training=replace(plan.training, seed=seed, epochs=passes))
    _, seen = watch(plan, (tokenizer, train_ids[:letters], test_ids[:letters]), range(passes), count=1, description="few letters")
    return {"letters": letters, **{name: [one[name] for one in seen] for name in ("passes", "loss", "train_loss")}}


def measure(seed=0, threads=1, plan=PLAN, checkpoint=None):  # -> JSON-able, for `python -m pencil record writer_samples`
    """Samples of one prompt during training, samples of n-grams, and the losses of a model that overfits."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    text, plan = load(), replace(plan, training=replace(plan.training, seed=seed))
    splits = make_splits(text, plan.merges)
    writer, seen = watch(plan, splits)
    if checkpoint:
        save(checkpoint, writer)
    counted = {str(order): write_by_counting(text, order, PROMPT, COUNT, TEMPERATURE, seed=seed) for order in ORDERS}
    return {"temperature": TEMPERATURE, "samples": seen, "counted": counted, "overfit": overfit(splits, seed)}
