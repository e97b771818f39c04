"""The solutions of worksheets in plain Python with loops, independent of NumPy, the trace and the reference."""

import math


def rounded(x):  # as a pencil writes it: three places, four figures at most. No sheet comes near a tie, so Python's own rounding will do
    return round(x, 3 if abs(x) < 10 else 2 if abs(x) < 100 else 1)


def key_of(topic, given, write):  # str, {name: nested lists}, float -> float  ->  {what is asked: [number, ...]}
    """Every number that a sheet asks for. `write` is what becomes of a number when it is written down."""
    keys = {
        "softmax": softmax_key,
        "layernorm": norm_key,
        "attention": attention_key,
        "block": block_key,
        "lstm": lstm_key,
        "backward": walk_back_key,
    }
    return keys[topic](given, write)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def times(grid, stick, write):
    return [write(dot(row, stick)) for row in grid]


def softmax(scores, write):
    raised = [write(math.exp(x)) for x in scores]
    total = write(sum(raised))
    return raised, total, [write(x / total) for x in raised]


def softmax_key(given, write):
    key = {}
    for word, scores in zip(("first", "second"), given["scaled"], strict=True):
        raised, total, shares = softmax(scores, write)
        key |= {f"{word}.exp": raised, f"{word}.exp_sum": [total], f"{word}.weights": shares}
    return key


def norm(row, write):
    mean = write(sum(row) / len(row))
    away = [write(x - mean) for x in row]
    squares = [write(x * x) for x in away]
    variance = write(write(sum(squares)) / len(row))
    std = write(math.sqrt(variance))
    return {"mean": [mean], "deviation": away, "square": squares, "variance": [variance], "std": [std], "normalized": [write(x / std) for x in away]}


def norm_key(given, write):
    key = {}
    for word, row in zip(("first", "second"), given["x"], strict=True):
        tamed = norm(row, write)
        tamed["affine"] = [write(x * g + b) for x, g, b in zip(tamed["normalized"], given["gain"], given["bias"], strict=True)]
        key |= {f"{word}.{name}": numbers for name, numbers in tamed.items()}
    return key


def attend(vectors, params, write):  # -> one {name: row} a word
    tags = [{name: times(grid, stick, write) for name, grid in params.items()} for stick in vectors]
    for word in tags:
        word["scores"] = [write(dot(word["query"], other["key"])) for other in tags]
        word["scaled"] = [write(x / math.sqrt(len(word["key"]))) for x in word["scores"]]
        *_, word["weights"] = softmax(word["scaled"], write)
        parts = [[write(share * x) for x in other["value"]] for share, other in zip(word["weights"], tags, strict=True)]
        word["context"] = [write(sum(column)) for column in zip(*parts, strict=True)]
    return tags


def attention_key(given, write):
    tags = attend(given["embedding"], {name: given[f"params.{name}"] for name in ("query", "key", "value")}, write)
    key = {f"{word}.{name}": row for word, values in zip(("nolan", "ended"), tags, strict=True) for name, row in values.items()}
    return key | {"pooled": [write(sum(column) / 2) for column in zip(*(values["context"] for values in tags), strict=True)]}


def block_key(given, write):
    head = {name: given[f"params.attention.head1.{name}"] for name in ("query", "key", "value")}
    tamed = [norm(row, write)["normalized"] for row in given["x"]]
    key = {}
    for word, row, before, values in zip(("cat", "sat"), given["x"], tamed, attend(tamed, head, write), strict=True):
        values["norm1.normalized"] = before
        values["attn_out"] = times(given["params.attention.output"], values["context"], write)
        values["residual"] = [write(a + b) for a, b in zip(row, values["attn_out"], strict=True)]
        values["norm2.normalized"] = norm(values["residual"], write)["normalized"]
        values["hidden"] = times(given["params.feed_forward.up"], values["norm2.normalized"], write)
        values["activated"] = [max(x, 0) for x in values["hidden"]]
        values["mlp_out"] = times(given["params.feed_forward.down"], values["activated"], write)
        values["out"] = [write(a + b) for a, b in zip(values["residual"], values["mlp_out"], strict=True)]
        key |= {f"{word}.{name}": numbers for name, numbers in values.items()}
    return key


def lstm_key(given, write):
    key, made = {}, {}
    for part in ("forget_gate", "input_gate", "output_gate", "candidate"):
        grid, hidden, bias = (given[f"params.{part}.{name}"] for name in ("weight_ih", "weight_hh", "bias"))
        from_input = [write(dot(row, given["word"]) + b) for row, b in zip(grid, bias, strict=True)]
        z = [write(a + b) for a, b in zip(from_input, times(hidden, given["hidden"], write), strict=True)]
        made[part] = [write(math.tanh(x)) for x in z] if part == "candidate" else [write(1 / (1 + write(math.exp(-x)))) for x in z]
        key |= {f"step.{part}.preactivation": z, f"step.{part}": made[part]}
    cell = [write(k * b + a * c) for k, b, a, c in zip(made["forget_gate"], given["cell"], made["input_gate"], made["candidate"], strict=True)]
    hidden = [write(show * write(math.tanh(x))) for show, x in zip(made["output_gate"], cell, strict=True)]
    return key | {"step.cell": cell, "step.hidden": hidden}


def walk_back_key(given, write):
    """By the rules that are printed on the sheet."""
    (stick,), (dials,), (nudge,), ((truth,),) = (given[name] for name in ("embedding", "head.weight", "head.bias", "target"))
    want = times(given["params.query"], stick, write)
    scores = [write(dot(want, have)) for have in given["key"]]
    scaled = [write(x / math.sqrt(2)) for x in scores]
    *_, shares = softmax(scaled, write)
    parts = [[write(share * x) for x in give] for share, give in zip(shares, given["value"], strict=True)]
    new = [write(sum(column)) for column in zip(*parts, strict=True)]
    last = write(dot(dials, new) + nudge)
    tick = write(1 / (1 + write(math.exp(-last))))
    chance = write(tick if truth else 1 - tick)
    key = {"query": want, "scores": scores, "scaled": scaled, "weights": shares, "context": new, "logit": [last], "sigmoid.prob": [tick]}
    key |= {"loss": [write(-math.log(chance))]} | slopes_key(given, key, write)
    of_nobody = ("grad.head", "grad.params", "stepped", "ended.")
    return {name if name.startswith(of_nobody) else f"nolan.{name}": row for name, row in key.items()}


def slopes_key(given, there, write):  # what was worked on the way there -> the way back, and the step
    (stick,), (dials,), (nudge,), ((truth,),) = (given[name] for name in ("embedding", "head.weight", "head.bias", "target"))
    d_last = write(there["sigmoid.prob"][0] - truth)
    d_dials, d_new = [write(d_last * x) for x in there["context"]], [write(d_last * x) for x in dials]
    shares, d_shares = there["weights"], [write(dot(d_new, give)) for give in given["value"]]
    average = write(dot(shares, d_shares))
    d_scaled = [write(share * (d - average)) for share, d in zip(shares, d_shares, strict=True)]
    d_scores = [write(d / math.sqrt(2)) for d in d_scaled]
    d_want = [write(dot(d_scores, column)) for column in zip(*given["key"], strict=True)]
    moved = [write(x - write(0.2 * d)) for x, d in zip(dials, d_dials, strict=True)]
    moved_nudge = write(nudge - write(0.2 * d_last))
    return {
        "error": [d_last],
        "grad.head.weight": d_dials,
        "grad.context": d_new,
        "grad.value": [write(shares[0] * d) for d in d_new],
        "ended.grad.value": [write(shares[1] * d) for d in d_new],
        "grad.weights": d_shares,
        "average_slope": [average],
        "short_way": d_scaled,
        "grad.scores": d_scores,
        "grad.query": d_want,
        "grad.params.query": [write(d * x) for d in d_want for x in stick],
        "stepped.head.weight.updated": moved,
        "stepped.head.bias.updated": [moved_nudge],
        "logit_again": [write(dot(moved, there["context"]) + moved_nudge)],
    }


def hold_the_key(sheet):
    """Does the sheet's own key say the same, exactly and on paper?"""
    given = {name: sheet.trace.names[name].exact.tolist() for name in sheet.topic.givens}
    for track, write in (("exact", lambda x: x), ("paper", rounded)):
        key = key_of(sheet.name, given, write)
        for asked in sheet.asks:
            answer = getattr(sheet.trace.find(asked), track).ravel().tolist()
            far = [abs(a - b) > 1e-9 * max(1, abs(b)) for a, b in zip(answer, key[asked], strict=True)]
            assert not any(far), f"{sheet.name}, seed {sheet.seed}, {track} {asked}: the key says {answer}, the pencil {key[asked]}"
