"""Keras in double precision, for all tests that compare with it."""

import os

import pytest


@pytest.fixture(scope="module")
def keras():
    os.environ["KERAS_BACKEND"] = "torch"  # must stand before the first import
    import keras

    before = keras.config.floatx(), keras.config.dtype_policy()
    keras.config.set_floatx("float64")
    keras.config.set_dtype_policy("float64")  # layers ask this one, losses and pooling the other
    yield keras
    keras.config.set_floatx(before[0])
    keras.config.set_dtype_policy(before[1])
