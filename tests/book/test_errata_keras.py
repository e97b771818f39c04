"""The entries of book/errata.md on Keras, tested with Keras. Slow: `make test-slow` installs it."""

import inspect
import os

import numpy as np
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def keras():
    os.environ.setdefault("KERAS_BACKEND", "torch")
    import keras

    keras.utils.set_random_seed(0)
    return keras


def params(keras, mask_zero):
    ids = keras.Input(shape=(10,))
    x = keras.layers.Embedding(100, 8, mask_zero=mask_zero)(ids)
    x = keras.layers.MultiHeadAttention(num_heads=2, key_dim=8)(x, x)
    x = keras.layers.GlobalAveragePooling1D()(x)
    return keras.Model(ids, keras.layers.Dense(1, activation="sigmoid")(x))


def answers_before_and_after(model, ids):  # the padding's locker is changed between the two
    before = np.asarray(model.predict(ids, verbose=0))
    table = model.layers[1].get_weights()[0]
    table[0] += 1
    model.layers[1].set_weights([table])
    return before, np.asarray(model.predict(ids, verbose=0))


def test_keras_pads_in_front(keras):
    padded = keras.utils.pad_sequences([[73, 88], list(range(1, 8))], maxlen=5)
    assert padded.tolist() == [[0, 0, 0, 73, 88], [3, 4, 5, 6, 7]]
    end = keras.utils.pad_sequences([[73, 88], list(range(1, 8))], maxlen=5, padding="post", truncating="post")
    assert end.tolist() == [[73, 88, 0, 0, 0], [1, 2, 3, 4, 5]]


def test_keras_reserves_ids(keras):
    defaults = {k: p.default for k, p in inspect.signature(keras.datasets.imdb.load_data).parameters.items()}
    assert (defaults["start_char"], defaults["oov_char"], defaults["index_from"]) == (1, 2, 3)


def test_keras_head_widths(keras):
    for key_dim, glue, params in ((32, 64, 8_416), (16, 32, 4_224)):
        layer = keras.layers.MultiHeadAttention(num_heads=2, key_dim=key_dim)
        x = np.zeros((1, 5, 32), "float32")
        assert tuple(layer(x, x).shape) == (1, 5, 32)
        assert int(np.prod(layer.query_dense.kernel.shape[1:])) == glue
        assert layer.count_params() == params


def test_keras_average_has_no_order(keras):
    model = params(keras, mask_zero=False)
    ids = np.array([[7, 8, 3, 4, 5, 6, 9, 10, 11, 12]])
    assert np.allclose(model.predict(ids, verbose=0), model.predict(ids[:, ::-1], verbose=0), atol=1e-6)


def test_keras_leaves_padding_out(keras):
    ids = np.array([[7, 8, 0, 0, 0, 0, 0, 0, 0, 0]])
    before, after = answers_before_and_after(params(keras, mask_zero=True), ids)
    assert np.allclose(before, after, atol=1e-6)
    before, after = answers_before_and_after(params(keras, mask_zero=False), ids)
    assert not np.allclose(before, after, atol=1e-3)


def test_keras_speck(keras):
    assert keras.layers.LayerNormalization().epsilon == 1e-3
