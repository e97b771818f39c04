"""Gradient decay in an untrained LSTM against the initial bias of its forget gate (Jozefowicz et al. 2015).

Nothing is trained, and the texts are random ids, since new embeddings treat all words alike.
"""

import numpy as np
import torch

from pencil.experiments.contest import entrants
from pencil.experiments.contest.saliency import gradient_norms, late_to_early
from pencil.experiments.records import as_recorded

BIASES, SEEDS, TEXTS, LENGTH, ROWS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0), range(5), 200, 100, 10_002


def one_ratio(bias, seed, texts=TEXTS, length=LENGTH):  # float or None -> float
    """`late_to_early` of a new LSTM with this forget bias, or of a new simple RNN if it is None."""
    model = entrants.build_model("SimpleRNN" if bias is None else "LSTM", ROWS, seed)
    if bias is not None:
        with torch.no_grad():
            model.rnn.gates()["forget_gate"]["bias"].fill_(bias)
    ids = np.random.default_rng(seed).integers(1, ROWS, (texts, length))
    return float(late_to_early(gradient_norms(model, ids)))


def measure(seed=0, threads=1):  # -> JSON-able, for `python -m pencil record forget_bias`
    """The ratios for each bias and seed, and those of the simple RNN, which has no forget gate."""
    torch.set_num_threads(threads)
    found = {bias: [as_recorded(one_ratio(bias, seed + number)) for number in SEEDS] for bias in (*BIASES, None)}
    plain = found.pop(None)
    return {"texts": TEXTS, "length": LENGTH, "biases": list(BIASES), "fades": list(found.values()), "plain": plain}
