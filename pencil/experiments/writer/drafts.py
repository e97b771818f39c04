"""A cheap guesser drafts for a writer: how often its pieces are accepted, how many a round writes, and what that does to the time.

The writer, a smaller one and a count of runs of three pieces learn from the same text. The text that is written is the writer's own in
every case: what differs is how many passes it takes.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np
import torch

from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.writer.samples import exam_loss
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import SHARED, build_model, make_splits
from pencil.model.config import Config
from pencil.model.generate import NextToken
from pencil.reference import acceptance_rate, count_ngrams, expected_tokens, next_token_probs, ngram_probs, probabilities, speculate

MERGES, ORDER, LENGTH = 400, 3, 96
SIZES = {"writer": Config(128, 4, n_layers=6, max_len=LENGTH), "small": Config(48, 4, n_layers=1, max_len=LENGTH)}
STEPS = {"writer": 400, "small": 600}
TRAINING = TrainingConfig(epochs=1, batch_size=12, lr=3e-3, **SHARED)
N_DRAFTS = (1, 2, 4, 8)
PROMPT, COUNT, TEXTS, TURNS = 16, 72, 6, 3  # pieces that are given, pieces that are written; texts; turns of each way


@dataclass
class Tally:
    """What the rounds of a drafter came to. A draft is checked unless one before it was rejected."""

    n_drafts: int
    rounds: int = 0
    accepted: int = 0
    checked: int = 0
    predicted: list = field(default_factory=list)  # of each checked draft, the acceptance rate of its two rows

    def __call__(self, drafts, draft_probs, target_probs, n_accepted):
        if len(drafts) < self.n_drafts:
            return  # the last round of a text, which was cut short
        n_checked = min(n_accepted + 1, len(drafts))
        self.rounds, self.accepted, self.checked = self.rounds + 1, self.accepted + n_accepted, self.checked + n_checked
        self.predicted += acceptance_rate(draft_probs[:n_checked], target_probs[:n_checked]).tolist()

    def result(self):  # -> JSON-able
        """Counted, predicted from the rows, and the pieces of a round, counted and by the paper's equation 1."""
        rate = self.accepted / self.checked
        tokens = float(expected_tokens(np.array(rate), n_drafts=self.n_drafts))
        found = {"accepted": rate, "predicted": float(np.mean(self.predicted))}
        found |= {"tokens": self.accepted / self.rounds + 1, "tokens_expected": tokens}
        return {"rounds": self.rounds, "checked": self.checked, **as_dict(found)}


def as_dict(found):
    """Numbers as they are recorded."""
    return {name: as_recorded(number) for name, number in found.items()}


def train_on(name, splits, steps=STEPS, sizes=SIZES):  # -> Decoder, trained, in eval mode
    """One of the two writers."""
    tokenizer, train_ids, test_ids = splits
    model = build_model(sizes[name], tokenizer)
    task = TextTask(train_ids, test_ids, sizes[name].max_len, steps[name] * TRAINING.batch_size)
    train(model, task, replace(TRAINING, lr=TRAINING.lr / (2 if name == "writer" else 1)), description=name)
    return model.eval()


def by_counting(counted, **sampling):  # NgramCounts -> drafter
    """A drafter that counts; t, k and p as in `pencil.reference.probabilities`."""
    return lambda ids, rows=1: probabilities(np.log(ngram_probs(counted, np.array(ids[1 - counted.order :]))), **sampling)[None]


def prompts(test_ids, texts=TEXTS):  # -> lists of ids, from places of the sealed text far from one another
    """The beginnings that are gone on from."""
    starts = np.linspace(0, len(test_ids) - PROMPT, texts).astype(int)
    return [test_ids[start : start + PROMPT].tolist() for start in starts]


def write_all(target, begun, rng, count=COUNT, **how):  # -> seconds a piece, texts
    """Go on from each beginning."""
    start = perf_counter()
    written = [speculate(target, ids, count, rng=rng, **how) for ids in begun]
    return (perf_counter() - start) / (count * len(begun)), written


def compare(target, drafter, begun, n_drafts, seed, turns=TURNS, count=COUNT):  # functions that make each -> JSON-able
    """Write with a drafter and without, in turns: the tally, and how many times as fast it is."""
    tally, times = Tally(n_drafts), []
    for turn in range(turns):
        write_all(target(), begun, np.random.default_rng((seed, turn)), count, drafter=drafter(), n_drafts=n_drafts, watch=tally)
        rng, alone_or_not = np.random.default_rng((seed, turn)), ({}, {"drafter": drafter(), "n_drafts": n_drafts})
        times.append([write_all(target(), begun, rng, count, **how)[0] for how in alone_or_not])
    faster = sorted(alone / drafted for alone, drafted in times)
    speed = {way: 1 / median(one) for way, one in zip(("alone", "drafted"), zip(*times, strict=True), strict=True)}
    return {"n_drafts": n_drafts, **tally.result(), "pieces_a_second": as_dict(speed), "faster": as_recorded([faster[0], median(faster), faster[-1]])}


def both_ways(models, counted, begun, seed, n_drafts, turns, count):  # -> JSON-able
    """Sampled, and greedy: each drafter with each number of drafts, and whether the greedy text is always the same."""
    found = {}
    for way, sampling in (("sampled", {}), ("greedy", {"k": 1})):
        target = partial(NextToken, models["writer"], **sampling)
        drafters = {"runs": partial(by_counting, counted, **sampling), "small": partial(NextToken, models["small"], **sampling)}
        found[way] = {name: [compare(target, drafter, begun, n, seed, turns, count) for n in n_drafts] for name, drafter in drafters.items()}
    written = [write_all(target(), begun, np.random.default_rng(seed), count, drafter=make and make())[1] for make in (None, *drafters.values())]
    return found | {"same_text": all(texts == written[0] for texts in written)}


def cost_of_a_pass(model, ids, rows, rounds=60):  # -> seconds
    """The median time of a pass over the last `rows` tokens of a text; the rest is in the cache."""
    target, times = NextToken(model), []
    for _ in range(rounds):
        target(ids[:-rows])
        start = perf_counter()
        target(ids, rows)
        times.append(perf_counter() - start)
    return median(times)


def costs(models, counted, ids, n_drafts):  # -> JSON-able
    """What a pass over several pieces takes, and what a draft takes, each over the writer's pass over one piece; that one in milliseconds."""
    one, draft, times = cost_of_a_pass(models["writer"], ids, 1), by_counting(counted), []
    for _ in range(200):
        start = perf_counter()
        draft(ids)
        times.append(perf_counter() - start)
    rows = {str(n): cost_of_a_pass(models["writer"], ids, n + 1) / one for n in n_drafts}
    draft = {"small": cost_of_a_pass(models["small"], ids, 1) / one, "runs": median(times) / one}
    return {"pass_with_drafts": as_dict(rows), "draft": as_dict(draft), "pass_ms": as_recorded(one * 1000)}


def measure(seed=0, threads=1, steps=STEPS, sizes=SIZES, n_drafts=N_DRAFTS, texts=TEXTS, turns=TURNS, count=COUNT):  # -> JSON-able
    """For `python -m pencil record drafts`: acceptance, pieces a round, and pieces a second beside the writer alone."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    splits = tokenizer, train_ids, test_ids = make_splits(load(), MERGES)
    models = {name: train_on(name, splits, steps, sizes) for name in sizes}
    counted, begun = count_ngrams(train_ids, order=ORDER, vocab_size=len(tokenizer.pieces)), prompts(test_ids, texts)
    loss = {name: exam_loss(model, test_ids, LENGTH) for name, model in models.items()}
    loss["runs"] = float(-np.log(next_token_probs(counted, test_ids)[1:]).mean())
    return {
        **{"merges": MERGES, "order": ORDER, "vocab_size": len(tokenizer.pieces), "texts": texts, "count": count, "turns": turns},
        "sizes": {name: {"d_model": one.d_model, "n_heads": one.n_heads, "n_layers": one.n_layers} for name, one in sizes.items()},
        "dials": {name: sum(p.numel() for p in model.parameters()) for name, model in models.items()},
        "loss": as_dict(loss),
        "costs": costs(models, counted, test_ids[: PROMPT + count].tolist(), n_drafts),
        **both_ways(models, counted, begun, seed, n_drafts, turns, count),
    }
