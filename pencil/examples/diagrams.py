"""The block of chapter 10 as a diagram."""

from pencil.worked.diagrams import Diagram, Step


def block_map():
    """The block of chapter 10, norm first: from two words to the next one."""
    multiply = "matrix multiply"
    steps = [("cat, sat", ""), ("token embeddings", "look-up"), ("add position embeddings", "addition")]
    steps += [("normalize", "layer norm"), ("query, key, value", multiply), ("scores", multiply), ("scale", "division")]
    steps += [("shares", "softmax"), ("mix the values", multiply), ("output projection", multiply), ("add the residual", "addition")]
    steps += [("normalize", "layer norm"), ("first weight matrix", multiply), ("activation", "ReLU")]
    steps += [("second weight matrix", multiply), ("add the residual", "addition")]
    steps += [("normalize the last row", "layer norm"), ("logits", multiply), ("probabilities", "softmax"), ("the next word", "")]
    return Diagram(
        "The whole machine, from two words to the one that comes next. Each word has a lane of its own; where the arrows cross, the words meet. "
        "Two residual connections lead round the work, and at the end the last word goes on alone.",
        tuple(Step(*s) for s in steps),
        skip_connections=((2, 10, "the row that came in"), (10, 15, "the residual stream")),
        parts=((3, 10, "attention"), (11, 15, "the feed-forward layer")),
        meets=(5, 8),
        lanes=2,
        last_alone=16,
    )
