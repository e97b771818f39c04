"""Masked language modelling on reviews without labels, then fine-tuning on the labels (Devlin et al. 2019, without random replacements).

Pre-training reads random windows of the training set's texts. The fine-tuned models are evaluated on the validation set; the test set is
not used. As an ablation, the mean-embedding classifier is fine-tuned from the same pretrained embeddings.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F

from pencil.experiments.contest import entrants
from pencil.experiments.contest.encoding import Encoded
from pencil.experiments.contest.entrants import Splits
from pencil.experiments.contest.whole_block import fit, splits
from pencil.experiments.records import as_recorded
from pencil.experiments.training.batches import in_batches
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.jobs import results, run_all, scratch
from pencil.experiments.training.loop import train
from pencil.model.transformers import Encoder

WINDOW, TEXT, BLANKS, SEEDS = 100, 400, 0.15, (0, 1, 2)  # tokens of a window, and of the truncated review that it is drawn from; masked share
PRETRAINING = TrainingConfig(epochs=5, lr=3e-3, warmup_steps=200, linear_decay=True, grad_clip=1.0, monitor="val_loss")
FINE_TUNING = {20_000: TrainingConfig(), 1_000: TrainingConfig(epochs=10, batch_size=16)}  # by the number of labels
MODELS = (entrants.WITH_POSITIONS, "Averages")


@dataclass(frozen=True)
class BlankTask:
    """Masked language modelling: draw a window from each text, replace random words by `mask_id`, and predict them."""

    train: Encoded
    validation: Encoded
    mask_id: int

    def batches(self, seed, epoch, size):  # -> list of arrays of indices
        """Every text once, shuffled."""
        return in_batches(np.random.default_rng((seed, epoch)).permutation(len(self.train)), size)

    def loss(self, model, index, device):  # -> tensor ()
        """The mean cross-entropy of the masked words, times the number of texts."""
        logits, words = self._fill(model, self.train, index, device)
        return F.cross_entropy(logits, words) * len(index)

    def eval_batches(self, size):  # -> list of arrays of indices
        """The whole validation set."""
        return in_batches(np.arange(len(self.validation)), size)

    def metrics(self, model, index, device):  # -> {name: mean over the masked words, times the number of texts}
        """Accuracy and loss; the masks are the same at each evaluation."""
        logits, words = self._fill(model, self.validation, index, device, torch.Generator().manual_seed(int(index[0])))
        return {"filled": (logits.argmax(-1) == words).float().mean() * len(index), "val_loss": F.cross_entropy(logits, words) * len(index)}

    def _fill(self, model, encoded, index, device, generator=None):  # -> logits (masked words, vocabulary), their ids
        ids = windows(torch.from_numpy(encoded.ids[index]).long(), generator)
        blank = (torch.rand(ids.shape, generator=generator) < BLANKS) & (ids != 0)
        rows = Encoder.forward(model, ids.masked_fill(blank, self.mask_id).to(device))[blank.to(device)]
        return F.linear(rows, model.embedding), ids[blank].to(device)


def windows(ids, generator=None, length=WINDOW):  # (texts, T) -> (texts, length)
    """A random window of each text, without padding if the text is long enough."""
    room = ((ids != 0).sum(1) - length).clamp(min=0)
    start = (torch.rand(len(ids), generator=generator) * (room + 1)).long()
    return ids.gather(1, start[:, None] + torch.arange(length))


@cache
def pretrained(source, seed, config=PRETRAINING):  # -> state dict, {metric: value of each epoch}
    """Pre-train the Transformer with positions, resuming from a checkpoint. The last row of its embedding is that of the mask token."""
    given, texts = splits(source, WINDOW), splits(source, TEXT)
    mask_id = given.vocabulary.num_embeddings
    model = entrants.build_block(mask_id + 1, WINDOW, seed)
    task = BlankTask(texts.train, texts.validation, mask_id)
    trained = train(model, task, replace(config, seed=seed), scratch(f"pretraining-{source}") / f"blanks-{seed}", description="blanks")
    curve = {name: as_recorded(trained.column(name)) for name in ("loss", "val_loss", "filled")}
    return {key: value.clone() for key, value in model.state_dict().items()}, curve


def build_model(name, mask_id, seed, learned=None):  # -> module
    """A model for fine-tuning: new, or initialized from a pretrained state dict `learned`, except for its head."""
    model = entrants.build_block(mask_id + 1, WINDOW, seed) if name == entrants.WITH_POSITIONS else entrants.build_model(name, mask_id + 1, seed)
    if learned is not None:
        own = model.state_dict()
        model.load_state_dict({key: value if key.startswith("head") else learned[key] for key, value in own.items()})
    return model


def one_run(source, name, labels, seed, from_blanks, configs=(FINE_TUNING, PRETRAINING), pretraining_seed=0):  # -> JSON-able
    """Fine-tune one model on `labels` random reviews of the training set, which are the same for all models."""
    given = splits(source, WINDOW)
    drawn = np.random.default_rng(0).permutation(len(given.train))[:labels]  # the data set is sorted by label
    few = Splits(given.vocabulary, given.train[drawn], given.validation, given.test)
    learned = pretrained(source, pretraining_seed, configs[1])[0] if from_blanks else None
    model = build_model(name, given.vocabulary.num_embeddings, seed, learned)
    _, found = fit(model, few, replace(configs[0][labels], seed=seed), name)
    return {"model": name, "labels": labels, "pretrained": from_blanks, "seed": seed} | found


def measure(seed=0, threads=1, only_done=False, source="full", configs=(FINE_TUNING, PRETRAINING)):  # -> JSON-able, for `record pretraining`
    """Pre-train once, then fine-tune every model with each number of labels and each seed.

    Models without pre-training are run with the smallest number of labels only; with all labels they are in other records.
    """
    torch.set_num_threads(threads)
    folder, few = scratch(f"pretraining-{source}"), min(configs[0])
    asked = [(True, few), (False, few)] + [(True, labels) for labels in configs[0] if labels > few]
    runs = [(name, labels, seed + number, blank) for blank, labels in asked for number in SEEDS for name in MODELS]
    blanks = f"blanks-{seed}"
    listed = {blanks: lambda: pretrained(source, seed, configs[1])[1]}
    for run in runs:
        listed["-".join(map(str, (*run, blanks)))] = lambda given=run: one_run(source, *given, configs, seed)
    run_all(listed, folder, only_done)
    done = results(listed, folder)
    return {"source": source, "window": WINDOW, "share": BLANKS, "blanks": done.pop(blanks, None), "runs": list(done.values())}
