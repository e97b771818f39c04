"""An RNN of two numbers, trained on six texts of not, very and good: small enough to be read by pencil."""

import numpy as np
import torch
import torch.nn.functional as F

from pencil.examples import RNN_VECTORS, RNN_WORDS
from pencil.model.module import seeded
from pencil.rounding import on_paper

VECTORS = dict(zip(RNN_WORDS, RNN_VECTORS, strict=True))
TEXTS = tuple(f"{denial}{'very ' * times}good" for denial in ("", "not ") for times in (0, 1, 2))
WIDTH, STEPS, LR, DECAY = 2, 400, 0.03, 0.003


def is_liked(text):  # -> bool
    """The label: liked, unless there is a not."""
    return "not" not in text.split()


def train(seed):  # -> torch.nn.RNN, torch.nn.Linear
    """The RNN and its output layer, trained on all texts at once by AdamW; weight decay keeps the weights small."""
    with seeded(seed):
        net, output = torch.nn.RNN(WIDTH, WIDTH, dtype=torch.double), torch.nn.Linear(WIDTH, 1, bias=False, dtype=torch.double)
    net.bias_hh_l0.requires_grad_(False).zero_()  # one bias, as in the book
    rows = [torch.tensor(np.array([VECTORS[word] for word in text.split()])) for text in TEXTS]
    labels = torch.tensor([[float(is_liked(text))] for text in TEXTS], dtype=torch.double)
    learned = [weight for weight in (*net.parameters(), *output.parameters()) if weight.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=LR, weight_decay=DECAY / LR)
    for _ in range(STEPS):
        optimizer.zero_grad()
        F.binary_cross_entropy_with_logits(torch.stack([output(net(row)[0][-1]) for row in rows]), labels).backward()
        optimizer.step()
    return net, output


def measure(seed=0):  # -> JSON-able, for `python -m pencil record trained_rnn`
    """The trained weights, with one decimal."""
    net, output = train(seed)
    names = {"weight_ih": net.weight_ih_l0, "weight_hh": net.weight_hh_l0, "bias": net.bias_ih_l0, "output": output.weight}
    weights = {name: on_paper(weight.detach().numpy(), 1, figures=None).tolist() for name, weight in names.items()}
    return {"texts": list(TEXTS), "steps": STEPS} | weights
