"""The published values that the pages of these tests quote."""

import published_runs
import pytest

from pencil.checker.values import publish


@pytest.fixture(scope="session")
def review():
    """The run of "nolan ended" with a second run and figures."""
    return published_runs.review()


@pytest.fixture(scope="session")
def mixing():
    """The run of the mixing grid alone."""
    return publish(published_runs.mixing_run())
