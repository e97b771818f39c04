"""The traced array that the tests of what the trace follows and refuses are about."""

import pytest
from rows import ROWS

from pencil.trace import Trace


@pytest.fixture
def x():
    return Trace().given("x", ROWS)
