"""The feed-forward network: two linear layers with an activation between them, and with a gate three, applied to each position by itself."""

from pencil.model.config import Config
from pencil.model.functional import activation_of
from pencil.model.module import Module, check_fit, config_of, linear, linear_arrays, named


class FeedForward(Module):
    """Linear to the inner width, activation, linear back (Vaswani et al. 2017, 3.3); with a gate, SwiGLU and its kin (Shazeer 2020).

    Args:
        sizes: a Config, or FeedForwardParams, of which the shapes are used.
        config: a BlockConfig, of which the `activation` is used; only beside params, where None is BlockConfig().

    Raises ValueError for weights that do not fit one another and for an activation without a torch form.
    """

    def __init__(self, sizes, config=None):
        super().__init__()
        params = sizes.feed_forward_params() if isinstance(sizes, Config) else sizes
        check_layers(params)
        self.up = linear(*params.up.shape, params.up_bias is not None)
        self.down = linear(*params.down.shape, params.down_bias is not None)
        self.gate = None if params.gate is None else linear(*params.gate.shape, params.gate_bias is not None)
        self.activation = activation_of(config_of(sizes, config))

    def forward(self, x, *, note=None):  # (..., d) -> (..., d)
        """The output for each row; names hidden, activated, mlp_out, and with a gate gate and gated."""
        return network(x, self.up, self.down, self.gate, activation=self.activation, note=note)

    def arrays(self):
        """up, down, gate and their biases."""
        gate = {} if self.gate is None else linear_arrays(self.gate, "gate")
        return linear_arrays(self.up, "up") | linear_arrays(self.down, "down") | gate

    def residual_weights(self):
        """The matrix that writes into the residual stream."""
        return [self.down.weight]


def check_layers(params):
    """Raise ValueError unless the layers of FeedForwardParams fit one another, and what comes out is as wide as what goes in."""
    check_fit("the activated row", params.up.shape[0], "the down projection", params.down, out=params.up.shape[1])
    if params.gate is not None:
        check_fit("the row", params.up.shape[1], "the gate projection", params.gate, out=params.up.shape[0])


def network(x, up, down, gate=None, *, activation, note=None):  # (..., d), layers -> (..., d)
    """What every feed-forward network does with its layers, functions of rows."""
    hidden = named(note, "hidden", up(x))
    inner = named(note, "activated", activation(hidden if gate is None else named(note, "gate", gate(x))))  # not in place: a hook may hold hidden
    if gate is not None:
        inner = named(note, "gated", inner * hidden)
    return named(note, "mlp_out", down(inner))
