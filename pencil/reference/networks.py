"""The feed-forward network: two linear layers with an activation between them, and with a gate three, applied to each row by itself."""

from dataclasses import dataclass
from functools import partial

from pencil.note import no_note
from pencil.reference.contracts import Array, shapes
from pencil.reference.functional import linear, relu


@dataclass(frozen=True)
class FeedForwardParams:
    """The two linear layers of an MLP, with or without biases; a gated one has a third."""

    up: Array  # (d_ff, d_model)
    down: Array  # (d_model, d_ff)
    up_bias: Array | None = None  # (d_ff,)
    down_bias: Array | None = None  # (d_model,)
    gate: Array | None = None  # (d_ff, d_model)
    gate_bias: Array | None = None  # (d_ff,)


@shapes(
    "... d, params.up: d_ff d, params.up_bias?: d_ff, params.gate?: d_ff d, params.gate_bias?: d_ff, "
    "params.down: d d_ff, params.down_bias?: d -> ... d"
)
def feed_forward(x, params, *, activation=relu, note=no_note):
    """The feed-forward network, each row by itself: down(activation(up(x))), or with a gate down(activation(gate(x)) · up(x)).

    - `x`: (..., d), one row or more
    - `params`: the two linear layers, and a third where it is gated
    - `activation`: relu, gelu, silu or another function of one array; silu with a gate is SwiGLU

    Source: Vaswani et al. 2017, 3.3 (position-wise feed-forward network); gated: Shazeer 2020, eq. 6 (FFN_SwiGLU).
    Raises ValueError for layers that do not fit the row or one another.
    """
    up, down, gate = (
        None if weight is None else partial(linear, weight=weight, bias=bias)
        for weight, bias in ((params.up, params.up_bias), (params.down, params.down_bias), (params.gate, params.gate_bias))
    )
    return network(x, up, down, gate, activation=activation, note=note)


def network(x, up, down, gate=None, *, activation, note=no_note):  # (..., d), functions of rows -> (..., d)
    """The feed-forward network of layers that are functions of rows, which experts share: down(activation(up(x))), or with a gate as above."""
    hidden = note("hidden", up(x))
    inner = note("activated", activation(hidden if gate is None else note("gate", gate(x))))
    if gate is not None:
        inner = note("gated", inner * hidden)
    return note("mlp_out", down(inner))
