"""Speculative decoding of the page's tiny GPT (chapter 21): acceptance rate, tokens per round, and speed.

The drafters are n-gram models and a smaller tiny GPT. The distribution of the text is the target's in every case.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np
import torch

from pencil.experiments.exported import CONFIG
from pencil.experiments.records import as_recorded
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.loop import train
from pencil.experiments.writer import page_writer
from pencil.experiments.writer.text_task import TextTask
from pencil.experiments.writer.tiny_gpt import SHARED, build_model, make_splits
from pencil.model.config import Config
from pencil.model.generation import NextToken
from pencil.model.transformers import Decoder
from pencil.params import map_arrays
from pencil.reference import acceptance_rate, count_ngrams, expected_tokens, ngram_probs, probabilities, speculate

ORDERS, N_DRAFTS, IDLE = (3, 5), (2, 4), 22  # orders of the n-grams; drafts per round; identity blocks of the slow target
SMALL, STEPS = Config(24, 2, n_layers=1, max_len=48), 300
TRAINING = TrainingConfig(epochs=1, batch_size=16, lr=6e-3, **SHARED)
PROMPT, COUNT, TEXTS, TURNS = 9, 39, 3, 3  # tokens of a prompt, generated tokens, number of texts, repetitions


@dataclass
class Tally:
    """Statistics of a drafter's rounds, collected as the `watch` argument of `speculate`. A draft is checked if all before it were accepted."""

    n_drafts: int
    rounds: int = 0
    accepted: int = 0
    checked: int = 0
    predicted: list = field(default_factory=list)  # of each checked draft, the acceptance rate that its two distributions imply

    def __call__(self, drafts, draft_probs, target_probs, n_accepted):
        if len(drafts) < self.n_drafts:
            return  # the last round of a text, which has fewer drafts
        n_checked = min(n_accepted + 1, len(drafts))
        self.rounds, self.accepted, self.checked = self.rounds + 1, self.accepted + n_accepted, self.checked + n_checked
        self.predicted += acceptance_rate(draft_probs[:n_checked], target_probs[:n_checked]).tolist()

    def result(self):  # -> JSON-able
        """The acceptance rate, measured and predicted, and the tokens per round, measured and expected (equation 1 of the paper)."""
        rate = self.accepted / self.checked
        tokens = float(expected_tokens(np.array(rate), n_drafts=self.n_drafts))
        found = {"accepted": rate, "predicted": float(np.mean(self.predicted))}
        found |= {"tokens": self.accepted / self.rounds + 1, "tokens_expected": tokens}
        return {"rounds": self.rounds, "checked": self.checked, **as_dict(found)}


def as_dict(found):
    """A dict of numbers, rounded for a record."""
    return {name: as_recorded(number) for name, number in found.items()}


def train_small(splits, steps=STEPS):  # -> Decoder, trained, in eval mode
    """Train the small drafter on the same reviews."""
    tokenizer, train_ids, test_ids = splits
    model = build_model(SMALL, tokenizer)
    few = test_ids[:2000]  # short, since this loss is not reported
    train(model, TextTask(train_ids, few, SMALL.max_len, steps * TRAINING.batch_size), TRAINING, description="a small writer")
    return model.eval()


def read_writer(idle=0):  # -> Decoder, in eval mode
    """The page's tiny GPT with `idle` identity blocks on top: the same output at the cost of a larger model."""
    params = page_writer.read().params
    block = map_arrays(params.blocks[0], lambda name, array: np.zeros_like(array))
    return Decoder.from_params(replace(params, blocks=(*params.blocks, *[block] * idle)), CONFIG).eval()


def by_counting(counted, **sampling):  # NgramCounts -> drafter
    """An n-gram drafter; temperature, top_k and top_p as in `pencil.reference.probabilities`."""
    return lambda ids, rows=1: probabilities(np.log(ngram_probs(counted, np.array(ids[1 - counted.order :]))), **sampling)[None]


def beginnings(test_ids, texts=TEXTS):  # -> list of lists of ids
    """The prompts: consecutive pieces of the test text."""
    return [test_ids[PROMPT * k : PROMPT * (k + 1)].tolist() for k in range(texts)]


def write_all(target, prompts, rng, count=COUNT, **how):  # -> seconds per token, list of texts
    """Continue each prompt by `count` tokens; `how` goes to `speculate`."""
    start = perf_counter()
    written = [speculate(target, ids, count, rng=rng, **how) for ids in prompts]
    return (perf_counter() - start) / (count * len(prompts)), written


def compare(target, drafter, prompts, n_drafts, seed, turns=TURNS, count=COUNT):  # -> JSON-able
    """Generate with a drafter and without, interleaved: the statistics, and the speedup.

    `target` and `drafter` are functions that make a fresh one.
    """
    tally, times = Tally(n_drafts), []
    for turn in range(turns):
        rng, ways = np.random.default_rng((seed, turn)), ({}, {"drafter": drafter(), "n_drafts": n_drafts, "watch": tally})
        times.append([write_all(target(), prompts, rng, count, **how)[0] for how in ways])
    faster = sorted(alone / drafted for alone, drafted in times)
    speed = {way: 1 / median(one) for way, one in zip(("alone", "drafted"), zip(*times, strict=True), strict=True)}
    return {
        "n_drafts": n_drafts,
        **tally.result(),
        "letters_a_second": as_dict(speed),
        "faster": as_recorded([faster[0], median(faster), faster[-1]]),
    }


def time_of(run, rounds=60):  # -> seconds
    """The median time of a call."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return median(times)


def time_of_a_pass(model, ids, rows):  # -> seconds
    """The median time of a forward pass over the last `rows` tokens of a text, with the rest in the cache."""
    target = NextToken(model)
    target(ids)
    return time_of(lambda: target(ids, rows))  # on the same text the cache is rolled back by `rows`


def costs(writer, drafters, ids, n_drafts):  # -> JSON-able
    """The time of a pass over several tokens and of a draft, relative to the target's pass over one token, which is in milliseconds."""
    one = time_of_a_pass(writer, ids, 1)
    rows = {str(n): time_of_a_pass(writer, ids, n + 1) / one for n in n_drafts}
    draft = {name: (time_of(partial(make(), ids)) / one) for name, make in drafters.items()}  # cached: only the last token is run
    return {"pass_with_drafts": as_dict(rows), "draft": as_dict(draft), "pass_ms": as_recorded(one * 1000)}


def drafted(writer, drafters, prompts, n_drafts, seed, turns, count):  # -> JSON-able
    """Compare each drafter with each number of drafts, and check that the greedy text is the same with all of them."""
    rng = partial(np.random.default_rng, seed)
    greedy = [write_all(NextToken(writer, top_k=1), prompts, rng(), count, drafter=d and d())[1] for d in (None, *drafters.values())]
    target = partial(NextToken, writer)
    return {
        "blocks": len(writer.stack.blocks),
        "same_greedy_text": all(each == greedy[0] for each in greedy),
        "costs": costs(writer, drafters, greedy[0][0], n_drafts),
        "by": {name: [compare(target, make, prompts, n, seed, turns, count) for n in n_drafts] for name, make in drafters.items()},
    }


def measure(seed=0, threads=1, steps=STEPS, n_drafts=N_DRAFTS, texts=TEXTS, turns=TURNS, count=COUNT):  # -> JSON-able
    """For `python -m pencil record drafts`: acceptance rates and speeds, with the page's model and with a slower one as the target."""
    from pencil.data.text import load

    torch.set_num_threads(threads)
    splits = tokenizer, train_ids, test_ids = make_splits(load())
    small, prompts = train_small(splits, steps), beginnings(test_ids, texts)
    counted = {n: count_ngrams(train_ids, order=n, vocab_size=len(tokenizer.pieces)) for n in ORDERS}
    drafters = {f"runs of {n}": partial(by_counting, counted[n]) for n in ORDERS} | {"small writer": partial(NextToken, small)}
    return {
        "texts": texts,
        "count": count,
        "turns": turns,
        "small": {"d_model": SMALL.d_model, "n_layers": SMALL.n_layers, "steps": steps},
        **{name: drafted(read_writer(idle), drafters, prompts, n_drafts, seed, turns, count) for name, idle in (("light", 0), ("heavy", IDLE))},
    }
