"""How far a new LSTM's memory fades depends on one choice: the value that the forget gate's biases start with (Jozefowicz et al. 2015).

Nothing is trained. The texts are words drawn at random, for to new embeddings every word is alike.
"""

import numpy as np
import torch

from pencil.experiments.contest import entrants
from pencil.experiments.contest.saliency import gradient_norms, late_to_early
from pencil.experiments.records import as_recorded

BIASES, SEEDS, TEXTS, LENGTH, ROWS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0), range(5), 200, 100, 10_002


def one_ratio(bias, seed, texts=TEXTS, length=LENGTH):  # bias, or None for the plain network -> float, as `late_to_early`
    """A new LSTM whose forget gate starts with that bias."""
    model = entrants.build_model("SimpleRNN" if bias is None else "LSTM", ROWS, seed)
    if bias is not None:
        with torch.no_grad():
            model.rnn.gates()["forget_gate"]["bias"].fill_(bias)
    ids = np.random.default_rng(seed).integers(1, ROWS, (texts, length))
    return float(late_to_early(gradient_norms(model, ids)))


def measure(seed=0, threads=1):  # -> JSON-able, for `python -m pencil record forget_bias`
    """The fade from each bias and each seed, and that of the plain network, which has no forget gate."""
    torch.set_num_threads(threads)
    found = {bias: [as_recorded(one_ratio(bias, seed + number)) for number in SEEDS] for bias in (*BIASES, None)}
    plain = found.pop(None)
    return {"texts": TEXTS, "length": LENGTH, "biases": list(BIASES), "fades": list(found.values()), "plain": plain}
