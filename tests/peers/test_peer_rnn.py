"""The walker against torch.nn.RNN and against Keras' SimpleRNN with the weights carried over: every memory, each slope, padding.

torch and ours differ in the order of their sums alone: 1e-12. On this backend Keras works a walk, like its Dense, in float32
whatever the policy says: 2e-6 (see test_peer_keras). A skipped slot or a grid the wrong way round moves these numbers by 1e-2 and more.
"""

import numpy as np
import pytest
import torch
from torch import nn

from pencil import model
from pencil.params import flatten
from pencil.reference import MLPParams, RNNClassifierParams, RNNParams, padding_mask, rnn, rnn_classifier

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:__array__ implementation")]  # Keras 3 on NumPy 2
DOUBLE, SINGLE = 1e-12, 2e-6
SHAPES = [(1, 1, 1, 1), (2, 3, 4, 2), (4, 100, 32, 32), (3, 7, 5, 6)]  # batch, words, width of a stick, width of the memory
VOCAB_SIZE, MAX_LEN, WIDTH = 60, 12, 8
REVIEWS = np.array([[7, 3] + [0] * 10, [0] * 10 + [7, 3], [5, 5, 9, 59, 1, 2, 3, 4, 6, 8, 10, 11], [0, 1, 0, 0, 2, 3] + [0] * 6])


def draw(seed, *shape):
    return np.random.default_rng([seed, *shape]).normal(size=shape)


def plain(tensor):
    return tensor.detach().numpy() if hasattr(tensor, "detach") else np.asarray(tensor)


def assert_same(ours, theirs, tolerance, name=""):
    assert np.shape(plain(ours)) == np.shape(plain(theirs)), name
    np.testing.assert_allclose(plain(ours), plain(theirs), rtol=tolerance, atol=tolerance, err_msg=name)


# ---- torch.nn.RNN


def torch_peer(seed, d, hidden_size, bias=True):
    peer = nn.RNN(d, hidden_size, bias=bias, batch_first=True).double()
    with torch.no_grad():
        for i, parameter in enumerate(peer.parameters()):
            parameter.copy_(torch.tensor(draw(10 * seed + i, *parameter.shape) / hidden_size**0.5))
    params = plain(peer.weight_ih_l0), plain(peer.weight_hh_l0)
    return peer, RNNParams(*params, plain(peer.bias_ih_l0) + plain(peer.bias_hh_l0) if bias else None)  # torch's two biases are one


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_memory_against_torch(shape, bias, seed):
    batch, words, d, hidden_size = shape
    peer, params = torch_peer(seed, d, hidden_size, bias)
    x, h0 = draw(seed, batch, words, d), draw(seed + 1, batch, hidden_size)
    cold, _ = peer(torch.tensor(x))
    warm, _ = peer(torch.tensor(x), torch.tensor(h0)[None])
    for i in range(batch):
        assert_same(rnn(x[i], params), cold[i], DOUBLE, "from nowhere")
        assert_same(rnn(x[i], params, h0=h0[i]), warm[i], DOUBLE, "from a start")


@pytest.mark.parametrize("explicit", [True, False], ids=["noted", "fast"])
@pytest.mark.parametrize("shape", SHAPES)
def test_each_slope_against_torch(shape, explicit):
    batch, words, d, hidden_size = shape
    peer, params = torch_peer(3, d, hidden_size)
    ours, runs = model.RNN.from_params(params), []
    for machine in (peer, ours):
        x, h0 = (torch.tensor(a).requires_grad_() for a in (draw(3, batch, words, d), draw(4, batch, hidden_size)))
        if machine is peer:
            out, _ = peer(x, h0[None])
        else:
            out = ours(x, h0=h0, note=(lambda name, value: value) if explicit else None)
        (out * torch.tensor(draw(5, *out.shape))).sum().backward()
        params = machine if machine is peer else machine.layer
        runs.append([out, x.grad, h0.grad, params.weight_ih_l0.grad, params.weight_hh_l0.grad, params.bias_ih_l0.grad])
    for name, mine, theirs in zip(["hidden_states", "x", "h0", "input", "hidden", "bias"], runs[1], runs[0], strict=True):
        assert_same(mine, theirs, 1e-10, name)


def test_packed_texts_of_torch_end_where_ours_do():
    peer, params = torch_peer(6, 5, 4)
    lengths = torch.tensor([7, 1, 4])
    x = torch.tensor(draw(6, 3, 7, 5))
    packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    ours = model.RNN.from_params(params)
    assert_same(ours.final_hidden(ours(x, lengths=lengths), lengths=lengths), peer(packed)[1][0], DOUBLE)
    assert_same(ours.final_hidden(ours(x, lengths=lengths, note=lambda name, value: value), lengths=lengths), peer(packed)[1][0], DOUBLE)


# ---- Keras' SimpleRNN


def shaken(layer, seed):
    layer.set_weights([draw(seed + i, *w.shape) / max(w.shape) ** 0.5 for i, w in enumerate(layer.get_weights())])
    return layer


def recurrent_of(layer):  # Keras: (d, d_h), (d_h, d_h), both the other way round, and one bias
    kernel, recurrent_kernel, bias = layer.get_weights()
    return RNNParams(kernel.T, recurrent_kernel.T, bias)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_memory_against_keras(keras, shape):
    batch, words, d, hidden_size = shape
    layer, x = keras.layers.SimpleRNN(hidden_size, return_sequences=True), draw(1, batch, words, d)
    layer(x)
    theirs = shaken(layer, 2)(x)
    for i in range(batch):
        assert_same(rnn(x[i], recurrent_of(layer)), theirs[i], SINGLE)
    assert_same(model.RNN.from_params(recurrent_of(layer))(torch.tensor(x)), theirs, SINGLE)


def test_each_slope_against_keras(keras):
    layer, x = keras.layers.SimpleRNN(3, return_sequences=True), torch.tensor(draw(3, 2, 6, 4))
    layer(x)
    shaken(layer, 4)
    ours, pull = model.RNN.from_params(recurrent_of(layer)), torch.tensor(draw(5, 2, 6, 3))
    (layer(x) * pull).sum().backward()
    (ours(x) * pull).sum().backward()
    kernel, recurrent_kernel, bias = (variable.value.grad for variable in layer.trainable_variables)
    wanted = {"layer.weight_ih_l0": kernel.T, "layer.weight_hh_l0": recurrent_kernel.T, "layer.bias_ih_l0": bias}
    for name, jacobian in wanted.items():
        assert_same(dict(ours.named_parameters())[name].grad, jacobian, 10 * SINGLE, name)


def build(keras, masked):
    """The walker of the source's contest: its head after a SimpleRNN; `masked` adds the mask_zero=True that it lacks."""
    layers = keras.layers
    inputs = keras.Input(shape=(MAX_LEN,), dtype="int64")
    x = layers.Embedding(VOCAB_SIZE, WIDTH, mask_zero=masked, name="embedding")(inputs)
    x = layers.SimpleRNN(5, name="walk")(x)
    x = layers.Dropout(0.1)(x)
    x = layers.Dense(20, activation="relu", name="activated")(x)
    outputs = layers.Dense(1, activation="sigmoid", name="prob")(layers.Dropout(0.1)(x))
    machine = keras.Model(inputs, outputs)
    for i, name in enumerate(("embedding", "walk", "activated", "prob")):
        shaken(machine.get_layer(name), 10 * i)
    machine.get_layer("embedding").set_weights([draw(9, VOCAB_SIZE, WIDTH)])
    return machine


def carried_over(machine):
    (weight1, bias1), (weight2, bias2) = (machine.get_layer(name).get_weights() for name in ("activated", "prob"))
    head = MLPParams(weight1.T, bias1, weight2.T, bias2)
    return RNNClassifierParams(machine.get_layer("embedding").get_weights()[0], recurrent_of(machine.get_layer("walk")), head)


@pytest.mark.parametrize("masked", [True, False])
def test_the_whole_machine_with_padding_behind_in_front_and_between(keras, masked):
    peer = build(keras, masked)
    machine = carried_over(peer)
    pooled, activated, prob = keras.Model(peer.input, [peer.get_layer(name).output for name in ("walk", "activated", "prob")])(
        REVIEWS, training=False
    )
    ours = model.RNNClassifier.from_params(machine, padding=masked)
    assert_same(ours(torch.tensor(REVIEWS)), prob, SINGLE)
    for i, review in enumerate(REVIEWS):
        noted = {}
        rnn_classifier(review, machine, note=noted.setdefault, padding=masked)
        for name, value in {"pooled": pooled, "activated": activated, "sigmoid.prob": prob}.items():
            assert_same(noted[name], value[i], SINGLE, name)


def test_masked_slopes_of_the_whole_machine_against_keras(keras):
    peer = build(keras, True)
    ours = model.RNNClassifier.from_params(carried_over(peer))
    peer(REVIEWS, training=False).sum().backward()
    ours(torch.tensor(REVIEWS)).sum().backward()
    theirs = [variable.value.grad for variable in peer.trainable_variables]  # table, kernel, recurrent kernel, bias, then the head
    by_name = dict(ours.named_parameters())
    wanted = dict(zip(["embedding", "rnn.layer.weight_ih_l0", "rnn.layer.weight_hh_l0", "rnn.layer.bias_ih_l0"], theirs[:4], strict=True))
    for name, jacobian in wanted.items():
        assert_same(by_name[name].grad, jacobian if jacobian.ndim == 1 or name == "embedding" else jacobian.T, 10 * SINGLE, name)
    assert not by_name["embedding"].grad[0].any()


def test_only_without_masks_does_the_stick_of_padding_move_the_answer(keras):
    moved = {}
    for masked in (True, False):
        peer = build(keras, masked)
        before = plain(peer(REVIEWS[:2], training=False)).copy()
        table = peer.get_layer("embedding").get_weights()[0]
        table[0] += 1
        peer.get_layer("embedding").set_weights([table])
        moved[masked] = np.abs(plain(peer(REVIEWS[:2], training=False)) - before).max()
    assert moved[True] < DOUBLE and moved[False] > 1e-3
    assert padding_mask(REVIEWS[:2]).sum() == 4


def test_the_dials_of_the_walker_of_the_contest(keras):
    layer = keras.layers.SimpleRNN(32)
    layer.build((None, 100, 32))
    bundle = model.Config(32).rnn_params()
    assert layer.count_params() == 2_080 == sum(grid.size for grid in flatten(bundle).values())
    kernel = layer.get_weights()[1]
    np.testing.assert_allclose(kernel @ kernel.T, np.eye(32), atol=1e-6)  # Keras' memory grid starts orthogonal, as ours does
