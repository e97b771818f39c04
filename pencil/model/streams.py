"""Hyper-connections: several residual streams a token, mixed at each sublayer (Zhu et al. 2024; Xie et al. 2025; DeepSeek-V4)."""

import torch
import torch.nn.functional as F

from pencil.model.functional import RMSNorm
from pencil.model.module import Module, config_of, linear, named
from pencil.note import scoped
from pencil.reference.functional import LayerNormParams
from pencil.reference.streams import check_streams


class HyperConnection(Module):
    """A sublayer between the n residual streams of each token.

    Args:
        params: HyperConnectionParams, of which the shapes are used.
        config: a BlockConfig, of which the eps of the norm of the streams, laid side by side, and the `sinkhorn_iterations` are used;
            BlockConfig() if None.
        sublayer: a module or function of (..., d), such as a `FeedForward`; None where each call of `connect` brings its own.

    Raises ValueError for projections that are not for the same streams.
    """

    def __init__(self, params, config=None, *, sublayer=None):
        super().__init__()
        check_streams(params)
        config = config_of(params, config)
        self.sublayer, self.iterations, self.n_streams = sublayer, config.sinkhorn_iterations, len(params.read)
        self.norm = RMSNorm(LayerNormParams(), config, width=params.read.shape[1])
        for name in ("read", "write", "mixing"):
            setattr(self, name, linear(*getattr(params, name).shape, True))

    def arrays(self):
        """The projections; those of the sublayer are its own."""
        each = {name: getattr(self, name) for name in ("read", "write", "mixing")}
        return {name: layer.weight for name, layer in each.items()} | {f"{name}_bias": layer.bias for name, layer in each.items()}

    def forward(self, streams, *, note=None):  # (..., n, d) -> (..., n, d)
        """The streams after the sublayer. Raises ValueError for streams of another number or width."""
        return self.connect(streams, self.sublayer, note=note)

    def connect(self, streams, sublayer, *, note=None):  # (..., n, d), function of (..., d) -> (..., n, d)
        """The same for a sublayer that comes with the call. Raises ValueError as `forward` does."""
        n, d = streams.shape[-2:]
        if n != self.n_streams or n * d != self.read.in_features:
            raise ValueError(f"the streams are {tuple(streams.shape)}; there are {self.n_streams}, together {self.read.in_features} wide")
        read, write, mixing = self._weights(streams.flatten(-2), note)
        out = sublayer(named(note, "collapsed", (read.unsqueeze(-1) * streams).sum(-2)))
        mixed = named(note, "mixed", mixing.transpose(-1, -2) @ streams)
        written = named(note, "written", write.unsqueeze(-1) * out.unsqueeze(-2))
        return named(note, "new_streams", mixed + written)

    def _weights(self, flat, note):  # (..., n · d) -> (..., n), (..., n), (..., n, n)
        flat = self.norm(flat, note=note and scoped(note, "streams_norm"))
        in_read, in_write, within = (note and scoped(note, name) for name in ("read", "write", "mixing"))
        read = named(in_read, "prob", torch.sigmoid(named(in_read, "logits", self.read(flat))))
        write = named(in_write, "prob", torch.sigmoid(named(in_write, "logits", self.write(flat))))
        mixing = F.softmax(named(within, "logits", self.mixing(flat)).unflatten(-1, (self.n_streams, -1)), -1)
        for k in range(1, self.iterations + 1):
            mixing = named(within, f"rows{k}", mixing if k == 1 else mixing / mixing.sum(-1, keepdim=True))  # the first are softmax's
            mixing = named(within, f"columns{k}", mixing / mixing.sum(-2, keepdim=True))
        return read, named(in_write, "weights", 2 * write), mixing
