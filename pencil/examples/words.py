"""What the pages call the values that the code names in the field's terms: the words of the book, for worked lines and tables."""

BOOK_WORDS = {  # a part of a value's name -> the word that a page shows in its place
    "params": "grid",
    "grad": "d",
    "embedding": "stick",
    "positions": "seats",
    "weighted_values": "parts",
    "context": "mixed",
    "concat": "glued",
    "attn_out": "projected",
    "exp": "raised",
    "exp_sum": "total",
    "max": "highest",
    "shifted": "lowered",
    "residual": "stream",
    "mlp_residual": "thought",
    "activated": "bent",
    "mlp_out": "feed-forward",
    "up": "widen",
    "down": "narrow",
    "pooled": "summary",
    "prob": "answer",
    "target": "truth",
    "target_prob": "chance",
    "encoding": "stamp",
    "biased": "leaned",
    "rotated": "turned",
    "from_input": "read",
    "from_hidden": "recalled",
    "preactivation": "summed",
    "hidden_states": "memories",
    "cell": "belt",
    "cell_tanh": "crushed",
    "forget_gate": "keep",
    "input_gate": "admit",
    "output_gate": "show",
    "weight1": "grid1",
    "weight2": "grid2",
    "bias1": "nudge1",
    "bias2": "nudge2",
    "lr": "rate",
    "updated": "moved",
    "prediction": "guess",
    "loss_term": "term",
    "image": "picture",
}


def book_name(name):  # "head1.context" -> "head1.mixed"
    """A value's name with the book's words in it."""
    return ".".join(BOOK_WORDS.get(part, part) for part in name.split("."))


def book_labels(names, own=None):  # names of values, {name: label} -> {name: label}
    """Labels for a run: a page's own, and the book's words for the others that it calls otherwise than the code."""
    return {name: book_name(name) for name in names if book_name(name) != name} | dict(own or {})
