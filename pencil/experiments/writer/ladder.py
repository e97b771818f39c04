"""A scaling law: tiny GPTs of growing width on film reviews, and one long run on Shakespeare (chapter 14c).

Each model (rung) is trained on `LETTERS_A_WEIGHT` characters per block parameter (Kaplan et al. 2020, figure 1).
`python -m pencil record writer_ladder --threads 1` has the sizes for a CPU: a power law fitted to all but the last predicts the loss of the
last. `--device cuda` repeats the larger ones and goes on; its long run has the sizes, dropout and 5,000 steps of nanoGPT's GPU run, and a
second one of these sizes is on film reviews, without dropout.
"""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import clock
from pencil.experiments.training.jobs import results, run_all, scratch
from pencil.experiments.training.loop import train
from pencil.experiments.writer.samples import watch
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import SHARED, Plan, TinyGPT, build_model, make_splits, write
from pencil.model.config import Config
from pencil.reference.bpe import BPE
from pencil.reference.generation import count_ngrams, next_token_probs

WIDTHS = {"cpu": (16, 24, 32, 48, 64, 96), "cuda": (32, 48, 64, 96, 128, 192)}  # by device
LAYERS, HEAD, LENGTH, BATCH, LETTERS_A_WEIGHT = 2, 16, 64, 16, 40
LETTERS = tuple("\n" + "".join(map(chr, range(32, 127))))  # the vocabulary; all other characters are dropped
SEALED = 100_000  # characters of the test text
PROMPT, COUNT, ORDERS = "This film ", 300, (1, 2, 3, 4, 5, 6)
LONG = {  # by device
    "cpu": Plan(Config(192, 6, n_layers=4, max_len=128), TrainingConfig(epochs=5, batch_size=16, lr=2e-3, betas=(0.9, 0.99), **SHARED), windows=8000),
    "cuda": Plan(
        Config(384, 6, n_layers=6, max_len=256),
        TrainingConfig(epochs=10, batch_size=64, lr=1e-3, betas=(0.9, 0.99), device="cuda", amp=True, **SHARED),
        windows=32_000,
        dropout=0.2,
    ),
}
LONG_REVIEWS = {"cuda": replace(LONG["cuda"], dropout=0.0)}  # no dropout, for most letters are read twice or three times only


@cache
def review_ids(n_train=None):  # -> training ids (at most n_train,), test ids (SEALED,)
    """IMDB's reviews as character ids, shuffled, one per line: the start of the training set, and of the test set.

    None, and more than there are (33 million), means all of the training set.
    """
    from pencil.data.reviews import load

    table = np.full(0x110000, -1)
    table[[ord(letter) for letter in LETTERS]] = range(len(LETTERS))
    found = []
    for split, count in ((load("full").train, n_train), (load("full").test, SEALED)):
        order = np.random.default_rng(0).permutation(len(split.texts))
        text = "\n".join(split.texts[k].replace("<br />", " ") for k in order)
        ids = table[np.frombuffer(text.encode("utf-32-le"), np.uint32)]
        found.append(ids[ids >= 0][:count])
    return tuple(found)


def plan_of(width, letters_a_weight=LETTERS_A_WEIGHT, seed=0, device="cpu"):  # -> Plan
    """The plan of a model of this width, whose blocks have about 12 · layers · width² parameters."""
    steps = letters_a_weight * 12 * LAYERS * width**2 // (BATCH * LENGTH)
    sizes = Config(width, max(width // HEAD, 1), n_layers=LAYERS, max_len=LENGTH)
    rate = 6e-3 * (48 / width) ** 0.5
    training = TrainingConfig(epochs=1, batch_size=BATCH, lr=rate, seed=seed, device=device, betas=(0.9, 0.99), **SHARED)
    return Plan(sizes, training, windows=steps * BATCH)


def rung(width, n_train, **asked):  # -> JSON-able
    """Train one model, and evaluate it; `asked` goes to `plan_of`."""
    plan, (train_ids, test_ids) = plan_of(width, **asked), review_ids(n_train)
    tokenizer, now = BPE((), LETTERS), clock(plan.training.device)
    start = now()
    writer = TinyGPT(build_model(plan.sizes, tokenizer, plan.training.seed), tokenizer)
    trained = train(writer.model, TextTask(train_ids, test_ids, LENGTH, plan.windows), plan.training, description=f"{width} wide")
    return {
        "d_model": width,
        "n_parameters": sum(p.numel() for p in writer.model.parameters()),
        "n_block_parameters": sum(p.numel() for p in writer.model.stack.parameters()),
        "steps": plan.windows // BATCH,
        "letters": plan.windows * LENGTH,
        "loss": as_recorded(trained.history[-1]["val_loss"]),
        "seconds": as_recorded(now() - start),
        "text": write(writer, PROMPT, COUNT, 0.8, seed=plan.training.seed),
    }


def ngrams(n_train):  # -> {order: loss}
    """The test losses of n-gram models counted on `n_train` characters."""
    train_ids, test_ids = review_ids(n_train)
    counted = {order: count_ngrams(train_ids, order=order, vocab_size=len(LETTERS)) for order in ORDERS}
    return {str(order): as_recorded(float(-np.log(next_token_probs(each, test_ids)[1:]).mean())) for order, each in counted.items()}


def long_run(plan, splits, folder, seed=0, prompt="\n", description="long run"):  # -> JSON-able
    """A larger model, trained longer: losses and seconds after each epoch, and samples. Resumes from `folder`; `splits` as of `make_splits`."""
    plan = replace(plan, training=replace(plan.training, seed=seed))
    sizes, training = plan.sizes, plan.training
    writer, seen = watch(plan, splits, range(1, training.epochs), prompt, COUNT, description, folder)
    return {
        "sizes": {"d_model": sizes.d_model, "n_heads": sizes.n_heads, "n_layers": sizes.n_layers, "max_len": sizes.max_len},
        "n_parameters": sum(p.numel() for p in writer.model.parameters()),
        "batch": training.batch_size,
        "seen": seen,
        "samples": [write(writer, prompt, COUNT, 0.8, seed=k) for k in (1, 2)],
    }


def _on_shakespeare(device, **run):
    from pencil.data.text import load

    return long_run(LONG[device], make_splits(load("full")), description="Shakespeare", **run)


def _on_reviews(device, **run):
    return long_run(LONG_REVIEWS[device], (BPE((), LETTERS), *review_ids()), prompt=PROMPT, description="film reviews", **run)


def jobs_of(device, seed=0):  # -> {key: function () -> JSON-able}, the folder of their results
    """The models, the n-grams and the long runs. Raises ValueError for a device without an entry in WIDTHS."""
    if device not in WIDTHS:
        raise ValueError(f"the ladder has no widths for the device {device!r}; take {' or '.join(WIDTHS)}")
    widths, folder = WIDTHS[device], scratch(f"writer-ladder-{device}-{seed}")
    n_train = LETTERS_A_WEIGHT * 12 * LAYERS * widths[-1] ** 2 + LENGTH + 1
    jobs = {f"rung-{width}": partial(rung, width, n_train, seed=seed, device=device) for width in widths}
    jobs |= {"ngrams": lambda: {"loss": ngrams(n_train)}, "long": partial(_on_shakespeare, device, folder=folder / "long-run", seed=seed)}
    if device in LONG_REVIEWS:
        jobs["long_reviews"] = partial(_on_reviews, device, folder=folder / "long-run-on-reviews", seed=seed)
    return jobs, folder


def measure(seed=0, threads=1, only_done=False, device="cpu"):  # -> JSON-able, for `python -m pencil record writer_ladder`
    """Run the missing jobs (none with `only_done`): models, n-grams and the long runs. Raises ValueError as `jobs_of` does."""
    jobs, folder = jobs_of(device, seed)
    torch.set_num_threads(threads)
    run_all(jobs, folder, only_done)
    found = results(jobs, folder)
    rungs = {key: found.get(key) for key in jobs if key.startswith("rung-")}
    others = {key: found.get(key) for key in jobs if key not in rungs}
    return {"letters_a_weight": LETTERS_A_WEIGHT, "sealed": SEALED, "rungs": [rung for rung in rungs.values() if rung], **others}
