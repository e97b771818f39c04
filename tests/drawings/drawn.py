"""One drawing of every kind, from small runs, for the tests of drawings."""

import re
from functools import cache
from xml.etree import ElementTree

import numpy as np
from drawn_runs import (
    adapted,
    attended,
    belted,
    blocked,
    fast_weights,
    in_chunks,
    judged,
    landed,
    looked_at,
    looked_up,
    masked,
    meshed,
    modern,
    multiplied,
    replaced,
    stacked,
    tiled,
    two_headed,
    walked,
)

from pencil import drawings, examples, reference
from pencil.formats import NF4
from pencil.reference import (
    alibi,
    apply_rope,
    binary_cross_entropy,
    causal_mask,
    mlp_head,
    sinusoid,
    sinusoidal,
)
from pencil.trace import Trace, backward, scoped
from pencil.widgets import RowLab
from pencil.worked import Worked


def laid_out(u=0.8):
    trace = Trace()
    trace.given("plain", [0.5, 0.5])
    reference.probabilities(trace.given("scores", examples.NEXT_SCORES, columns=examples.NEXT_WORDS), note=trace, softmax=reference.softmax)
    reference.sample(trace.names["weights"], trace.given("u", u), note=trace)
    return Worked(trace)


def coded(run=""):
    trace = Trace()
    row = trace.given("row", [0.04, 0.5, -0.8, 0.27])
    codes = trace.given("codes", NF4)
    code, scale = reference.codebook_quantize(row, codes=codes, note=scoped(trace, "nf4"))
    reference.codebook_dequantize(code, scale, codes=codes, note=scoped(trace, "nf4"))
    return Worked(trace, run=run)


def drafted(target=(3, 1, 1, 1, 1, 1), run=""):
    trace, faces = Trace(), ("one", "two", "three", "four", "five", "six")[: len(target)]
    draft_probs = trace.given("draft_probs", np.full(len(target), 1 / len(target)), columns=faces)
    target_probs = trace("target_probs", trace.given("parts", target, columns=faces) / sum(target))
    reference.output_probs(draft_probs, target_probs, note=trace)
    reference.expected_tokens(trace.names["acceptance_rate"], n_drafts=4, note=trace)
    return Worked(trace, {"draft_probs": "fair", "target_probs": "loaded"}, run=run)


def kept(slots=4):
    trace = Trace()
    old = trace.given("old", np.eye(2, slots), words=["cat", "sat"])
    new = trace.given("next.x", [np.arange(slots) - 1.5], words=["new"])
    step = scoped(trace, "next")
    query, key, value = (step(name, new * k) for name, k in (("query", 1), ("key", 2), ("value", -1)))
    keys, values = step("keys", np.concatenate([old, key])), step("values", np.concatenate([-old, value]))
    reference.attention(query, keys, values, note=step)
    return Worked(trace, {"next.query": "ASK"})


def streamed():
    trace = Trace()
    streams, layer = trace.given("streams", [[2, 1], [0, 2]]), trace.given("layer", [1, 2])
    read, write = trace.given("read", [0.75, 0.25]), trace.given("write", [1, 0.5])
    mixing = reference.sinkhorn(trace.given("exp", [[3, 1], [1, 1]]), iterations=2, note=scoped(trace, "mixing"))
    reference.mix_streams(streams, lambda row: layer, read=read, write=write, mixing=mixing, note=trace)
    return Worked(trace, run="wide")


def routed():
    trace = Trace()
    x = trace.given("x", examples.EXPERTS_ROWS, words=examples.PAIR)
    reference.mixture_of_experts(x, trace.given_each("params", examples.EXPERTS), note=trace)
    return Worked(trace, {"router.gates": "say"})


def answered():
    trace = Trace()
    log_probs = trace.given("log_probs", [-0.9, -1.1, -1.9])
    reference.masked_cross_entropy(log_probs, trace.given("mask", [0, 1, 1]), note=trace)
    return Worked(trace)


def rewarded(rewards=(1, 0, 0, 1), run=""):
    trace = Trace()
    given = trace.given("rewards", rewards, columns=["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"][: len(rewards)])
    reference.grpo_advantages(given, note=trace)
    return Worked(trace, run=run)


def cut(image=examples.LETTER_L, size=2):
    trace = Trace()
    patch = reference.patchify(trace.given("image", image), size=size, note=trace)
    trace("short", patch[:1] * 1)
    return Worked(trace, run="drawn")


def descended(steps=2, run="", fast=0.27):
    trace = Trace()
    start, steepness = trace.given("start", [2, 1]), trace.given("steepness", [1, 8])
    height = trace("height", (steepness * start * start).sum() / 2)
    trace("rings", np.sqrt(trace.given("shares", [[1], [0.5]]) * (height * 2 / steepness)))
    for name, rate in (("slow", 0.05), ("fast", fast)):
        lr, way = trace.given(f"{name}.lr", rate), [start]
        for _ in range(steps):
            way.append(reference.sgd(way[-1], steepness * way[-1], lr=lr))
        trace(f"{name}.path", np.stack(way))
        trace(f"{name}.loss", (steepness * way[-1] * way[-1]).sum() / 2)
    return Worked(trace, track="exact", run=run)


def corrected():
    trace = Trace()
    said = mlp_head(trace.given("pooled", [1.0, 2.0, 0.5, 0.0]), trace.given_each("head", examples.REVIEW_HEAD), note=trace)
    binary_cross_entropy(said, trace.given("target", [0.0]), note=trace)
    backward(trace.names["loss"])
    return Worked(trace, {"grad.logit": "d.last"})


def returned(run=""):
    trace = Trace()
    x = trace.given("x", examples.PAIR_EMBEDDINGS, words=examples.PAIR)
    grids, ends = trace.given_each("params", examples.PAIR_BLOCK), trace.given("ends", examples.NEXT_ROWS, words=examples.NEXT_WORDS)
    slopes = backward(examples.third_word_loss(x, grids, ends, trace.given("target", [1, 0, 0]), trace))
    trace("network.back", slopes["residual"] - slopes["out"])
    trace("attention.back", slopes["x"] - slopes["residual"])
    return examples.slopes_sheet(trace, run)


def measured():
    trace = Trace()
    rows = trace.given("unit", [[0.6, 0.8], [1, 0]], words=["one", "other"])
    trace("foot", (rows[0] * rows[1]).sum() * rows[1])
    return Worked(trace)


def fetched():
    trace, words = Trace(), ["the", "cat", "saw", "the2", "dog", "padding"]
    ids, table = trace.given("ids", [1, 2, 3, 1, 4, 0], words=words), trace.given("table", np.arange(10).reshape(5, 2) / 2, words=[*"abcde"])
    trace("embedding", table[ids])
    return Worked(trace)


def picked():
    trace = Trace()
    trace("row", trace.given("one_hot", [0, 0, 1]) @ trace.given("table", [[0, 0], [2, 1], [1, -0.5]]))
    return Worked(trace, {"row": "its row"})


def stamped(width=4, run=""):
    trace = Trace()
    sinusoidal(trace.given("positions", range(7), words=[f"seat{k}" for k in range(7)]), width=width, note=trace)
    return Worked(trace, run=run)


def turned(rows=("early", "later", "late"), width=2):
    trace, made = Trace(), []
    for name, row, seats in (("query", [1, 1], [1, 3, 6, 7]), ("key", [-1, 0.5], [0, 2, 5, 6])):
        given = trace.given(name, np.tile(row, (len(rows), width // 2)), words=rows)
        seats = trace.given(f"{name}.positions", seats[: len(rows)], words=rows)
        made.append(apply_rope(given, *sinusoid(seats, width=width, note=scoped(trace, name)), note=scoped(trace, name)))
    trace("scores", (made[0] * made[1]).sum(-1))
    return Worked(trace, {"scores": "score"})


def biased(words=("the", "cat", "sat", "on")):
    trace = Trace()
    alibi(trace.given("positions", range(len(words)), words=words), slope=trace.given("slope", 0.5), note=trace)
    return Worked(trace)


class Both:
    """Two runs as one, for what is drawn from both; the second has a name."""

    run = ""

    def __init__(self, main, named):
        self.main, self.named = main, named

    def number(self, reference):
        """As the run writes it that the reference begins with."""
        local = reference.removeprefix(f"{self.named.run}.")
        return (self.main if local == reference else self.named).number(local)


LONG_ROWS = [[0.125, -0.333, 0.871, -1.414], [1.273, -0.187, -0.251, 0.835]]
CHAIN = ["loss", "pooled", "activated", "hidden", "logit"]  # in any order
RESIDUAL = ["cat.x", "sat.x", "sat.context", "sat.residual", "sat.hidden", "sat.out", "sat.logits", "loss"]
MOVES = {"hidden": ("unit dials", "× unit dials"), "activated": ("relu", "if awake")}
LESSONS = (["ask", "say", "cat"], [0, 0, 1], "up", "down", [1, 0])
SUM = ["king.embedding", "man.embedding", ("away", "king.embedding", "− man"), ("there", "away", "+ woman"), ("there", "the sum")]
ROUNDS = [("The ", ["c", "o"], 1, "a"), ("The ca", ["t", " "], 2, "s"), ("The cat s", ["o", "x"], 0, "a")]
DRAWN = {
    "attention": lambda: (w := attended(), drawings.attention(w, "nolan", "One word")),
    "attention of long rows": lambda: (w := attended(rows=LONG_ROWS), drawings.attention(w, "nolan", "Long rows")),
    "attention of a run": lambda: (w := attended(run="swapped"), drawings.attention(w, "ended", "One word")),
    "attention of a head": lambda: (w := attended(scope="head1"), drawings.attention(w, "ended", "One head", scope="head1")),
    "attention of one query": lambda: (w := looked_up(), drawings.attention(w, "asked", "A lookup")),
    "shares": lambda: (w := attended(), drawings.shares(w, "weights", "All words")),
    "masked shares": lambda: (w := masked(), drawings.shares(w, "weights", "Back alone", mask=causal_mask(3))),
    "bias": lambda: (w := biased(), drawings.bias(w, "bias", "A triangle", mask=causal_mask(4))),
    "block": lambda: (w := blocked(), drawings.block(w, "Two lanes")),
    "block with the norm last": lambda: (w := blocked(norm_first=False), drawings.block(w, "Two lanes")),
    "clocks": lambda: (w := stamped(), drawings.clocks(w, "Clocks")),
    "clocks of a run": lambda: (w := stamped(run="clock"), drawings.clocks(w, "Clocks")),
    "divided": lambda: (w := looked_up(), drawings.divided(w, dict.fromkeys(("Here", "And again"), "asked.weights"), "One whole")),
    "divided of a run": lambda: (
        w := attended(run="other"),
        drawings.divided(w, {"One": "nolan.weights", "Other": "ended.weights"}, "One whole twice"),
    ),
    "generations": lambda: (w := Both(blocked(), modern("now")), drawings.generations(w.main, w.named, "Two generations")),
    "sharing": lambda: (attended(), drawings.sharing(4, (4, 2, 1), ("ASK", "pair"), "Who shares")),
    "pages": lambda: (attended(), drawings.pages({"One": (["a", "cat", "sat", "on", "my", "mat"], [3, 0, 5]), "Two": (["we"], [1])}, 6, 2, "Pages")),
    "maps": lambda: (attended(), drawings.maps({("1.1", "Looks at itself."): np.eye(3), ("1.2", "Looks evenly."): np.full((3, 3), 1 / 3)}, "Maps")),
    "flow": lambda: (w := attended(), drawings.flow(w, ("weights",), ("Each word takes in.",), "Flow")),
    "streams": lambda: (w := streamed(), drawings.streams(w, "Two streams")),
    "ring": lambda: (attended(), drawings.ring(["a", "cat", "sat", "on", "my", "mat"], 3, "A ring")),
    "sliding_windows with a needle": lambda: (
        attended(),
        drawings.sliding_windows({"three": causal_mask(6, window=3), "pressed": np.tri(6) / 2}, "Windows and a needle", needle=1),
    ),
    "sliding_windows": lambda: (attended(), drawings.sliding_windows({"all": causal_mask(6), "three": causal_mask(6, window=3)}, "Windows")),
    "tiles": lambda: (attended(), drawings.tiles(reference.tiles(3, 3, (2, 2), causal=True), ["the", "cat", "sat"], "Tiles")),
    "routing": lambda: (w := routed(), drawings.routing(w, "Two words and four experts")),
    "gaps": lambda: (attended(), drawings.gaps(["the", "cat", "sat", "on", "it"], 3, "Gaps")),
    "state": lambda: (w := fast_weights(), drawings.state(w, "Square and state")),
    "state of a run": lambda: (w := fast_weights(run="other", decay=[0.5, 0.5, 0.5]), drawings.state(w, "It fades")),
    "chunks": lambda: (w := in_chunks(), drawings.chunks(w, "Two chunks")),
    "chunks of a run": lambda: (w := in_chunks(run="other", decay=[0.5] * 4), drawings.chunks(w, "They fade")),
    "delta_rule": lambda: (w := replaced(), drawings.delta_rule(w, "Read, erase, write")),
    "delta_rule of a run": lambda: (w := replaced(run="other"), drawings.delta_rule(w, "Read, erase, write")),
    "drafted": lambda: (attended(), drawings.drafted(ROUNDS, "Three rounds")),
    "memory": lambda: (w := tiled(), drawings.memory(w, "ask", "Two tiles")),
    "memory of a run": lambda: (w := tiled(run="other"), drawings.memory(w, "ask", "Two tiles")),
    "adapter": lambda: (w := adapted(), drawings.adapter(w, "cat", "Beside it")),
    "adapter of a run": lambda: (w := adapted(run="other"), drawings.adapter(w, "sat", "Beside it")),
    "cache": lambda: (w := kept(), drawings.cache(w, "next", "What is kept")),
    "classifiers": lambda: (attended(), drawings.classifiers("Four machines")),
    "gears": lambda: (w := meshed(), drawings.gears(w, ["first", "second", "third"], ["twice", "thrice", "through"], "Three wheels")),
    "gears of a run": lambda: (w := meshed("other"), drawings.gears(w, ["first", "second", "third"], ["twice", "thrice", "through"], "Wheels")),
    "stream": lambda: (w := stacked(), drawings.stream(w, "cat", ["block1", "block2"], "One long line")),
    "stream of a run": lambda: (w := stacked("other"), drawings.stream(w, "sat", ["block1", "block2"], "One long line")),
    "writer": lambda: (attended(), drawings.writer("From text to a letter more")),
    "seeing": lambda: (attended(), drawings.seeing("From a photo to an answer")),
    "graph": lambda: (w := corrected(), drawings.graph(w, CHAIN, "There and back")),
    "graph with residual connections": lambda: (w := returned(), drawings.graph(w, RESIDUAL, "There and back")),
    "graph with moves": lambda: (w := corrected(), drawings.graph(w, CHAIN, "There and back", MOVES)),
    "halves": lambda: (w := two_headed(), drawings.halves(w, "sat", "Two halves")),
    "halves of a run": lambda: (w := two_headed(run="other"), drawings.halves(w, "table", "Two halves")),
    "formula": lambda: (w := attended(), drawings.formula(w, "Two products")),
    "formula of a run": lambda: (w := attended(run="other"), drawings.formula(w, "Two products")),
    "pull": lambda: (w := attended(), drawings.pull(w, "nolan", "Pulled")),
    "pull of a run": lambda: (w := attended(run="other"), drawings.pull(w, "ended", "Pulled")),
    "heads": lambda: (w := two_headed(), drawings.heads(w, "sat", "Two heads")),
    "heads of a run": lambda: (w := two_headed(run="other"), drawings.heads(w, "cat", "Two heads")),
    "lookup": lambda: (w := picked(), drawings.lookup(w, "Picked")),
    "givens": lambda: (w := blocked(), drawings.givens(w, "All that is given")),
    "result": lambda: (w := blocked(), drawings.result(w, "What comes out")),
    "query_to_weights": lambda: (w := RowLab().worked, drawings.query_to_weights(w, "One word looks")),
    "machines": lambda: (attended(), drawings.machines("Three machines")),
    "lstm": lambda: (w := belted(), drawings.lstm(w, 2, "One step")),
    "first step of an lstm": lambda: (w := belted(), drawings.lstm(w, 1, "The first step")),
    "merges": lambda: (attended(), drawings.merges(["the", "cat", "sat", "on", "the", "mat"], "Pairs join")),
    "orders": lambda: (w := Both(blocked(), blocked("post", norm_first=False)), drawings.orders(w.main, w.named, "Two orders")),
    "plane": lambda: (w := landed(), drawings.plane(w, SUM, "A sum")),
    "plane of a run": lambda: (w := landed("sums"), drawings.plane(w, SUM, "A sum", slots=(2, 0), closing=["All of it."])),
    "block_gradients": lambda: (w := returned(), drawings.block_gradients(w, "cat", "The way back")),
    "block_gradients of a run": lambda: (w := returned("pair"), drawings.block_gradients(w, "sat", "The way back")),
    "review": lambda: (w := judged(), drawings.review(w, "From words to an answer")),
    "review of a run": lambda: (w := judged(run="other"), drawings.review(w, "From words to an answer", poles=("no", "yes"))),
    "projections": lambda: (w := measured(), drawings.projections(w, [("one.unit", "other.unit", "foot")], "A shadow", unit=True)),
    "position_encodings": lambda: (attended(), drawings.position_encodings(sinusoidal(np.arange(6.0), width=8), "Many seats")),
    "strips": lambda: (w := looked_at(), drawings.strips(w, "weights", "a cat", (3, 5, "word"), "Letters")),
    "strips of a run": lambda: (w := looked_at(run="other"), drawings.strips(w, "weights", "a cat", (3, 5, "word"), "Letters")),
    "tokens": lambda: (w := fetched(), drawings.tokens(w, "The cat saw the dog.", "From text to rows")),
    "turns": lambda: (w := turned(), drawings.turns(w, "Turned alike")),
    "unrolled": lambda: (w := walked(), drawings.unrolled(w, "A walk")),
    "context_windows": lambda: (attended(), drawings.context_windows(["a", "good", "film", "that", "has", "a", "bad", "plot"], 3, "A window")),
    "overlap": lambda: (w := drafted(), drawings.overlap(w, "Two dice")),
    "overlap of a run": lambda: (w := drafted(run="other"), drawings.overlap(w, "Two dice")),
    "quantization": lambda: (w := coded(), drawings.quantization(w, "Four numbers", {"nf4": ("NF4", NF4)})),
    "quantization of a run": lambda: (w := coded(run="other"), drawings.quantization(w, "Four", {"nf4": ("NF4", NF4)})),
    "rounds": lambda: (w := drafted(), drawings.rounds(w, "A round")),
    "rounds of a run": lambda: (w := drafted(run="other"), drawings.rounds(w, "Three drafts", n_drafts=3)),
    "patches": lambda: (w := cut(), drawings.patches(w, "From a picture to rows")),
    "jacobian_paths": lambda: (w := multiplied(), drawings.jacobian_paths(w, ("right", "left", "out"), (0, 1), ("a", "b", "c", "d"), "Two paths")),
    "product": lambda: (w := multiplied(), drawings.product(w, "left", "right", "out", "A product")),
    "sampling": lambda: (w := laid_out(), drawings.sampling(w, "A draw")),
    "valley": lambda: (w := descended(), drawings.valley(w, {"slow": "Slow", "fast": "Too fast"}, "Down a valley")),
    "valley of a run": lambda: (w := descended(run="other"), drawings.valley(w, {"slow": "Slow"}, "Down a valley")),
    "path_lengths": lambda: (attended(), drawings.path_lengths("Walk or look")),
    "seq2seq": lambda: (attended(), drawings.seq2seq("Two walkers")),
    "multi_head": lambda: (attended(), drawings.multi_head("Two heads, one row")),
    "answer": lambda: (w := answered(), drawings.answer(w, "The answer counts", ["who", "sat", "say", "cat"])),
    "group": lambda: (w := rewarded(), drawings.group(w, "Four answers")),
    "group of a run": lambda: (w := rewarded(run="other"), drawings.group(w, "Four answers")),
    "training_stages": lambda: (attended(), drawings.training_stages("Three lessons", *LESSONS)),
    "window": lambda: (attended(), drawings.window("the cat", "Six questions")),
}
DRAWN = {name: cache(draw) for name, draw in DRAWN.items()}  # several tests look at each


def parsed(drawing):
    return ElementTree.fromstring(re.search(r"<svg.*</svg>", drawing._repr_html_(), re.S)[0])


def painted(worked, mark):  # -> for each attribute that a number decides: its name, what stands there, what should
    for paint in filter(None, mark.get("data-paint", "").split(";")):
        own, _, mate = paint.partition(" & ")
        attribute, offset, factor, *held = own.split(" ", 3)
        (x, low, high), *other = [_held(worked, text) for text in (*held, mate) if text]
        kept = x * min(_left(x, low, high), _left(*other[0])) if other else np.clip(x, low, high)
        yield attribute, float(mark.get(attribute)), float(offset) + float(factor) * kept


def _held(worked, text):  # "-3 3 king.stick[0]" -> the number, its low and high
    low, high, reference = text.split(" ", 2)
    return float(worked.trace.find(reference.removeprefix(f"{worked.run}.") if worked.run else reference).exact), float(low), float(high)


def _left(x, low, high):  # the greatest part of x that is between the two
    return next(part for part in np.linspace(1, 0, 100_001) if low <= part * x <= high)
