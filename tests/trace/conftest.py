"""The traced array for the tests of supported and refused operations."""

import pytest
from rows import ROWS

from pencil.trace import Trace


@pytest.fixture
def x():
    return Trace().given("x", ROWS)
