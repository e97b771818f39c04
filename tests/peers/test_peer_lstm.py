"""The two-memory walker and the stapled pair against torch.nn.LSTM and Keras, weights carried over: values, belts, slopes, masks.

Gate orders: torch stacks input, forget, cell, output (admit, keep, candidate, show), with two biases; Keras input, forget,
cell, output as well, its grids the other way round and one bias. Random biases, since both start most of theirs at 0.
On this backend Keras walks in float32 whatever the policy says: SINGLE allows some twenty roundings of 6e-8. A swapped
gate, a bias too many or a walk through the padding moves these numbers by 1e-2 and more.
"""

import numpy as np
import pytest
import torch
from agree import assert_close, slopes_by_name
from pairs import numbers, shaken, slopes
from torch import nn

from pencil import model
from pencil.params import flatten
from pencil.reference import BidirectionalParams, LSTMParams, RNNParams, final_hidden, lstm, run_rnn

SHAPES = [(1, 1, 2, 1), (2, 3, 4, 2), (3, 7, 5, 6), (1, 12, 1, 3)]  # batch, words, width, memory
SINGLE = 2e-6
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}


def torch_lstm(peer, from_input, way=""):
    """One way of nn.LSTM; its two biases do the same work, so both slopes are the slope of ours."""
    params = [np.split(from_input(getattr(peer, f"weight_{kind}_l0{way}")), 4) for kind in ("ih", "hh")]
    biases = [None] * 4
    if peer.bias:
        first, second = (from_input(getattr(peer, f"bias_{kind}_l0{way}")) for kind in ("ih", "hh"))
        biases = np.split(first + second if from_input is numbers else first, 4)
    input_gate, keep, candidate, show = (RNNParams(*parts) for parts in zip(*params, biases, strict=True))
    return LSTMParams(keep, input_gate, show, candidate)


def torch_walk(peer, from_input):
    return (
        BidirectionalParams(torch_lstm(peer, from_input), torch_lstm(peer, from_input, "_reverse"))
        if peer.bidirectional
        else torch_lstm(peer, from_input)
    )


def like(bundle, dtype=torch.float64):
    return (model.Bidirectional if isinstance(bundle, BidirectionalParams) else model.LSTM).from_params(bundle, dtype=dtype)


def plain(tensor):
    return tensor.detach().numpy() if hasattr(tensor, "detach") else np.asarray(tensor)


# ---- torch


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", SHAPES)
def test_torch_values_belts_and_slopes(shape, seed, both_ways, bias, dtype):
    batch, words, d, hidden_size = shape
    peer = shaken(nn.LSTM(d, hidden_size, bias=bias, batch_first=True, bidirectional=both_ways), seed, dtype)
    rng, bundle, tolerance = np.random.default_rng([seed, *shape]), torch_walk(peer, numbers), TOLERANCE[dtype]
    x = torch.tensor(rng.normal(size=(batch, words, d)), dtype=dtype)
    ours, inputs = like(bundle, dtype), [x.clone().requires_grad_() for _ in range(2)]
    out, (shown, belts) = peer(inputs[0])
    mine = ours(inputs[1])
    assert_close(mine, out, tolerance, "the rows that come out")
    assert_close(ours.final_hidden(mine), shown.transpose(0, 1).flatten(1), tolerance, "where the walk ended")
    for text, rows, ends, cell in zip(plain(x), plain(out), plain(shown.transpose(0, 1)), plain(belts.transpose(0, 1)), strict=True):
        noted = {}
        hidden_states = run_rnn(text, bundle, note=noted.setdefault)
        assert_close(hidden_states, rows, tolerance, "the reference")
        assert_close(final_hidden(hidden_states, bundle), ends.ravel(), tolerance, "where the reference ended")
        scopes = ("forward.", "backward.") if both_ways else ("",)
        for scope, one in zip(scopes, cell, strict=True):
            assert_close(noted[f"{scope}step{words}.cell"], one, tolerance, "the last belt")
    pull = torch.tensor(rng.normal(size=out.shape), dtype=dtype)
    for result in (out, mine):
        (result * pull).sum().backward()
    assert_close(inputs[1].grad, inputs[0].grad, tolerance, "the slope of the words")
    wanted, found = flatten(torch_walk(peer, slopes)), slopes_by_name(ours)
    assert set(found) == set(wanted)
    greatest = max(np.abs(jacobian).max() for jacobian in wanted.values())
    for name, jacobian in wanted.items():
        assert_close(found[name], jacobian, tolerance, f"the jacobian of {name}", greatest)


@pytest.mark.parametrize("both_ways", [False, True])
def test_torch_packs_what_we_count(both_ways):
    peer = shaken(nn.LSTM(3, 4, batch_first=True, bidirectional=both_ways), 5, torch.float64)
    lengths, x = torch.tensor([5, 1, 3]), torch.randn(3, 5, 3, dtype=torch.float64)
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    out, (shown, _) = peer(packed)
    out, _ = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
    ours = like(torch_walk(peer, numbers))
    mine = ours(x, lengths=lengths)
    for i, count in enumerate(lengths):
        assert_close(mine[i, :count], out[i, :count], 1e-12, "the rows of words")
    assert_close(ours.final_hidden(mine, lengths=lengths), shown.transpose(0, 1).flatten(1), 1e-12, "where the walk ended")


def test_torch_goes_on_from_a_memory_and_a_belt():
    peer = shaken(nn.LSTM(3, 4, batch_first=True), 6, torch.float64)
    x, h0 = torch.randn(2, 5, 3, dtype=torch.float64), [torch.randn(2, 4, dtype=torch.float64) for _ in range(2)]
    out, _ = peer(x, tuple(part[None] for part in h0))
    bundle = torch_walk(peer, numbers)
    assert_close(like(bundle)(x, h0=tuple(h0)), out, 1e-12, "the model")
    for i in range(2):
        assert_close(lstm(plain(x[i]), bundle, h0=tuple(plain(part[i]) for part in h0)), out[i], 1e-12, "the reference")


# ---- Keras


def keras_lstm(weights):  # the word's grid (d, 4·d_h), the memory's (d_h, 4·d_h), one bias (4·d_h,)
    params, recurrent, bias = weights
    parts = zip(np.split(params.T, 4), np.split(recurrent.T, 4), np.split(bias, 4), strict=True)
    input_gate, keep, candidate, show = (RNNParams(*part) for part in parts)
    return LSTMParams(keep, input_gate, show, candidate)


def built(keras, shape, seed, both_ways, sequences):
    """A Keras layer whose weights are all drawn, and its bundle."""
    _, words, d, hidden_size = shape
    layer = keras.layers.LSTM(hidden_size, return_sequences=sequences)
    layer = keras.layers.Bidirectional(layer) if both_ways else layer
    layer.build((None, words, d))
    rng = np.random.default_rng([seed, *shape])
    layer.set_weights([rng.normal(size=w.shape) * 0.7 for w in layer.get_weights()])
    weights = layer.get_weights()
    bundle = BidirectionalParams(keras_lstm(weights[:3]), keras_lstm(weights[3:])) if both_ways else keras_lstm(weights)
    return layer, bundle, rng


@pytest.mark.filterwarnings("ignore:__array__ implementation")
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("sequences", [True, False])
@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", SHAPES)
def test_keras_rows_and_ends_with_and_without_a_mask(keras, shape, seed, both_ways, sequences, masked):
    batch, words, d, _ = shape
    layer, bundle, rng = built(keras, shape, seed, both_ways, sequences)
    x = rng.normal(size=(batch, words, d))
    lengths = rng.integers(1, words + 1, batch) if masked else np.full(batch, words)
    mask = torch.tensor(np.arange(words) < lengths[:, None]) if masked else None
    theirs = plain(layer(torch.tensor(x), mask=mask))
    ours = like(bundle)
    mine = plain(ours(torch.tensor(x), lengths=torch.tensor(lengths)))
    ends = plain(ours.final_hidden(torch.tensor(mine), lengths=torch.tensor(lengths)))
    for i, count in enumerate(lengths):
        hidden_states = run_rnn(x[i, :count], bundle)
        if sequences:
            assert_close(theirs[i, :count], hidden_states, SINGLE, "the reference's rows")
            assert_close(theirs[i, :count], mine[i, :count], SINGLE, "the model's rows")
        else:
            assert_close(theirs[i], final_hidden(hidden_states, bundle), SINGLE, "where the reference ended")
            assert_close(theirs[i], ends[i], SINGLE, "where the model ended")


@pytest.mark.filterwarnings("ignore:__array__ implementation")
@pytest.mark.parametrize("both_ways", [False, True])
def test_keras_slopes(keras, both_ways):
    layer, bundle, rng = built(keras, (2, 6, 3, 4), 9, both_ways, True)
    x, pull = torch.tensor(rng.normal(size=(2, 6, 3))), torch.tensor(rng.normal(size=(2, 6, 8 if both_ways else 4)))
    ours, inputs = like(bundle), [x.clone().requires_grad_() for _ in range(2)]
    (layer(inputs[0]) * pull).sum().backward()
    (ours(inputs[1]) * pull).sum().backward()
    assert_close(inputs[1].grad, inputs[0].grad, SINGLE, "the slope of the words")
    theirs = [w.value.grad.numpy() for w in layer.trainable_weights]
    wanted = BidirectionalParams(keras_lstm(theirs[:3]), keras_lstm(theirs[3:])) if both_ways else keras_lstm(theirs)
    found = slopes_by_name(ours)
    for name, jacobian in flatten(wanted).items():
        assert_close(found[name], jacobian, SINGLE, f"the jacobian of {name}", np.abs(jacobian).max())


@pytest.mark.filterwarnings("ignore:__array__ implementation")
def test_keras_starts_its_keep_biases_at_one_as_a_new_machine_of_ours_does(keras):
    layer = keras.layers.LSTM(4)
    layer.build((None, 5, 3))
    fresh, ours = flatten(keras_lstm(layer.get_weights())), model.state_arrays(model.LSTM(model.Config(3, hidden_size=4)))
    for gate, bias in (("forget_gate", 1), ("input_gate", 0), ("output_gate", 0), ("candidate", 0)):
        assert (fresh[f"{gate}.bias"] == bias).all() and (ours[f"{gate}.bias"] == bias).all()
