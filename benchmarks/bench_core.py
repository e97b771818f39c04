"""Speed of the reference and of the trace, as ratios to peers in the same run, since absolute times depend on the machine.

The two functions of a pair are timed in interleaved rounds, so that other load affects both; the median counts. Run it with `make bench`.
"""

import argparse
import json
import subprocess
import sys
from statistics import median
from time import perf_counter

import numpy as np
import torch
import torch.nn.functional as F
from parts.recorded import record_block
from torch import nn

from pencil import examples
from pencil.reference import (
    AttentionParams,
    BlockConfig,
    BlockParams,
    FeedForwardParams,
    QKVParams,
    attention,
    block,
    layer_norm,
    multi_head_attention,
    self_attention,
    softmax,
)
from pencil.rounding import on_paper, show
from pencil.trace import Trace
from pencil.worked import Worked

ROUNDS, SECONDS = 15, 0.01


def seconds(run):
    """The time of one call, averaged over as many calls as fit in a round."""
    calls, start = 0, perf_counter()
    while (spent := perf_counter() - start) < SECONDS or not calls:
        run()
        calls += 1
    return spent / calls


def compare(ours, theirs, rounds):
    ours(), theirs()  # warm-up
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    return median(a for a, _ in pairs), median(b for _, b in pairs)


def draw(*shape):
    return np.random.default_rng(shape).normal(size=shape)


def tensors(*arrays):
    return [torch.tensor(a) for a in arrays]


def against_torch():
    """(what, ours, theirs): the NumPy reference and torch on the CPU, both in float64."""
    for words, width in ((2, 4), (16, 32), (100, 32), (256, 64)):
        plain = [draw(words, width) for _ in range(3)]
        peers = tensors(*plain)
        yield (
            f"attention, {words} words × {width}",
            lambda p=plain: attention(*p),
            lambda p=peers: F.scaled_dot_product_attention(*p),
        )
    x = draw(100, 32)
    (tx,) = tensors(x)
    yield "softmax, 100 × 32", lambda: softmax(x), lambda: torch.softmax(tx, -1)
    yield "layer norm, 100 × 32", lambda: layer_norm(x, eps=1e-5), lambda: F.layer_norm(tx, (32,))
    two = AttentionParams(tuple(QKVParams(*draw(3, 16, 32)) for _ in range(2)), draw(32, 32))
    peer = nn.MultiheadAttention(32, 2, bias=False, batch_first=True, dtype=torch.float64)
    yield "two heads, 100 × 32", lambda: multi_head_attention(x, two), lambda: peer(tx[None], tx[None], tx[None])
    params = BlockParams(AttentionParams((QKVParams(*draw(3, 32, 32) / 6),), draw(32, 32)), FeedForwardParams(draw(128, 32), draw(32, 128)))
    layer = nn.TransformerEncoderLayer(32, 1, 128, 0.0, batch_first=True, norm_first=True, dtype=torch.float64).eval()
    yield "block, 100 × 32 (torch's has biases)", lambda: block(x, params, config=BlockConfig(eps=1e-5)), lambda: layer(tx[None])


def record_review():
    trace = Trace()
    self_attention(trace.given("embedding", examples.ROWS, words=examples.REVIEW), trace.given_each("params", examples.REVIEW_PARAMS), note=trace)
    return trace


def against_plain():
    """(what, ours, theirs): the cost of a trace, its replay and its lines, relative to the same code without a trace."""
    plain_review, plain_block = lambda: self_attention(examples.ROWS, examples.REVIEW_PARAMS), lambda: block(examples.ROWS, examples.PAIR_BLOCK)
    trace = record_block()
    text = json.dumps(trace.program())
    yield "record the review (2 words)", record_review, plain_review
    yield "record the block (2 words)", record_block, plain_block
    yield "replay the block's program", lambda: Trace.load(json.loads(text)), plain_block
    yield "export the block's program", trace.program, plain_block
    yield "all worked lines of the block", lambda: [Worked(trace).lines(name) for name in trace.names], plain_block
    numbers = draw(1000)
    yield "1,000 numbers onto paper", lambda: on_paper(numbers), lambda: np.round(numbers, 3)


def python(code):
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


def against_an_empty_python():
    """(what, ours, theirs): startup times."""
    for module in ("pencil", "pencil.reference", "pencil.worked"):
        yield f"python -c 'import {module}'", python(f"import {module}"), python("pass")


def table(title, peer, pairs, rounds):
    print(f"\n{title:<42}{'ours, ms':>12}{peer + ', ms':>14}{'ratio':>10}")
    for what, ours, theirs in pairs:
        a, b = compare(ours, theirs, rounds)
        print(f"{what:<42}{show(a * 1000):>12}{show(b * 1000):>14}{show(a / b, 2):>10}", flush=True)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args(argv).rounds
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    print(f"median of {rounds} rounds in turns, float64, torch on one thread; NumPy {np.__version__}, torch {torch.__version__}")
    table("reference against torch (CPU)", "torch", against_torch(), rounds)
    table("trace against the same code, plain", "plain", against_plain(), rounds)
    table("starting up", "empty", against_an_empty_python(), rounds)
    trace = record_block()
    print(f"\nthe block's program: {len(trace.program()['steps'])} steps, {len(json.dumps(trace.program()))} bytes of JSON")


if __name__ == "__main__":
    main(sys.argv[1:])
