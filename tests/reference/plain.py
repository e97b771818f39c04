"""The models written a second time, with lists, loops and `math`, no NumPy: every named value by its name.

Parameters come in as they are, with lists in place of their arrays: `lists_of(bundle)` in draws.py.
"""

import math
from statistics import NormalDist


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def times(rows, weight):  # the dot product of each row with each row of the weights
    return [[dot(weight_row, row) for weight_row in weight] for row in rows]


def linear(rows, weight, bias):
    made = times(rows, weight)
    return made if bias is None else add(made, [bias] * len(made))


def add(a, b):
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(a, b, strict=True)]


def scoped(scope, names):
    return {f"{scope}.{name}": value for name, value in names.items()}


# ---- attention


def softmax(scores, lower=False):
    lowest_first = {"max": [[max(row)] for row in scores]}
    shifted = [[s - max(row) for s in row] for row in scores] if lower else scores
    exp = [[math.exp(s) for s in row] for row in shifted]
    total = [[math.fsum(row)] for row in exp]
    weights = [[r / t[0] for r in row] for row, t in zip(exp, total, strict=True)]
    names = {"exp": exp, "exp_sum": total, "weights": weights}
    return {**lowest_first, "shifted": shifted, **names} if lower else names


def attention(query, key, value, mask=None, lower=False, bias=None):
    out = {"scores": [[dot(q, k) for k in key] for q in query]}
    scaled = out["scaled"] = [[s / math.sqrt(len(key[0])) for s in row] for row in out["scores"]]
    if bias is not None:
        scaled = out["biased"] = add(scaled, bias)
    if mask is not None:
        scaled = out["masked"] = [[s if m else -math.inf for s, m in zip(*rows, strict=True)] for rows in zip(scaled, mask, strict=True)]
    out |= softmax(scaled, lower)
    out["weighted_values"] = [[[weight * column for column in row] for weight, row in zip(weights, value, strict=True)] for weights in out["weights"]]
    out["context"] = [[math.fsum(column) for column in zip(*parts, strict=True)] for parts in out["weighted_values"]]
    return out


def head_values(x, params, mask=None, lower=False, memory=None, positions=None):
    """One head: self-attention, or attention to a memory. `positions` is ("rotary", positions, base) or ("alibi", positions, slope)."""
    source = x if memory is None else memory
    query, key, value = (
        linear(x, params.query, params.query_bias),
        linear(source, params.key, params.key_bias),
        linear(source, params.value, params.value_bias),
    )
    out, bias = {"query": query, "key": key, "value": value}, None
    if positions and positions[0] == "rotary":
        out |= sinusoid(positions[1], len(query[0]), positions[2])
        query = out["query.rotated"] = rotate(query, out["angle"])
        key = out["key.rotated"] = rotate(key, out["angle"])
    elif positions:
        out |= alibi(*positions[1:])
        bias = out["bias"]
    return out | attention(query, key, value, mask, lower, bias)


def multi_head(x, layer, mask=None, lower=False, memory=None, positions=None):
    out, concat, count = {}, [[] for _ in x], len(layer.heads)
    for i, params in enumerate(layer.heads, start=1):
        encoding = positions
        if positions and positions[0] == "alibi" and count > 1:
            encoding = ("alibi", positions[1], math.pow(0.5, 8 * i / count))
        names = head_values(x, params, mask, lower, memory, encoding)
        concat = [left + right for left, right in zip(concat, names["context"], strict=True)]
        out |= names if count == 1 else scoped(f"head{i}", names)
    if count > 1:
        out["concat"] = concat
    return out | {"attn_out": linear(concat, layer.output, layer.output_bias)}


# ---- positions


def sinusoid(positions, width, base=10_000.0):
    angle = [[position * math.pow(base, -(2 * i) / width) for i in range(width // 2)] for position in positions]
    return {"angle": angle, "sin": [[math.sin(a) for a in row] for row in angle], "cos": [[math.cos(a) for a in row] for row in angle]}


def sinusoidal(positions, width, base=10_000.0):
    encoding = [[0.0] * width for _ in positions]
    for row, position in zip(encoding, positions, strict=True):
        for i in range(width // 2):
            row[2 * i] = math.sin(position / base ** (2 * i / width))
            row[2 * i + 1] = math.cos(position / base ** (2 * i / width))
    return sinusoid(positions, width, base) | {"encoding": encoding}


def rotate(rows, angles):  # two columns are one complex number, and a rotation is a product
    out = []
    for row, angles_of_row in zip(rows, angles, strict=True):
        pairs = [complex(*row[2 * i : 2 * i + 2]) * complex(math.cos(a), math.sin(a)) for i, a in enumerate(angles_of_row)]
        out.append([part for pair in pairs for part in (pair.real, pair.imag)])
    return out


def alibi(positions, slope):
    distance = [[abs(a - b) for b in positions] for a in positions]
    return {"distance": distance, "bias": [[-slope * d for d in row] for row in distance]}


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


ACTIVATIONS = {
    "relu": lambda h: h if h > 0 else 0.0,
    "gelu": lambda h: h * sigmoid(2 * math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)),  # (1 + tanh u) / 2 = 1 / (1 + e^-2u)
    "gelu_erf": lambda h: h * NormalDist().cdf(h),
}


def feed_forward(x, params, activation="relu"):
    hidden = linear(x, params.up, params.up_bias)
    activated = [[ACTIVATIONS[activation](h) for h in row] for row in hidden]
    return {"hidden": hidden, "activated": activated, "mlp_out": linear(activated, params.down, params.down_bias)}


def block(x, params, mask=None, norm_first=True, eps=0.0, activation="relu", lower=False, positions=None, memory=None, memory_mask=None):
    out = {}

    def norm_rows(i, rows):
        names = layer_norm(rows, eps, params.norms[i - 1].gain, params.norms[i - 1].bias)
        out.update(scoped(f"norm{i}", names))
        return names.get("affine", names["normalized"])

    def attend(rows):
        out.update(multi_head(rows, params.attention, mask, lower, None, positions))
        return out["attn_out"]

    def cross_attend(rows):
        out.update(scoped("cross", multi_head(rows, params.cross, memory_mask, lower, memory)))
        return out["cross.attn_out"]

    def mlp(rows):
        out.update(feed_forward(rows, params.feed_forward, activation))
        return out["mlp_out"]

    if norm_first:
        x = out["residual"] = add(x, attend(norm_rows(1, x)))
        if memory is not None:
            x = out["cross.residual"] = add(x, cross_attend(norm_rows(2, x)))
        out["out"] = add(x, mlp(norm_rows(len(params.norms), x)))
        return out
    out["residual"] = add(x, attend(x))
    x = norm_rows(1, out["residual"])
    if memory is not None:
        out["cross.residual"] = add(x, cross_attend(x))
        x = norm_rows(2, out["cross.residual"])
    out["mlp_residual"] = add(x, mlp(x))
    out["out"] = norm_rows(len(params.norms), out["mlp_residual"])
    return out


# ---- whole models: each gives (names, rows)


def stack(x, blocks, norm=None, eps=0.0, **options):
    out = {}
    for i, params in enumerate(blocks, start=1):
        names = block(x, params, eps=eps, **options)
        out, x = out | scoped(f"block{i}", names), names["out"]
    if norm is None:
        return out, x
    names = layer_norm(x, eps, norm.gain, norm.bias)
    return out | scoped("norm", names), names.get("affine", names["normalized"])


def embed(ids, params):
    out = {"embedding": [params.embedding[i] for i in ids]}
    if params.positions is None:
        return out, out["embedding"]
    out["x"] = add(out["embedding"], params.positions[: len(ids)])
    return out, out["x"]


def attention_mask(ids, rows, causal=False):  # the mask; None where every token may attend to every other
    if not causal and all(ids):
        return None
    return [[i != 0 and (not causal or column <= row) for column, i in enumerate(ids)] for row in range(rows)]


def encoder(ids, params, **options):
    out, x = embed(ids, params)
    names, x = stack(x, params.blocks, params.norm, mask=attention_mask(ids, len(ids)), **options)
    return out | names, x


def decoder(ids, params, padding=False, **options):
    out, x = embed(ids, params)
    mask = attention_mask(ids if padding else [1] * len(ids), len(ids), causal=True)
    names, x = stack(x, params.blocks, params.norm, mask=mask, **options)
    logits = times(x, params.embedding if params.output is None else params.output)
    return out | names | {"logits": logits}, logits


def encoder_decoder(source, target, params, **options):
    read, memory = encoder(source, params.encoder, **options)
    written, logits = decoder(target, params.decoder, padding=True, memory=memory, memory_mask=attention_mask(source, len(target)), **options)
    return scoped("encoder", read) | scoped("decoder", written), logits


# ---- the classifier


def average(rows):
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


POOLS = {
    "average": average,
    "greatest": lambda rows: [max(column) for column in zip(*rows, strict=True)],
    "first": lambda rows: rows[0],
    "last": lambda rows: rows[-1],
}


def pool(x, mask=None, kind="average"):
    return {"pooled": POOLS[kind]([row for i, row in enumerate(x) if mask is None or mask[i]])}


def mlp_head(pooled, head):
    hidden = [dot(w, pooled) + n for w, n in zip(head.weight1, head.bias1, strict=True)]
    activated = [max(h, 0.0) for h in hidden]
    logit = [dot(w, activated) + n for w, n in zip(head.weight2, head.bias2, strict=True)]
    exp = [math.exp(-z) for z in logit]
    return {"hidden": hidden, "activated": activated, "logit": logit, "sigmoid.exp": exp, "sigmoid.prob": [1 / (1 + r) for r in exp]}


def classifier(ids, params, masked=True, lower=False, kind="average"):
    embedding = [params.embedding[i] for i in ids]
    out = {"embedding": embedding} | multi_head(embedding, params.attention, attention_mask(ids, len(ids)) if masked else None, lower)
    out |= pool(out["attn_out"], [i != 0 for i in ids] if masked else None, kind)
    return out | mlp_head(out["pooled"], params.head)


def loss(target, prob):
    target_prob = [a if t == 1 else 1 - a for t, a in zip(target, prob, strict=True)]
    return {"target_prob": target_prob, "loss": [-math.log(c) for c in target_prob]}
