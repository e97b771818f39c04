"""Keras in double precision, for all tests that compare with it; and whether packages can be had."""

import os
import subprocess
import sys

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


@pytest.fixture(scope="module")
def package_index(tmp_path_factory):
    """`package_index()` says whether pip reaches one: it tries to fetch itself."""

    def reached():
        folder = tmp_path_factory.mktemp("pip")
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--no-cache-dir", "--no-deps", "--dest", folder, "pip"]
        return subprocess.run(command, capture_output=True).returncode == 0

    return reached
