"""The note: how a computation names its values. A plain run takes `no_note`; a trace takes its place to keep them."""

GRAD = "grad"  # the scope of gradients: the gradient of the loss with respect to `weights` is `grad.weights`
WRONG = "wrong"  # the scope of what comes out when a step is done wrong: the only values that may be no numbers


def no_note(name, value):
    """The note that does nothing: the value comes back untouched."""
    return value


def scoped(note, scope):
    """A note that puts `scope.` before each name: `scoped(note, "head1")("scores", x)` is `head1.scores`. No note (None) stays None."""
    return None if note is None else lambda name, value: note(f"{scope}.{name}", value)
