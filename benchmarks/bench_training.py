"""Training speed of the contest's four models relative to Keras, in one run.

An epoch on the same reviews in batches of 64: forward, backward and Adam. Ours and Keras' are timed in interleaved rounds; the median
counts. Sizes, dropout, masking and number of parameters are the same. Keras runs on torch, and on TensorFlow if that is installed
(`pip install tensorflow-cpu`). On one thread, CPU time is measured instead of wall-clock time. Run it with `make bench`.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

WIDTHS = "{:<10}{:<14}{:<10}{:>16}{:>16}{:>10}{:>10}".format
BACKENDS = ("torch", "tensorflow")
SEED = 0  # of ours and of Keras'
PACKAGES = ("torch", "keras", "tensorflow", "tensorflow-cpu")  # for the provenance; TensorFlow has two package names


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", choices=BACKENDS, help="of Keras: torch, then TensorFlow where it is installed")
    parser.add_argument(
        "--data", nargs="+", choices=["embedded", "full"], default=["embedded"], help="the book's short reviews; IMDB's fill all slots"
    )
    parser.add_argument("--machine", nargs="+", help="only these: SimpleRNN LSTM BiLSTM Transformer")
    parser.add_argument("--reviews", type=int, default=1280)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of the CPU: 1")
    parser.add_argument("--record", type=Path, help="write what was measured to this file, with where and when")
    return parser.parse_args(argv)


def keras_model(name, rows, slots, masked):
    """The same model as the post writes it, with or without masking; `rows` of the embedding, `slots` of a text."""
    import keras
    from keras import layers

    ids = keras.Input((slots,))
    x = layers.Embedding(rows, 32, mask_zero=masked)(ids)
    if name == "Transformer":
        x = layers.MultiHeadAttention(2, 32)(x, x)
        x = layers.GlobalAveragePooling1D()(x)
    else:
        walk = layers.SimpleRNN(32) if name == "SimpleRNN" else layers.LSTM(32)
        x = (layers.Bidirectional(walk) if name == "BiLSTM" else walk)(x)
    x = layers.Dense(20, activation="relu")(layers.Dropout(0.1)(x))
    made = keras.Model(ids, layers.Dense(1, activation="sigmoid")(layers.Dropout(0.1)(x)))
    made.compile(loss="binary_crossentropy", optimizer="adam")
    return made


def passes(name, sheets, rows, masked):
    """Functions that train one epoch, ours and Keras'."""
    from pencil.experiments.contest import entrants
    from pencil.experiments.contest.reviews_task import ReviewsTask
    from pencil.experiments.training.config import TrainingConfig
    from pencil.experiments.training.loop import train

    ours, theirs = entrants.build_model(name, rows, SEED, masked), keras_model(name, rows, sheets.ids.shape[1], masked)
    counts = [sum(p.numel() for p in ours.parameters() if p.requires_grad), theirs.count_params()]
    assert counts[0] == counts[1], counts
    lesson, once = ReviewsTask(sheets, sheets[:1], masked), TrainingConfig(epochs=1, seed=SEED)
    labels = sheets.labels.astype("float32")[:, None]
    return lambda: train(ours, lesson, once), lambda: theirs.fit(sheets.ids, labels, batch_size=64, verbose=0)


def measure(given):
    """Yield the rows: reviews per second of ours and of Keras', and the speedup."""
    from parts.clock import cpu_timer

    from pencil.data.reviews import load
    from pencil.experiments.contest.encoding import encode
    from pencil.experiments.contest.entrants import FOUR

    timer = cpu_timer()
    for data in given.data:
        words, sheets, _ = encode(load(data))
        sheets = sheets[:: max(1, len(sheets) // given.reviews)][: given.reviews]  # evenly spaced, since IMDB is sorted by label
        for masked, name in product((True, False), given.machine or FOUR):
            runs = passes(name, sheets, words.num_embeddings, masked)
            for run in runs:
                run()  # warm-up
            taken = [[timer(run) for run in runs] for _ in range(given.rounds)]
            ours, theirs = (len(sheets) / median(column) for column in zip(*taken, strict=True))
            what = {"backend": given.backend, "data": data, "model": name, "masked": masked}
            yield what | {"ours": ours, "keras": theirs, "faster": ours / theirs}


def table(given):  # -> rows
    """Print the rows of one backend as they come. Each backend needs a process, since Keras chooses its backend at import."""
    os.environ["KERAS_BACKEND"] = given.backend
    import keras
    import torch

    from pencil.rounding import show

    keras.utils.set_random_seed(SEED)
    torch.set_num_threads(given.threads)
    if given.backend == "tensorflow":
        import tensorflow

        for limit in (tensorflow.config.threading.set_intra_op_parallelism_threads, tensorflow.config.threading.set_inter_op_parallelism_threads):
            limit(given.threads)
    print(f"training against Keras {keras.__version__} on {given.backend}: {given.reviews} reviews of 100 slots, {given.threads} thread(s)")
    print(WIDTHS("data", "model", "padding", "ours, a second", "Keras', a second", "× faster", "recorded"))
    rows, known = [], recorded()
    for row in measure(given):
        rows.append(row)
        before = known.get(what_of(row))
        numbers = show(row["ours"], 0), show(row["keras"], 0), show(row["faster"], 2), show(before, 2) if before else "–"
        print(WIDTHS(row["data"], row["model"], "masked" if row["masked"] else "bare", *numbers), flush=True)
    return rows


def what_of(row):  # -> what a row measures
    return tuple(row[name] for name in ("backend", "data", "model", "masked"))


def recorded():  # -> {key of a row: speedup}
    """The recorded speedups, to print beside new ones; ratios are comparable across machines."""
    from pencil.experiments import records

    return {what_of(row): row["faster"] for row in records.read("bench_training_cpu")["rows"]}


def record(given, argv, rows):
    """The record: the rows with their provenance."""
    from pencil.experiments import records

    command = shlex.join(["python", "benchmarks/bench_training.py", *argv])
    setting = {"reviews": given.reviews, "rounds": given.rounds, "threads": given.threads, "keras_seed": SEED}
    read = {f"{data} reviews": hash_of(data) for data in given.data}
    records.write(given.record, setting | {"rows": rows}, records.provenance(command, SEED, records.cpu(given.threads), read, PACKAGES))


def hash_of(data):  # -> hex
    """The sha256 of the training set: its texts, one per line, and its labels, a byte each."""
    from pencil.data.reviews import load

    pile = load(data).train
    return sha256("\n".join(pile.texts).encode() + pile.labels.tobytes()).hexdigest()


def main(argv):
    given, rows = parse(argv), []
    if given.backend:  # this is the process of one backend
        rows = table(given)
    for backend in () if given.backend else BACKENDS:
        if find_spec("keras") is None or find_spec(backend) is None:
            print(f"Keras on {backend}: not measured, for {'Keras' if find_spec('keras') is None else backend} is not installed")
            continue
        with TemporaryDirectory() as folder:
            part = Path(folder) / "rows.json"
            subprocess.run([sys.executable, __file__, *argv, "--backend", backend, "--record", str(part)], check=True)
            rows += json.loads(part.read_text(encoding="utf-8"))["result"]["rows"]
    if given.record:
        record(given, argv, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
