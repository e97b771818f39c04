"""The block of chapter 10 as a diagram, in the words of its page."""

from pencil.worked.diagrams import Diagram, Step


def block_map():
    """The block of chapter 10, norm first: from two words to the next one."""
    multiply = "matrix multiply"
    steps = [("cat, sat", ""), ("fetch their rows", "look-up"), ("add their seats", "addition")]
    steps += [("tame", "LayerNorm"), ("ASK, OFFER, HANDOVER", multiply), ("scores", multiply), ("shrink", "division")]
    steps += [("shares", "softmax"), ("mix the HANDOVERs", multiply), ("output projection", multiply), ("add the old row", "addition")]
    steps += [("tame", "LayerNorm"), ("first grid", multiply), ("bend", "ReLU"), ("second grid", multiply), ("add the stream", "addition")]
    steps += [("tame the last row", "LayerNorm"), ("logits", multiply), ("chances", "softmax"), ("the next word", "")]
    return Diagram(
        "The whole machine, from two words to the one that comes next. Each word goes its own way, and where the arrows cross the words meet. "
        "Two wires lead round the work.",
        tuple(Step(*s) for s in steps),
        skip_connections=((2, 10, "the row as it came"), (10, 15, "the stream as it was")),
        parts=((3, 10, "attention"), (11, 15, "the feed-forward layer")),
        meets=(5, 8),
        lanes=2,
    )
