"""The machines once more, written apart: lists, loops and `math`, no NumPy, every named value by its name.

A bundle of grids comes in as it is, with lists in place of its arrays: `lists_of(bundle)` in draws.py.
"""

import math
from statistics import NormalDist


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def times(rows, grid):  # each row with each weight-row
    return [[dot(weights, row) for weights in grid] for row in rows]


def linear(rows, grid, bias):
    made = times(rows, grid)
    return made if bias is None else add(made, [bias] * len(made))


def add(a, b):
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def scoped(scope, names):
    return {f"{scope}.{name}": value for name, value in names.items()}


# ---- attention


def softmax(scores, lower=False):
    lowest_first = {"highest": [[max(row)] for row in scores]}
    lowered = [[s - max(row) for s in row] for row in scores] if lower else scores
    raised = [[math.exp(s) for s in row] for row in lowered]
    total = [[math.fsum(row)] for row in raised]
    weights = [[r / t[0] for r in row] for row, t in zip(raised, total, strict=True)]
    names = {"raised": raised, "total": total, "weights": weights}
    return {**lowest_first, "lowered": lowered, **names} if lower else names


def attention(query, key, value, mask=None, lower=False, lean=None):
    out = {"scores": [[dot(q, k) for k in key] for q in query]}
    scaled = out["scaled"] = [[s / math.sqrt(len(key[0])) for s in row] for row in out["scores"]]
    if lean is not None:
        scaled = out["leaned"] = add(scaled, lean)
    if mask is not None:
        scaled = out["masked"] = [[s if m else -math.inf for s, m in zip(*rows, strict=True)] for rows in zip(scaled, mask, strict=True)]
    out |= softmax(scaled, lower)
    out["parts"] = [[[share * slot for slot in row] for share, row in zip(shares, value, strict=True)] for shares in out["weights"]]
    out["mixed"] = [[math.fsum(slot) for slot in zip(*parts, strict=True)] for parts in out["parts"]]
    return out


def look(x, grids, mask=None, lower=False, memory=None, positions=None):
    """One head: over its own text, or over a memory. `positions` is ("rotary", seats, base) or ("alibi", seats, slope)."""
    asked = x if memory is None else memory
    query, key, value = (
        linear(x, grids.query, grids.query_bias),
        linear(asked, grids.key, grids.key_bias),
        linear(asked, grids.value, grids.value_bias),
    )
    out, lean = {"query": query, "key": key, "value": value}, None
    if positions and positions[0] == "rotary":
        out |= wave(positions[1], len(query[0]), positions[2])
        query = out["query.turned"] = rotate(query, out["angle"])
        key = out["key.turned"] = rotate(key, out["angle"])
    elif positions:
        out |= alibi(*positions[1:])
        lean = out["lean"]
    return out | attention(query, key, value, mask, lower, lean)


def multi_head(x, layer, mask=None, lower=False, memory=None, positions=None):
    out, glue, count = {}, [[] for _ in x], len(layer.heads)
    for i, grids in enumerate(layer.heads, start=1):
        told = positions
        if positions and positions[0] == "alibi" and count > 1:
            told = ("alibi", positions[1], math.pow(0.5, 8 * i / count))
        names = look(x, grids, mask, lower, memory, told)
        glue = [left + right for left, right in zip(glue, names["mixed"], strict=True)]
        out |= names if count == 1 else scoped(f"head{i}", names)
    if count > 1:
        out["glued"] = glue
    return out | {"projected": linear(glue, layer.output, layer.output_bias)}


# ---- positions


def wave(seats, width, base=10_000.0):
    angle = [[seat * math.pow(base, -(2 * i) / width) for i in range(width // 2)] for seat in seats]
    return {"angle": angle, "sin": [[math.sin(a) for a in row] for row in angle], "cos": [[math.cos(a) for a in row] for row in angle]}


def sine_cosine(seats, width, base=10_000.0):
    stamp = [[0.0] * width for _ in seats]
    for row, seat in zip(stamp, seats, strict=True):
        for i in range(width // 2):
            row[2 * i] = math.sin(seat / base ** (2 * i / width))
            row[2 * i + 1] = math.cos(seat / base ** (2 * i / width))
    return wave(seats, width, base) | {"stamp": stamp}


def rotate(rows, angles):  # two slots are one complex number, and a turn is a product
    out = []
    for row, turns in zip(rows, angles, strict=True):
        pairs = [complex(*row[2 * i : 2 * i + 2]) * complex(math.cos(a), math.sin(a)) for i, a in enumerate(turns)]
        out.append([part for pair in pairs for part in (pair.real, pair.imag)])
    return out


def alibi(seats, slope):
    distance = [[abs(a - b) for b in seats] for a in seats]
    return {"distance": distance, "lean": [[-slope * d for d in row] for row in distance]}


# ---- the block


def layer_norm(x, eps=0.0, gain=None, bias=None):
    out = {name: [] for name in ("mean", "deviation", "square", "square_sum", "variance", "std", "normalized")}
    for row in x:
        mean = math.fsum(row) / len(row)
        deviation = [r - mean for r in row]
        square = [d * d for d in deviation]
        variance = math.fsum(square) / len(row)
        std = math.sqrt(variance + eps)
        found = ([mean], deviation, square, [math.fsum(square)], [variance], [std], [d / std for d in deviation])
        for values, value in zip(out.values(), found, strict=True):
            values.append(value)
    if gain is not None or bias is not None:
        gain, bias = gain or [1.0] * len(x[0]), bias or [0.0] * len(x[0])
        out["affine"] = [[n * g + b for n, g, b in zip(row, gain, bias, strict=True)] for row in out["normalized"]]
    return out


def sigmoid(z):
    return 1 / (1 + math.exp(-z)) if z > 0 else math.exp(z) / (1 + math.exp(z))


BENDS = {
    "relu": lambda h: h if h > 0 else 0.0,
    "gelu": lambda h: h * sigmoid(2 * math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)),  # (1 + tanh u) / 2 = 1 / (1 + e^-2u)
    "gelu_erf": lambda h: h * NormalDist().cdf(h),
}


def feed_forward(x, grids, bend="relu"):
    hidden = linear(x, grids.widen, grids.widen_bias)
    bent = [[BENDS[bend](h) for h in row] for row in hidden]
    return {"hidden": hidden, "bent": bent, "worker": linear(bent, grids.narrow, grids.narrow_bias)}


def block(x, grids, mask=None, norm_first=True, eps=0.0, bend="relu", lower=False, positions=None, memory=None, memory_mask=None):
    out = {}

    def tame(i, rows):
        names = layer_norm(rows, eps, grids.norms[i - 1].gain, grids.norms[i - 1].bias)
        out.update(scoped(f"norm{i}", names))
        return names.get("affine", names["normalized"])

    def gather(rows):
        out.update(multi_head(rows, grids.attention, mask, lower, None, positions))
        return out["projected"]

    def ask(rows):
        out.update(scoped("cross", multi_head(rows, grids.cross, memory_mask, lower, memory)))
        return out["cross.projected"]

    def think(rows):
        out.update(feed_forward(rows, grids.feed_forward, bend))
        return out["worker"]

    if norm_first:
        x = out["stream"] = add(x, gather(tame(1, x)))
        if memory is not None:
            x = out["cross.stream"] = add(x, ask(tame(2, x)))
        out["out"] = add(x, think(tame(len(grids.norms), x)))
        return out
    out["stream"] = add(x, gather(x))
    x = tame(1, out["stream"])
    if memory is not None:
        out["cross.stream"] = add(x, ask(x))
        x = tame(2, out["cross.stream"])
    out["thought"] = add(x, think(x))
    out["out"] = tame(len(grids.norms), out["thought"])
    return out


# ---- whole machines: each gives (names, rows)


def stack(x, blocks, norm=None, eps=0.0, **options):
    out = {}
    for i, grids in enumerate(blocks, start=1):
        names = block(x, grids, eps=eps, **options)
        out, x = out | scoped(f"block{i}", names), names["out"]
    if norm is None:
        return out, x
    names = layer_norm(x, eps, norm.gain, norm.bias)
    return out | scoped("norm", names), names.get("affine", names["normalized"])


def enter(ids, machine):
    out = {"stick": [machine.table[i] for i in ids]}
    if machine.seats is None:
        return out, out["stick"]
    out["x"] = add(out["stick"], machine.seats[: len(ids)])
    return out, out["x"]


def seen(ids, rows, causal=False):  # who may look where; None where everybody may look everywhere
    if not causal and all(ids):
        return None
    return [[i != 0 and (not causal or column <= row) for column, i in enumerate(ids)] for row in range(rows)]


def encoder(ids, machine, **options):
    out, x = enter(ids, machine)
    names, x = stack(x, machine.blocks, machine.norm, mask=seen(ids, len(ids)), **options)
    return out | names, x


def decoder(ids, machine, **options):
    out, x = enter(ids, machine)
    names, x = stack(x, machine.blocks, machine.norm, mask=seen(ids, len(ids), causal=True), **options)
    logits = times(x, machine.table if machine.output is None else machine.output)
    return out | names | {"logits": logits}, logits


def encoder_decoder(source, target, machine, **options):
    read, memory = encoder(source, machine.encoder, **options)
    written, logits = decoder(target, machine.decoder, memory=memory, memory_mask=seen(source, len(target)), **options)
    return scoped("encoder", read) | scoped("decoder", written), logits


# ---- the film review


def average(rows):
    return [math.fsum(slot) / len(rows) for slot in zip(*rows, strict=True)]


POOLS = {
    "average": average,
    "greatest": lambda rows: [max(slot) for slot in zip(*rows, strict=True)],
    "first": lambda rows: rows[0],
    "last": lambda rows: rows[-1],
}


def pool(x, real=None, way="average"):
    return {"summary": POOLS[way]([row for i, row in enumerate(x) if real is None or real[i]])}


def classify(summary, head):
    hidden = [dot(w, summary) + n for w, n in zip(head.grid1, head.nudge1, strict=True)]
    bent = [max(h, 0.0) for h in hidden]
    logit = [dot(w, bent) + n for w, n in zip(head.grid2, head.nudge2, strict=True)]
    raised = [math.exp(-z) for z in logit]
    return {"hidden": hidden, "bent": bent, "logit": logit, "sigmoid.raised": raised, "sigmoid.answer": [1 / (1 + r) for r in raised]}


def classifier(ids, machine, masked=True, lower=False, way="average"):
    stick = [machine.table[i] for i in ids]
    out = {"stick": stick} | multi_head(stick, machine.attention, seen(ids, len(ids)) if masked else None, lower)
    out |= pool(out["projected"], [i != 0 for i in ids] if masked else None, way)
    return out | classify(out["summary"], machine.head)


def loss(truth, answer):
    chance = [a if t == 1 else 1 - a for t, a in zip(truth, answer, strict=True)]
    return {"chance": chance, "loss": [-math.log(c) for c in chance]}
