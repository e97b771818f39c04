"""The look-across machine of the source in Keras 3 (torch backend), its weights carried over into `pencil`.

Two tolerances. Where Keras keeps to float64 (look-up, and attention that returns its shares), 1e-12, as against torch.
On this backend Dense, mean, LayerNorm, the losses and attention without shares are worked out in float32 whatever the
policy says: 6e-8 for each rounding, a few roundings on numbers of about 1, so 2e-6. A wrong mask, divisor or width
moves these numbers by 1e-2 and more.
"""

import numpy as np
import pytest

from pencil.params import flatten
from pencil.reference import (  # fmt: skip
    AttentionParams,
    ClassifierParams,
    MLPParams,
    QKVParams,
    binary_cross_entropy,
    classifier,
    embed,
    layer_norm,
    mean_pool,
    multi_head_attention,
    padding_mask,
)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:__array__ implementation")]  # Keras 3 on NumPy 2
VOCAB_SIZE, MAX_LEN, WIDTH = 60, 12, 32
DOUBLE, SINGLE = 1e-12, 2e-6
REVIEWS = np.array([[7, 3] + [0] * 10, [5, 5, 9, 59, 1, 2, 3, 4, 6, 8, 10, 11], [1] + [0] * 11])


def build(keras, masked, key_dim=WIDTH):
    """The model of the source, line by line; `masked` adds the mask_zero=True that it lacks."""
    keras.utils.set_random_seed(4)
    layers = keras.layers
    inputs = keras.Input(shape=(MAX_LEN,), dtype="int64")
    x = layers.Embedding(VOCAB_SIZE, WIDTH, mask_zero=masked, name="embedding")(inputs)
    x = layers.MultiHeadAttention(num_heads=2, key_dim=key_dim, name="heads")(x, x)
    x = layers.GlobalAveragePooling1D(name="pooled")(x)
    x = layers.Dropout(0.1)(x)
    x = layers.Dense(20, activation="relu", name="activated")(x)
    x = layers.Dropout(0.1)(x)
    outputs = layers.Dense(1, activation="sigmoid", name="prob")(x)
    model = keras.Model(inputs, outputs)
    embedding = model.get_layer("embedding")
    embedding.set_weights([embedding.get_weights()[0] * 20])  # Keras starts at ±0.05, where every share is much the same
    return model


def grids_of(layer):  # Keras: (d_model, heads, key_dim) and back (heads, key_dim, d_model), with a bias each
    query, query_bias, key, key_bias, value, value_bias, output, output_bias = layer.get_weights()
    for bias in (query_bias, key_bias, value_bias, output_bias):
        assert not bias.any()  # Keras has biases, which start at 0; the source's machine and ours have none
    heads = tuple(QKVParams(query[:, h].T, key[:, h].T, value[:, h].T) for h in range(query.shape[1]))
    return AttentionParams(heads, output.reshape(-1, output.shape[-1]).T)


def carried_over(model):
    (weight1, bias1), (weight2, bias2) = (model.get_layer(name).get_weights() for name in ("activated", "prob"))
    return ClassifierParams(
        model.get_layer("embedding").get_weights()[0], grids_of(model.get_layer("heads")), MLPParams(weight1.T, bias1, weight2.T, bias2)
    )


def plain(tensor):
    return tensor.detach().numpy() if hasattr(tensor, "detach") else np.asarray(tensor)


def assert_same(ours, theirs, tolerance, name=""):
    assert np.shape(ours) == np.shape(plain(theirs)), name
    np.testing.assert_allclose(ours, plain(theirs), rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("key_dim", [32, 16])
@pytest.mark.parametrize("masked", [True, False])
def test_the_whole_machine_name_by_name(keras, masked, key_dim):
    model = build(keras, masked, key_dim)
    machine = carried_over(model)
    names = {"embedding": "embedding", "heads": "attn_out", "pooled": "pooled", "activated": "activated", "prob": "sigmoid.prob"}
    inside = keras.Model(model.input, [model.get_layer(name).output for name in names])(REVIEWS, training=False)
    for i, review in enumerate(REVIEWS):
        noted = {}
        classifier(review, machine, note=noted.setdefault, padding=masked)
        for (theirs, ours), value in zip(names.items(), inside, strict=True):
            rows = padding_mask(review) if masked and theirs == "heads" else ...  # what padding asks is nobody's business
            assert_same(noted[ours][rows], value[i][rows], DOUBLE if theirs == "embedding" else SINGLE, ours)


@pytest.mark.parametrize("key_dim", [32, 16])
@pytest.mark.parametrize("masked", [True, False])
def test_the_shares_of_every_head(keras, masked, key_dim):
    model = build(keras, masked, key_dim)
    embedding, layer = model.get_layer("embedding"), model.get_layer("heads")
    params = grids_of(layer)
    for review in REVIEWS:
        real = padding_mask(review)
        x, mask = embedding(review[None]), real[None, :] if masked else None
        out, shares = layer(x, x, attention_mask=mask, return_attention_scores=True, training=False)
        noted = {}
        attn_out = multi_head_attention(embed(review, embedding.get_weights()[0]), params, note=noted.setdefault, mask=mask)
        assert_same(attn_out[real], out[0][real], DOUBLE, "attn_out")
        for h in range(2):
            assert_same(noted[f"head{h + 1}.weights"][real], shares[0, h][real], DOUBLE, f"head{h + 1}.weights")


@pytest.mark.parametrize("masked", [True, False])
def test_only_without_masks_does_the_stick_behind_the_padding_move_the_answer(keras, masked):
    model = build(keras, masked)
    embedding, review = model.get_layer("embedding"), REVIEWS[:1]
    before = plain(model(review, training=False)).copy()
    table = embedding.get_weights()[0]
    table[0] += 3
    embedding.set_weights([table])
    moved = np.abs(plain(model(review, training=False)) - before).max()
    assert moved < DOUBLE if masked else moved > 1e-3


def test_swapping_two_words_leaves_the_answer_as_it_was(keras):
    model = build(keras, True)
    swapped = REVIEWS[:1].copy()
    swapped[0, :2] = swapped[0, 1::-1]
    assert_same(plain(model(REVIEWS[:1], training=False)), model(swapped, training=False), SINGLE)


@pytest.mark.parametrize("key_dim, glue, count", [(32, 64, 8_416), (16, 32, 4_224)])
def test_the_dials_of_two_heads(keras, key_dim, glue, count):
    layer = build(keras, True, key_dim).get_layer("heads")
    attention = grids_of(layer)
    params = sum(grid.size for grid in flatten(attention).values())
    assert attention.output.shape == (WIDTH, glue)
    assert layer.count_params() == count == params + 3 * glue + WIDTH  # Keras counts its biases as well


def test_the_dials_of_the_head_and_of_the_table(keras):
    model = build(keras, True)
    head = carried_over(model).head
    assert model.get_layer("activated").count_params() == 660 == head.weight1.size + head.bias1.size
    assert model.get_layer("prob").count_params() == 21 == head.weight2.size + head.bias2.size
    assert model.get_layer("embedding").count_params() == VOCAB_SIZE * WIDTH


def test_pooling_with_and_without_a_mask(keras):
    rows, real = np.random.default_rng(0).normal(size=(1, 5, 4)), np.array([True, True, True, False, False])
    pool = keras.layers.GlobalAveragePooling1D()
    assert_same(mean_pool(rows[0]), pool(rows)[0], SINGLE)
    assert_same(mean_pool(rows[0], mask=real), pool(rows, mask=real[None])[0], SINGLE)


def test_layer_norm_with_the_eps_of_keras(keras):
    rows = np.random.default_rng(1).normal(size=(3, 6))
    assert_same(layer_norm(rows, eps=1e-3), keras.layers.LayerNormalization(center=False, scale=False)(rows), SINGLE)


def test_the_loss(keras):
    rng = np.random.default_rng(2)
    truth, answer = rng.integers(0, 2, 20).astype(float), rng.uniform(0.01, 0.99, 20)  # Keras cuts answers at 1e-7 from 0 and 1
    assert_same(binary_cross_entropy(answer, truth).mean(), keras.losses.BinaryCrossentropy()(truth, answer), SINGLE)
