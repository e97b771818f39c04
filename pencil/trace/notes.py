"""How the reference names its values. Plain runs use `exact`; a trace takes its place to keep them."""

SLOPE = "d"  # the scope of slopes: how fast the loss moves along `weights` is `d.weights`


def exact(name, value):
    """The note that does nothing: the value comes back untouched."""
    return value


def under(note, scope):
    """A note that files its names in a scope: `under(note, "head1")("scores", x)` is `head1.scores`."""
    return lambda name, value: note(f"{scope}.{name}", value)
