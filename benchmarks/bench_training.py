"""How fast the four machines of the contest learn, beside Keras, as ratios within one run.

One pass over the same reviews in handfuls of 64, forward, backward and Adam. Ours and Keras' are timed in turns; the median of the
rounds counts. Both mask the padding, or neither does. Sizes, dropout and the count of learned numbers are the same. Keras runs on torch,
and then on TensorFlow where that is installed. Run it with `make bench`.
"""

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from statistics import median

WIDTHS = "{:<14}{:<10}{:>16}{:>16}{:>10}".format
BACKENDS = ("torch", "tensorflow")


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", choices=BACKENDS, help="of Keras: torch, then TensorFlow where it is installed")
    parser.add_argument("--reviews", type=int, default=1280)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of the CPU: 1")
    return parser.parse_args(argv)


def keras_machine(name, rows, slots, masked):
    """The same machine, as the post writes it, with the padding masked or not."""
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
    """One pass of ours and one of Keras'."""
    from pencil.labs import contest
    from pencil.labs.loop import train
    from pencil.labs.reading import Reading
    from pencil.labs.training import Training

    ours, theirs = contest.machine(name, rows, padding=masked), keras_machine(name, rows, sheets.ids.shape[1], masked)
    counts = [sum(p.numel() for p in ours.parameters() if p.requires_grad), theirs.count_params()]
    assert counts[0] == counts[1], counts
    lesson, once = Reading(sheets, sheets[:1], masked), Training(passes=1)
    labels = sheets.labels.astype("float32")[:, None]
    return lambda: train(ours, lesson, once), lambda: theirs.fit(sheets.ids, labels, batch_size=64, verbose=0)


def measure(given):
    """Every row, as it is done: machine, masked, reviews a second of ours and of Keras'."""
    from parts.clock import by_the_clock, cpu_timer

    from pencil.data.reviews import load
    from pencil.labs.contest import FOUR
    from pencil.labs.sheets import encode

    words, sheets, _ = encode(load())
    sheets = sheets[: given.reviews]
    timer = cpu_timer() if given.backend == "torch" else by_the_clock
    for masked in (True, False):
        for name in FOUR:
            runs = passes(name, sheets, words.rows, masked)
            for run in runs:
                run()  # the first pays for compiling, caches and plans
            taken = [[timer(run) for run in runs] for _ in range(given.rounds)]
            yield name, masked, *(len(sheets) / median(column) for column in zip(*taken, strict=True))


def table(given):
    os.environ["KERAS_BACKEND"] = given.backend
    import keras
    import torch

    from pencil.rounding import show

    torch.set_num_threads(given.threads)
    print(f"training against Keras {keras.__version__} on {given.backend}: {given.reviews} reviews of 100 slots, {given.threads} thread(s)")
    print(WIDTHS("machine", "padding", "ours, a second", "Keras', a second", "× faster"))
    for name, masked, ours, theirs in measure(given):
        print(WIDTHS(name, "masked" if masked else "bare", show(ours, 0), show(theirs, 0), show(ours / theirs, 2)), flush=True)


def main(argv):
    given = parse(argv)
    if given.backend:
        return table(given)
    for backend in BACKENDS:
        if find_spec("keras") is None or find_spec(backend) is None:
            print(f"Keras on {backend}: not measured, for {'Keras' if find_spec('keras') is None else backend} is not installed")
        else:  # Keras takes its backend once, when it is imported
            subprocess.run([sys.executable, __file__, "--backend", backend, *argv], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
