"""Recurrent networks: RNN (Elman 1990), LSTM (Hochreiter and Schmidhuber 1997), bidirectional (Schuster and Paliwal 1997).

Without a note each is torch's own layer; with one every step runs by itself and is named.
"""

import torch
from torch import nn

from pencil import reference
from pencil.model.config import Config
from pencil.model.module import Module, check_fit, init_std, named
from pencil.model.pooling import at_row
from pencil.note import scoped
from pencil.reference.recurrent import check_h0


class Recurrent(Module):
    """The base of all recurrent networks. The input is (…, T, input_size), the hidden states (…, T, output_size).

    `lengths` (…,) is the number of rows of each text without padding, counted from the front; later hidden states are undefined.
    """

    input_size: int
    output_size: int

    def check(self, x, h0=None):
        """Raise ValueError for rows of another width, a single row, and an h0 of another shape."""
        if x.dim() < 2 or x.shape[-1] != self.input_size or x.shape[-2] < 1:
            raise ValueError(f"x has the shape {tuple(x.shape)}; the weights read (..., tokens, {self.input_size}), one token at least")
        expected = (*x.shape[:-2], self.output_size)
        if h0 is not None and tuple(h0.shape) != expected:
            raise ValueError(f"h0 has the shape {tuple(h0.shape)}; a hidden state here is {expected}: give one for each text, or None")

    def _run(self, x, states, lengths, note):  # (..., T, d), tuple of (..., hidden_size) or None, (...) -> (..., T, hidden_size)
        """The hidden state after every step, from the initial states (hidden,) or (hidden, cell): by torch's layer, or step by step with a note."""
        for state in states:
            self.check(x, state)
        if note is None:
            rows = x.reshape(-1, *x.shape[-2:])  # torch's layer takes one batch axis
            initial = None if states[0] is None else tuple(state.reshape(1, -1, self.output_size) for state in states)
            initial = initial[0] if initial and len(initial) == 1 else initial  # nn.RNN takes a tensor, nn.LSTM a pair
            return self.layer(rows, initial)[0].reshape(*x.shape[:-1], self.output_size)
        hidden_states = []
        for t in range(x.shape[-2]):
            new = self._step(x[..., t, :], *states, note=scoped(note, f"step{t + 1}"))
            if lengths is not None and states[0] is not None:  # a text that has ended keeps its states
                new = tuple(torch.where((t < lengths)[..., None], *pair) for pair in zip(new, states, strict=True))
            states = new
            hidden_states.append(states[0])
        return note("hidden_states", torch.stack(hidden_states, -2))

    def final_hidden(self, hidden_states, *, lengths=None):  # (..., T, output_size) (...) -> (..., output_size)
        """The hidden state at the last row that counts."""
        return hidden_states[..., -1, :] if lengths is None else at_row(hidden_states, lengths - 1)


class RNN(Recurrent):
    """torch.nn.RNN with tanh and one bias.

    Args:
        sizes: a Config, or RNNParams, of which the shapes are used.
        config: not used; `from_params` passes it.

    Raises ValueError for weights that do not fit.
    """

    def __init__(self, sizes, config=None):
        super().__init__()
        params = sizes.rnn_params() if isinstance(sizes, Config) else sizes
        self.output_size, self.input_size = params.weight_ih.shape
        check_fit("the hidden state", self.output_size, "weight_hh", params.weight_hh, out=self.output_size)
        self.layer = torch_layer(nn.RNN, self.input_size, self.output_size, params.bias is not None)

    def forward(self, x, *, lengths=None, h0=None, note=None):  # (..., T, d) -> (..., T, hidden_size)
        """The hidden state after every step. Without a note it is torch.nn.RNN; with one each step runs by itself and is named.

        Args:
            x: (…, T, d) rows.
            lengths: (…) integers, how many rows of each text count; all if None. With a note the hidden state of a padded text does not
                change after them.
            h0: (…, hidden_size), the first hidden state; zeros if None.
            note: a function of (name, value); names have step1., step2., … in front.

        Raises ValueError for rows of another width, and for an h0 of another shape.
        """
        return self._run(x, (h0,), lengths, note)

    def _step(self, x, hidden, *, note):
        return (rnn_step(x, hidden, self.layer, note=note),)

    def arrays(self):
        """weight_ih, weight_hh, bias."""
        return gate_arrays(self.layer)


def rnn_step(x, hidden, params, *, note=None):  # (..., d) (..., hidden_size) -> (..., hidden_size)
    """One step: the next hidden state from a row x, a hidden state (None is zeros) and torch's layer `params`; each value named."""
    return named(note, "hidden", preactivation(x, hidden, gate_arrays(params), note=note).tanh())


def preactivation(x, hidden, params, *, note=None):  # (..., d) (..., hidden_size) -> (..., hidden_size)
    """weight_ih x + bias + weight_hh hidden, of one gate; `params` are its arrays by name, as `gate_arrays` gives them."""
    from_input = named(note, "from_input", nn.functional.linear(x, params["weight_ih"], params.get("bias")))
    if hidden is None:
        return named(note, "preactivation", from_input)
    return named(note, "preactivation", from_input + named(note, "from_hidden", nn.functional.linear(hidden, params["weight_hh"])))


def torch_layer(kind, input_size, hidden_size, bias, gates=1):  # nn.RNN or nn.LSTM -> a new layer of that class
    """torch's own layer, with one bias in use: it has two that are added, and the second stays at 0.

    The input weights are drawn as in every linear layer (see `init_std`). Those of the hidden state are orthogonal: they keep its
    norm, so that gradients at first neither vanish nor explode (Saxe et al. 2014; Keras' recurrent_initializer).
    """
    layer = kind(input_size, hidden_size, bias=bias, batch_first=True)
    with torch.no_grad():
        layer.weight_ih_l0.normal_(std=init_std(input_size))
        for rows in layer.weight_hh_l0.chunk(gates):
            nn.init.orthogonal_(rows)
        if bias:
            layer.bias_ih_l0.zero_()
            layer.bias_hh_l0.zero_().requires_grad_(False)
    return layer


def gate_arrays(layer, gate=0, gates=1):  # -> {name: view}
    """The arrays of one gate of torch's layer, by their names in RNNParams."""
    weights = {"weight_ih": layer.weight_ih_l0.chunk(gates)[gate], "weight_hh": layer.weight_hh_l0.chunk(gates)[gate]}
    return weights | ({"bias": layer.bias_ih_l0.chunk(gates)[gate]} if layer.bias else {})


GATES = ("input_gate", "forget_gate", "candidate", "output_gate")  # in torch's order: input, forget, cell, output
SIGMOID_GATES = ("forget_gate", "input_gate", "output_gate")


class LSTM(Recurrent):
    """torch.nn.LSTM with one bias.

    The forget gate's new biases are 1, so that it forgets little at first (Jozefowicz et al. 2015; Keras'
    unit_forget_bias).

    Args:
        sizes: a Config, or LSTMParams, of which the shapes are used.
        config: not used; `from_params` passes it.

    Raises ValueError for gates of different shapes and for biases on some gates only: all four run at once.
    """

    def __init__(self, sizes, config=None):
        super().__init__()
        params = sizes.lstm_params() if isinstance(sizes, Config) else sizes
        bias = _check_gates(params)
        self.output_size, self.input_size = params.forget_gate.weight_ih.shape
        self.layer = torch_layer(nn.LSTM, self.input_size, self.output_size, bias, gates=len(GATES))
        if bias:
            with torch.no_grad():
                self.gates()["forget_gate"]["bias"].fill_(1)

    def forward(self, x, *, lengths=None, h0=None, note=None):  # (..., T, d) -> (..., T, hidden_size)
        """The hidden state after every step. Without a note it is torch.nn.LSTM; with one each step runs by itself and is named.

        Args:
            x: (…, T, d) rows.
            lengths: (…) integers, how many rows of each text count; all if None. With a note the hidden state of a padded text does not
                change after them.
            h0: a pair (hidden state, cell state), each (…, hidden_size), the first ones; zeros if None.
            note: a function of (name, value); names have step1., step2., … in front.

        Raises ValueError for rows of another width, and for an h0 of another shape.
        """
        check_h0(h0)
        return self._run(x, h0 or (None, None), lengths, note)

    def _step(self, x, hidden, cell, *, note):
        return lstm_step(x, hidden, cell, self.gates(), note=note)

    def gates(self):  # -> {gate: {name: view}}
        """The arrays of each gate, as `lstm_step` takes them."""
        return {name: gate_arrays(self.layer, i, len(GATES)) for i, name in enumerate(GATES)}

    def arrays(self):
        """forget_gate.weight_ih, … , candidate.bias: slices of torch's arrays."""
        gates = self.gates()
        return {f"{gate}.{name}": view for gate in (*SIGMOID_GATES, "candidate") for name, view in gates[gate].items()}


def lstm_step(x, hidden, cell, gates, *, note=None):  # (..., d) (..., hidden_size) (..., hidden_size) -> (..., hidden_size) (..., hidden_size)
    """One step: the next hidden state and cell state from a row x, both states (None is zeros) and `LSTM.gates()`; each value named."""
    forget_gate, input_gate, output_gate = (
        named(note, name, preactivation(x, hidden, gates[name], note=scoped(note, name)).sigmoid()) for name in SIGMOID_GATES
    )
    candidate = named(note, "candidate", preactivation(x, hidden, gates["candidate"], note=scoped(note, "candidate")).tanh())
    update = input_gate * candidate
    cell = named(note, "cell", update if cell is None else forget_gate * cell + update)
    return named(note, "hidden", output_gate * named(note, "cell_tanh", cell.tanh())), cell


def _check_gates(params):  # -> whether the gates have biases
    first = params.forget_gate
    check_fit("the hidden state", first.weight_ih.shape[0], "weight_hh", first.weight_hh, out=first.weight_ih.shape[0])
    for name in GATES:
        gate = getattr(params, name)
        for part in ("weight_ih", "weight_hh"):
            shape, wanted = getattr(gate, part).shape, getattr(first, part).shape
            if shape != wanted:
                raise ValueError(
                    f"{name}.{part} is {tuple(shape)} and forget_gate.{part} {tuple(wanted)}; torch runs all gates at once: give them one shape"
                )
        if (gate.bias is None) != (first.bias is None):
            raise ValueError(f"{name}.bias and forget_gate.bias: one is there and one is not; give the gates all a bias (of zeros) or none")
    return first.bias is not None


RNNS = {reference.RNNParams: RNN, reference.LSTMParams: LSTM}


class Bidirectional(Recurrent):
    """Two recurrent networks, each with weights of its own: torch.nn.LSTM (or nn.RNN) with bidirectional=True.

    Args:
        sizes: a Config (both are LSTMs then), or BidirectionalParams of RNNParams or LSTMParams, of which the shapes are used.
        config: not used; `from_params` passes it.

    Raises ValueError for other params, and for two that read rows of different widths.
    """

    def __init__(self, sizes, config=None):
        super().__init__()
        params = sizes.bidirectional_params() if isinstance(sizes, Config) else sizes
        self.forward_rnn, self.backward_rnn = one_rnn(params.forward), one_rnn(params.backward)
        if self.forward_rnn.input_size != self.backward_rnn.input_size:
            raise ValueError(
                f"one network reads rows of {self.forward_rnn.input_size} and the other of {self.backward_rnn.input_size}; both read the same rows"
            )
        self.output_size, self.input_size = self.forward_rnn.output_size + self.backward_rnn.output_size, self.forward_rnn.input_size

    def forward(self, x, *, lengths=None, note=None):  # (..., T, d) -> (..., T, d_forward + d_backward)
        """Both hidden states at every position, concatenated.

        Args:
            x: (…, T, d) rows.
            lengths: (…) integers, how many rows of each text count; the backward network starts at the last of them.
            note: a function of (name, value); names have forward. and backward. in front.

        Raises ValueError for rows of another width.
        """
        self.check(x)
        forward = self.forward_rnn(x, lengths=lengths, note=scoped(note, "forward"))
        backward = self.backward_rnn(reversed_rows(x, lengths), lengths=lengths, note=scoped(note, "backward"))
        return named(note, "concat", torch.cat([forward, reversed_rows(backward, lengths)], -1))

    def final_hidden(self, hidden_states, *, lengths=None):  # (..., T, output_size) (...) -> (..., output_size)
        """The last hidden states of both: at the last row that counts, and at the first row."""
        forward, backward = hidden_states.split([self.forward_rnn.output_size, self.backward_rnn.output_size], -1)
        return torch.cat([self.forward_rnn.final_hidden(forward, lengths=lengths), backward[..., 0, :]], -1)

    def arrays(self):
        """forward.…, backward.…"""
        networks = {"forward": self.forward_rnn, "backward": self.backward_rnn}
        return {f"{name}.{inner}": view for name, network in networks.items() for inner, view in network.arrays().items()}


def one_rnn(params):  # RNNParams or LSTMParams -> RNN or LSTM
    """A new module of the params' shapes. Raises ValueError for other params."""
    if type(params) not in RNNS:
        raise ValueError(f"{type(params).__name__} is no recurrent network; give RNNParams or LSTMParams")
    return RNNS[type(params)](params)


def reversed_rows(x, lengths=None):  # (..., T, d) (...) -> (..., T, d)
    """The rows that count, in reverse order; the others stay where they are."""
    if lengths is None:
        return x.flip(-2)
    index = torch.arange(x.shape[-2], device=x.device)
    order = torch.where(index < lengths[..., None], lengths[..., None] - 1 - index, index)
    return x.gather(-2, order[..., None].expand(x.shape))
