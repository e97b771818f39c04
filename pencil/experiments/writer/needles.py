"""What sparse attention would miss in the page's tiny GPT (chapter 17c): how often each mask keeps the letter that a head looks at most.

A *needle* is the letter to which a head gives more than half of its share. The indexer is trained as DeepSeek-V3.2's is at first: the writer stays
as it is, and the softmax of the index scores learns to be the mean share of the heads.
"""

import numpy as np
import torch
from torch import nn

from pencil.experiments.exported import CONFIG
from pencil.experiments.pretrained.opened import Opened
from pencil.experiments.records import as_recorded
from pencil.experiments.writer import page_writer
from pencil.experiments.writer.tiny_gpt import make_splits
from pencil.model import index_scores, top_k_mask
from pencil.model.module import seeded
from pencil.reference import block_mask, causal_mask, layer_norm

BUDGETS, BLOCK, FAR = (2, 4, 8, 16), 2, 8  # letters that a query reads; letters of a block; how far back a needle is far
HEADS, WIDTH, STEPS, LR = 2, 4, 300, 1e-2  # the indexer's
SEEDS, TRAIN, TEST, LEAST = 5, 100, 24, 0.5  # windows of text; the share of a needle is above LEAST


class Indexer(nn.Module):
    """Scores of all letters for each, by small heads of their own that read the rows of a block."""

    def __init__(self, d_model):
        super().__init__()
        self.query, self.key, self.weights = (nn.Linear(d_model, size, bias=False) for size in (HEADS * WIDTH, WIDTH, HEADS))

    def forward(self, x):  # (N, T, d_model) -> (N, T, T)
        query = self.query(x).unflatten(-1, (HEADS, WIDTH)).transpose(-2, -3)
        return index_scores(query, self.key(x), self.weights(x))


def opened(ids, count):  # -> list of Opened, of consecutive windows of a text
    """The page's writer, opened at each window."""
    writer = page_writer.read()
    return [Opened(window, writer.params, CONFIG) for window in np.split(ids[: count * writer.positions], count)]


def of_block(windows, block):  # list of Opened, from 1 -> (N, T, d_model), (N, heads, T, T)
    """The rows that a block's attention reads, and its shares."""
    norm = windows[0].params.blocks[block - 1].norms[0]
    x = [window.residual(block - 1) for window in windows]
    heads = [head for b, head in windows[0].heads if b == block]
    shares = [[window.weights(block, head) for head in heads] for window in windows]
    return layer_norm(np.stack(x), norm=norm, eps=CONFIG.eps), np.array(shares)


def train_indexer(x, shares, seed, steps=STEPS):  # -> Indexer
    """Train an indexer to imitate the mean share of the heads; the loss is the cross-entropy between both."""
    x, target = torch.tensor(x).float(), torch.tensor(shares.mean(1)).float()
    with seeded(seed):
        indexer = Indexer(x.shape[-1])
    later = ~torch.tensor(causal_mask(x.shape[-2]))
    optimizer = torch.optim.Adam(indexer.parameters(), LR)
    for _ in range(steps):
        log_probs = indexer(x).masked_fill(later, -1e9).log_softmax(-1)
        optimizer.zero_grad()
        (-(target * log_probs).sum(-1).mean()).backward()
        optimizer.step()
    return indexer


def needles(shares):  # (N, heads, T, T) -> array of (window, head, query, key)
    """Every needle: where a share is above LEAST, in rows with more letters than any budget reads."""
    found = np.argwhere(shares > LEAST)
    return found[found[:, 2] >= BUDGETS[-1]]


def kept(mask, found):  # (N, T, T) or (N, heads, T, T) bool, needles -> bool of each
    """Whether the mask keeps each needle."""
    n, head, query, key = found.T
    return mask[n, query, key] if mask.ndim == 3 else mask[n, head, query, key]


def of_windows(windows, block, k):  # -> {name: mask of all windows}
    """The masks with which each query reads k letters at most: of a sliding window, of blocks by their mean, and of the best scores."""
    length = len(windows[0].ids)
    heads = [head for b, head in windows[0].heads if b == block]
    rows = [[[window.run[f"block{block}.head{head}.{name}"] for head in heads] for window in windows] for name in ("query", "key")]
    query, key = (np.array(each) for each in rows)
    scores = torch.tensor(query @ key.swapaxes(-1, -2))
    return {
        "window": np.broadcast_to(causal_mask(length, window=k), (len(windows), length, length)),
        "blocks": block_mask(query, key, block_size=BLOCK, k=k // BLOCK),
        "best": top_k_mask(scores, torch.tensor(causal_mask(length)), k=k).numpy(),
    }


def measure(seed=0, threads=1, steps=STEPS, seeds=SEEDS, train=TRAIN, test=TEST):  # -> JSON-able, for `python -m pencil record needles`
    """The fraction of needles that each mask keeps, for each budget: of all needles, and of those that are FAR letters back or more."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    _, train_ids, test_ids = make_splits(load())
    learn, look = opened(train_ids, train), opened(test_ids, test)
    hits, counts = {}, {"all": 0, "far": 0}
    for block in range(1, len(learn[0].params.blocks) + 1):
        x, shares = of_block(look, block)
        found = needles(shares)
        groups = {"all": found, "far": found[found[:, 2] - found[:, 3] >= FAR]}
        examples = of_block(learn, block)
        indexers = [train_indexer(*examples, seed + each, steps) for each in range(seeds)]
        with torch.no_grad():
            scores = [indexer(torch.tensor(x).float()) for indexer in indexers]
        for k in BUDGETS:
            masks = of_windows(look, block, k)
            chosen = [top_k_mask(score, torch.tensor(causal_mask(x.shape[-2])), k=k).numpy() for score in scores]
            for group, those in groups.items():
                each = {name: kept(mask, those).sum() for name, mask in masks.items()}
                each["indexer"] = np.mean([kept(mask, those).sum() for mask in chosen])
                for name, hit in each.items():
                    hits[group, name, k] = hits.get((group, name, k), 0) + hit
        counts = {group: counts[group] + len(those) for group, those in groups.items()}
    rates = {
        group: {name: as_recorded([hits[group, name, k] / counts[group] for k in BUDGETS]) for name in dict.fromkeys(name for _, name, _ in hits)}
        for group in counts
    }
    sizes = {"budgets": list(BUDGETS), "block_size": BLOCK, "far": FAR, "heads": HEADS, "width": WIDTH, "seeds": seeds}
    return {**sizes, "counts": counts, "kept": rates}
