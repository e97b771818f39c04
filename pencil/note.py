"""The note: a function of (name, value) by which a computation names its values. The default does nothing; a Trace records them."""

GRAD = "grad"  # the scope of gradients: the gradient of the loss with respect to `weights` is `grad.weights`
WRONG = "wrong"  # the scope of results of deliberately wrong steps, the only values that may be NaN


def no_note(name, value):
    """Return the value unchanged."""
    return value


def scoped(note, scope):
    """A note that puts `scope.` before each name: `scoped(note, "head1")("scores", x)` is `head1.scores`. None stays None."""
    return None if note is None else lambda name, value: note(f"{scope}.{name}", value)
