"""What a tiny GPT writes before it is trained, on the way, and in the end: for the record."""

from dataclasses import dataclass, replace

import torch

from pencil.experiments import records
from pencil.experiments.records import as_recorded
from pencil.experiments.training.loop import evaluate, train
from pencil.experiments.writer import page_writer
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import SHORT, TinyGPT, build_model, make_splits, write

PROMPT, COUNT, TEMPERATURE = "The film ", 90, 0.8


@dataclass(frozen=True)
class _Sampled(TextTask):
    """The task, with a sample before each epoch."""

    writer: TinyGPT = None
    texts: list = None

    def batches(self, seed, epoch, size):
        """As the task's."""
        self.texts.append(write(self.writer, PROMPT, COUNT, TEMPERATURE, seed=seed))
        return super().batches(seed, epoch, size)


def measure(seed=0, threads=1, plan=SHORT):  # -> JSON-able, for `python -m pencil record writer_samples`
    """Samples of one prompt: untrained, after one epoch, after the last, and of the writer that the page carries."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    plan = replace(plan, training=replace(plan.training, seed=seed))
    tokenizer, train_ids, test_ids = make_splits(load(), plan.merges)
    writer, texts = TinyGPT(build_model(plan.sizes, tokenizer, seed), tokenizer), []
    task = _Sampled(train_ids, test_ids, plan.sizes.max_len, plan.windows, writer, texts)
    untrained = evaluate(writer.model, task)["val_loss"]
    losses = [untrained, *train(writer.model, task, plan.training).column("val_loss")]
    texts.append(write(writer, PROMPT, COUNT, TEMPERATURE, seed=seed))
    samples = [{"passes": k, "loss": as_recorded(losses[k]), "text": texts[k]} for k in (0, 1, plan.training.epochs)]
    carried = records.read("writer")
    text = page_writer.read(carried).write(PROMPT, COUNT, TEMPERATURE, seed=seed)
    return {"temperature": TEMPERATURE, "samples": [*samples, {"passes": None, "loss": carried["val_loss_in_int8"], "text": text}]}
