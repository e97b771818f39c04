"""Recurrent networks: the RNN (Elman 1990), its Jacobians, the LSTM, a step of the GRU, and both directions at once
(Schuster and Paliwal 1997).

T is the number of tokens, d the width of an embedding, d_h the width of the hidden state. `run_rnn` runs any of the three kinds.
"""

from dataclasses import dataclass

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.contracts import Array, shapes
from pencil.reference.functional import linear, sigmoid
from pencil.reference.pooling import last_token


@dataclass(frozen=True)
class RNNParams:
    """The parameters of an RNN, or of one gate of an LSTM, named as in torch.nn.RNN; one bias instead of torch's two."""

    weight_ih: Array  # (d_h, d)
    weight_hh: Array  # (d_h, d_h)
    bias: Array | None = None  # (d_h,)


@shapes("... d, hidden?: ... d_h, params.weight_ih: d_h d, params.weight_hh: d_h d_h, params.bias?: d_h -> ... d_h")
def preactivation(x, hidden, params, *, note=no_note):
    """W_ih·x + b + W_hh·h, the argument of tanh (or, in a gate of an LSTM, of the sigmoid).

    - `x`: (..., d), the embedding of one token
    - `hidden`: (..., d_h), the hidden state of the step before; None where there is none, and W_hh·h is left out
    - `params`: the weights and the bias

    Raises ValueError for shapes that do not fit one another.
    """
    from_input = note("from_input", linear(x, params.weight_ih, params.bias))
    if hidden is None:
        return note("preactivation", from_input)
    from_hidden = note("from_hidden", linear(hidden, params.weight_hh))
    return note("preactivation", from_input + from_hidden)  # x first: a trace labels a sum by its first operand, the token of x


@shapes("... d, hidden?: ... d_h, params.weight_ih: d_h d -> ... d_h")
def rnn_step(x, hidden, params, *, note=no_note):
    """One step: the new hidden state, tanh(W_ih·x + b + W_hh·h) (torch.nn.RNNCell).

    The arguments are those of `preactivation`. Raises ValueError as `preactivation` does.
    """
    return note("hidden", np.tanh(preactivation(x, hidden, params, note=note)))


@shapes("T d, h0?: d_h, params.weight_ih: d_h d -> T d_h")
def rnn(x, params, *, h0=None, note=no_note):
    """The hidden states of all steps, one row for each token (torch.nn.RNN with tanh).

    - `x`: (T, d), one text
    - `params`: the weights and the bias, the same at every step
    - `h0`: (d_h,), the initial hidden state; None is the same as zeros

    Values are named step1.…, step2.…, and hidden_states. Raises ValueError for more than one text, and as `preactivation` does.
    """
    hidden, hidden_states = h0, []
    for t in range(x.shape[0]):  # a loop, because step t needs the hidden state of step t - 1
        hidden = rnn_step(x[t], hidden, params, note=scoped(note, f"step{t + 1}"))
        hidden_states.append(hidden)
    return note("hidden_states", np.stack(hidden_states))


@shapes("d_h, params.weight_hh: d_h d_h -> d_h d_h")
def step_jacobian(hidden, params, *, note=no_note):
    """The Jacobian ∂h_t / ∂h_(t−1) of an RNN: diag(1 − h_t²)·W_hh (Pascanu et al. 2013).

    - `hidden`: (d_h,), the hidden state h_t after the step, such as `hidden_states[1]`
    - `params`: the RNNParams that computed it

    Row i, column j: the derivative of h_t[i] with respect to h_(t−1)[j]. Raises ValueError for more than one hidden state, and for
    a W_hh of another width.
    """
    tanh_grad = note("tanh_grad", 1 - hidden * hidden)  # tanh'(z) = 1 − tanh²(z), and hidden is tanh(z)
    return note("jacobian", tanh_grad[:, None] * params.weight_hh)


@shapes("T d_h, params.weight_hh: d_h d_h -> d_h d_h")
def jacobian_product(hidden_states, params, *, note=no_note):
    """The gradient ∂h_T / ∂h_1 of an RNN: the product of the Jacobians of all steps after the first. It vanishes or explodes with T.

    - `hidden_states`: (T, d_h), as `rnn` returns them
    - `params`: the RNNParams that computed them

    Source: Bengio, Simard and Frasconi 1994; Pascanu, Mikolov and Bengio 2013, eq. 5. Values are named step2.jacobian,
    step3.jacobian, step3.product, …, where product is the product so far. Raises ValueError for fewer than two hidden states,
    and as `step_jacobian` does.
    """
    if len(hidden_states) < 2:
        raise ValueError(f"{len(hidden_states)} hidden state: there is no step between the first and the last; give two tokens at least")
    product = None
    for t in range(1, len(hidden_states)):
        inside = scoped(note, f"step{t + 1}")
        jacobian = step_jacobian(hidden_states[t], params, note=inside)
        product = jacobian if product is None else inside("product", jacobian @ product)
    return product


@dataclass(frozen=True)
class LSTMParams:
    """The parameters of an LSTM: three gates and the candidate for the cell state (torch's W_i, W_f, W_o and W_g), all of one width."""

    forget_gate: RNNParams
    input_gate: RNNParams
    output_gate: RNNParams
    candidate: RNNParams


@shapes("... d, hidden?: ... d_h, cell?: ... d_h, params.candidate.weight_ih: d_h d -> ... d_h, ... d_h")
def lstm_step(x, hidden, cell, params, *, note=no_note):
    """One step: the new hidden state and the new cell state (torch.nn.LSTMCell).

    - `x`: (..., d), the embedding of one token
    - `hidden`, `cell`: (..., d_h), the hidden state and the cell state of the step before; None where there are none
    - `params`: the three gates and the candidate

    Source: Hochreiter and Schmidhuber 1997; the forget gate: Gers et al. 2000. Raises ValueError for gates of different widths,
    for a cell state that is not as wide as the hidden state, and as `preactivation` does.
    """
    _check_gates(params)
    forget_gate = _gate("forget_gate", x, hidden, params.forget_gate, note)
    input_gate = _gate("input_gate", x, hidden, params.input_gate, note)
    output_gate = _gate("output_gate", x, hidden, params.output_gate, note)
    candidate = note("candidate", np.tanh(preactivation(x, hidden, params.candidate, note=scoped(note, "candidate"))))
    new_cell = input_gate * candidate
    if cell is not None:
        new_cell = forget_gate * cell + new_cell
    cell = note("cell", new_cell)  # no tanh: from step to step the cell state is only scaled and added to
    cell_tanh = note("cell_tanh", np.tanh(cell))
    return note("hidden", output_gate * cell_tanh), cell


@shapes("T d -> T d_h")
def lstm(x, params, *, h0=None, note=no_note):
    """The hidden states of all steps, one row for each token (torch.nn.LSTM).

    - `x`: (T, d), one text
    - `params`: the three gates and the candidate
    - `h0`: the initial pair (hidden, cell), each (d_h,); None is the same as zeros

    Values are named step1.…, step2.…, and hidden_states. Raises ValueError for more than one text, and as `lstm_step` does.
    """
    check_h0(h0)
    (hidden, cell), hidden_states = h0 or (None, None), []
    for t in range(x.shape[0]):
        hidden, cell = lstm_step(x[t], hidden, cell, params, note=scoped(note, f"step{t + 1}"))
        hidden_states.append(hidden)
    return note("hidden_states", np.stack(hidden_states))


def _gate(name, x, hidden, gate, note):  # -> (..., d_h), each between 0 and 1
    inside = scoped(note, name)  # the gate itself is named forget_gate, what it is computed from forget_gate.preactivation
    z = preactivation(x, hidden, gate, note=inside)
    return sigmoid(z, note=lambda part, value: note(name, value) if part == "prob" else inside(part, value))


def check_h0(h0):
    """Raise ValueError for an initial state that is not a pair: an LSTM starts from a hidden state and a cell state."""
    if h0 is not None and not (isinstance(h0, tuple | list) and len(h0) == 2):
        raise ValueError(f"h0 is a {type(h0).__name__}; an LSTM takes a pair: (hidden, cell)")


def _check_gates(params):
    widths = {name: np.shape(gate.weight_ih)[0] for name, gate in vars(params).items()}
    if len(set(widths.values())) > 1:
        raise ValueError(f"the gates have the widths {widths}; all act on one state: give their weights the same number of rows")


@dataclass(frozen=True)
class GRUParams:
    """The parameters of a GRU: two gates and the candidate for the hidden state (torch's W_r, W_z and W_n), all of one width."""

    reset_gate: RNNParams
    update_gate: RNNParams
    candidate: RNNParams


@shapes("... d, hidden?: ... d_h, params.candidate.weight_ih: d_h d -> ... d_h")
def gru_step(x, hidden, params, *, note=no_note):
    """One step: the new hidden state (torch.nn.GRUCell), an average of the old one and the candidate with the update gate as weight.

    - `x`: (..., d), the embedding of one token
    - `hidden`: (..., d_h), the hidden state of the step before; None where there is none
    - `params`: the two gates and the candidate; the candidate's one bias is torch's b_in, and b_hn is zero

    Source: Cho et al. 2014, with the reset gate behind W_hh, as in torch. Raises ValueError for gates of different widths, and as
    `preactivation` does.
    """
    _check_gates(params)
    update_gate, inside = _gate("update_gate", x, hidden, params.update_gate, note), scoped(note, "candidate")
    z = inside("from_input", linear(x, params.candidate.weight_ih, params.candidate.bias))
    if hidden is not None:
        reset_gate = _gate("reset_gate", x, hidden, params.reset_gate, note)
        from_hidden = inside("from_hidden", linear(hidden, params.candidate.weight_hh))
        z = inside("preactivation", z + inside("reset", reset_gate * from_hidden))
    candidate = note("candidate", np.tanh(z))
    new_hidden = note("remaining", 1 - update_gate) * candidate
    if hidden is not None:
        new_hidden = update_gate * hidden + new_hidden
    return note("hidden", new_hidden)


RNNS = {RNNParams: rnn, LSTMParams: lstm}


@dataclass(frozen=True)
class BidirectionalParams:
    """Two RNNs or LSTMs with parameters of their own: one reads from the first token on, the other from the last one back."""

    forward: object  # RNNParams or LSTMParams
    backward: object  # RNNParams or LSTMParams


@shapes("T d -> T both")
def bidirectional(x, forward, backward, *, note=no_note):
    """The hidden states of both directions, concatenated token by token (torch.nn.LSTM with bidirectional=True).

    - `x`: (T, d), one text
    - `forward`, `backward`: RNNParams or LSTMParams each; a row of the result is as wide as both hidden states together

    Values are named forward.… and backward.…, whose step1 reads the last token, and concat. Raises ValueError for parameters of
    another kind, and as `rnn` and `lstm` do.
    """
    ahead = run_rnn(x, check_rnn(forward), note=scoped(note, "forward"))
    back = run_rnn(np.flip(x, 0), check_rnn(backward), note=scoped(note, "backward"))
    return note("concat", np.concatenate([ahead, np.flip(back, 0)], axis=-1))


@shapes("T d -> T width")
def run_rnn(x, params, *, note=no_note):
    """The hidden states of an RNN of any kind: `rnn`, `lstm` or `bidirectional`, whichever the parameters are for.

    - `x`: (T, d), one text
    - `params`: RNNParams, LSTMParams or BidirectionalParams

    Source: torch.nn.RNN and torch.nn.LSTM. Raises ValueError for parameters of another kind.
    """
    if isinstance(params, BidirectionalParams):
        return bidirectional(x, params.forward, params.backward, note=note)
    return RNNS[type(check_rnn(params))](x, params, note=note)


@shapes("T width -> width")
def final_hidden(hidden_states, params, *, note=no_note):
    """The hidden state after the last step, of both directions where there are two (h_n of torch.nn.LSTM).

    - `hidden_states`: (T, width), as `run_rnn` returns them
    - `params`: the parameters that it was given

    Named pooled, as every row that a classifier head reads. The backward direction ends at the first token: its state there has
    seen the whole text, that in the last row one token only. Raises ValueError for parameters of another kind.
    """
    if not isinstance(params, BidirectionalParams):
        check_rnn(params)
        return last_token(hidden_states, note=note)
    width = np.shape(getattr(check_rnn(params.forward), "output_gate", params.forward).weight_hh)[0]
    return note("pooled", np.concatenate([hidden_states[-1, :width], hidden_states[0, width:]]))


def check_rnn(params):  # -> the same parameters
    """Raise ValueError for anything but the parameters of one direction."""
    if type(params) not in RNNS:
        raise ValueError(f"the parameters of an RNN are RNNParams or LSTMParams, and this is a {type(params).__name__}")
    return params
