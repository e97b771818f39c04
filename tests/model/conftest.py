"""One thread, since these matrices are too small for several; and on a GPU float32 in full."""

import pytest
import torch

from pencil.model.runs import full_float32


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def without_tf32():
    with full_float32():
        yield


@pytest.fixture(autouse=True)
def the_same_numbers_each_time():
    torch.manual_seed(0)
