"""What a page calls a value: the field's word, which follows from the name that the code gives it."""

import re

SPACE = "\N{NO-BREAK SPACE}"  # a label does not break in a worked line
CONTAINERS = {"params", "attention", "feed_forward"}  # parts of a name that say where a weight is kept
MATRICES = {  # a parameter whose name is that of its result -> its symbol in the papers
    "query": "W_Q",
    "key": "W_K",
    "value": "W_V",
    "output": "W_O",
    "up": "W_up",
    "down": "W_down",
    "gate": "W_gate",
}
WORDS = {  # part of a name -> its word, where the name itself says less or is a plural
    "weight": "W",
    "weight1": "W_1",
    "weight2": "W_2",
    "weight_ih": "W_ih",
    "weight_hh": "W_hh",
    "bias": "b",
    "bias1": "b_1",
    "bias2": "b_2",
    "scores": "score",
    "weights": "share",
    "weighted_values": "weighted value",
    "exp_sum": "sum of exp",
    "square_sum": "sum of squares",
    "prob": "probability",
    "probs": "probability",
    "target_prob": "target probability",
    "log_prob": "log probability",
    "logits": "logit",
    "activated": "activation",
    "attn_out": "attention output",
    "mlp_out": "feed-forward output",
    "mlp_residual": "block output",
    "preactivation": "pre-activation",
    "std": "standard deviation",
    "rms": "RMS",
    "ppmi": "PPMI",
    "tf_idf": "TF-IDF",
    "idf": "IDF",
    "positions": "position embedding",
    "concat": "concatenated",
    "attn_gate": "gate",
    "gated_concat": "gated",
    "sink_exp": "exp of the sink",
    "lr": "learning rate",
}
PLAIN = {  # names that are words as they are
    *("activated", "affine", "angle", "biased", "candidate", "cell", "context", "cosine", "count", "counts", "delta", "deviation"),
    *("distance", "dot", "embedding", "encoding", "error", "exp", "expected", "from_hidden", "from_input", "gate", "hidden", "jacobian", "key"),
    *(
        "length",
        "logit",
        "loss",
        "masked",
        "mean",
        "mean_square",
        "normalized",
        "out",
        "pooled",
        "prediction",
        "product",
        "products",
        "query",
        "ratio",
    ),
    *("residual", "rotated", "running_sum", "scaled", "shifted", "square", "target", "total", "value", "values", "variance"),
    *("forget_gate", "input_gate", "output_gate", "reset_gate", "update_gate"),
}


def label_of(name, own=None, beside=()):  # "head1.weights" -> "head1.share", "params.attention.query" -> "W_Q"
    """The label of a named value.

    `own` has a page's words for parts of names, such as {"context": "mix"}. `beside` has the names of its trace: where a model's
    `output` stands beside its `embedding`, it is the unembedding; the `output` of an attention is W_O.
    """
    parts = name.split(".")
    words = WORDS | (MATRICES if "params" in parts else {}) | (own or {})
    if "params" in parts and "output" in parts and name.replace(".output", ".embedding") in beside:
        words |= {"output": "unembedding"}
    words = [words.get(part) or part.replace("_", " ") for part in parts if part not in CONTAINERS]
    return ".".join(words).replace(" ", SPACE)


def is_word(name):  # "head1.weights" -> True; "tags_added", which a page computes to recognize a mistake, -> False
    """Whether the label of a name says something to a reader; other names are internal ones of a page."""
    last = name.rpartition(".")[2]
    return last in PLAIN or last in WORDS


ENDS = ((r"ix$", "ice"), (r"(?<=[^aeiou])y$", "ie"), (r"(?<=s|x)$|(?<=ch|sh)$", "e"))


def plural(word):  # as in pencil/web/page/words.js
    """query -> queries, weight matrix -> weight matrices, loss -> losses."""
    for end, made in ENDS:
        word = re.sub(end, made, word)
    return f"{word}s"
