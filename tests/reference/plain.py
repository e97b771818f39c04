"""The machines once more, written apart: lists, loops and `math`, no NumPy, every named value by its name."""

import math


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def times(rows, grid):  # each row with each weight-row
    return [[dot(weights, row) for weights in grid] for row in rows]


def softmax(scores, lower=False):
    lowest_first = {"highest": [[max(row)] for row in scores]}
    lowered = [[s - max(row) for s in row] for row in scores] if lower else scores
    raised = [[math.exp(s) for s in row] for row in lowered]
    total = [[math.fsum(row)] for row in raised]
    weights = [[r / t[0] for r in row] for row, t in zip(raised, total, strict=True)]
    names = {"raised": raised, "total": total, "weights": weights}
    return {**lowest_first, "lowered": lowered, **names} if lower else names


def attention(query, key, value, mask=None, lower=False):
    out = {"query": query, "key": key, "value": value}
    out["scores"] = [[dot(q, k) for k in key] for q in query]
    scaled = out["scaled"] = [[s / math.sqrt(len(key[0])) for s in row] for row in out["scores"]]
    if mask is not None:
        scaled = out["masked"] = [[s if m else -math.inf for s, m in zip(*rows, strict=True)] for rows in zip(scaled, mask, strict=True)]
    out |= softmax(scaled, lower)
    out["parts"] = [[[share * slot for slot in row] for share, row in zip(shares, value, strict=True)] for shares in out["weights"]]
    out["mixed"] = [[math.fsum(slot) for slot in zip(*parts, strict=True)] for parts in out["parts"]]
    return out


def self_attention(x, grids, mask=None, lower=False):
    return attention(*(times(x, grid) for grid in grids), mask, lower)


def multi_head(x, heads, output, mask=None, lower=False):
    out = {}
    for i, grids in enumerate(heads, start=1):
        out |= {f"head{i}.{name}": value for name, value in self_attention(x, grids, mask, lower).items()}
    each = [out[f"head{i}.mixed"] for i in range(1, len(heads) + 1)]
    out["glued"] = [[slot for row in rows for slot in row] for rows in zip(*each, strict=True)]
    out["projected"] = times(out["glued"], output)
    return out


def layer_norm(x, eps=0.0):
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
    return out


def add(a, b):
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def feed_forward(x, widen, narrow):
    hidden = times(x, widen)
    bent = [[max(h, 0.0) for h in row] for row in hidden]
    return {"hidden": hidden, "bent": bent, "worker": times(bent, narrow)}


def block(x, grids, output, widen, narrow, mask=None, eps=0.0, lower=False):
    norm1 = layer_norm(x, eps)
    out = {f"norm1.{name}": value for name, value in norm1.items()}
    out |= self_attention(norm1["normalized"], grids, mask, lower)
    out["projected"] = times(out["mixed"], output)
    out["stream"] = add(out["projected"], x)
    norm2 = layer_norm(out["stream"], eps)
    out |= {f"norm2.{name}": value for name, value in norm2.items()}
    out |= feed_forward(norm2["normalized"], widen, narrow)
    out["out"] = add(out["stream"], out["worker"])
    return out


def average(x, real=None):
    kept = [row for i, row in enumerate(x) if real is None or real[i]]
    return {"summary": [math.fsum(slot) / len(kept) for slot in zip(*kept, strict=True)]}


def classify(summary, grid1, nudge1, grid2, nudge2):
    hidden = [dot(w, summary) + n for w, n in zip(grid1, nudge1, strict=True)]
    bent = [max(h, 0.0) for h in hidden]
    logit = [dot(w, bent) + n for w, n in zip(grid2, nudge2, strict=True)]
    raised = [math.exp(-z) for z in logit]
    return {"hidden": hidden, "bent": bent, "logit": logit, "sigmoid.raised": raised, "sigmoid.answer": [1 / (1 + r) for r in raised]}


def classifier(ids, table, heads, output, head, masked=True, lower=False):
    stick = [table[i] for i in ids]
    mask = [[i != 0 for i in ids]] * len(ids) if masked else None
    out = {"stick": stick} | multi_head(stick, heads, output, mask, lower)
    out |= average(out["projected"], [i != 0 for i in ids] if masked else None)
    return out | classify(out["summary"], *head)


def loss(truth, answer):
    chance = [a if t == 1 else 1 - a for t, a in zip(truth, answer, strict=True)]
    return {"chance": chance, "loss": [-math.log(c) for c in chance]}
