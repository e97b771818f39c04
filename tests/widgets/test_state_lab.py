"""StateLab writes and reads as a state of plain NumPy does."""

import numpy as np
import pytest

from pencil.widgets import StateLab


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("count, angle", [(1, 90), (2, 90), (3, 90), (3, 45), (6, 30), (4, 0)])
def test_it_reads_back_what_the_state_holds(count, angle, variant):
    lab, values = StateLab(), np.array([2.0, -1, 3, 0.5, 4, 1])
    lab.variant = variant
    lab.givens = {"keys": count, "angle": angle, "values": values}
    turned = np.radians(angle) * np.arange(count)
    keys, state = np.stack([np.cos(turned), np.sin(turned)], 1), np.zeros(2)
    for key, value in zip(keys, values, strict=False):
        state += key * (value - key @ state if variant else value)
    wrote, read = lab.trace.find("both").exact
    np.testing.assert_allclose(wrote, np.r_[values[:count], np.zeros(6 - count)])
    np.testing.assert_allclose(read, np.r_[keys @ state, np.zeros(6 - count)], atol=1e-12)
    np.testing.assert_allclose(lab.trace.find("away").exact, abs(wrote - read).max(), atol=1e-12)


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("count, spoiled", [(2, False), (3, True)])
def test_there_is_room_for_two_keys_at_a_right_angle(count, spoiled, variant):
    lab = StateLab()
    lab.variant = variant
    lab.givens = {"keys": count}
    assert (lab.trace.find("away").paper > 0) == spoiled


def test_by_the_delta_rule_the_last_key_always_finds_its_own_value():
    lab = StateLab()
    lab.variant = 1
    lab.givens = {"keys": 6, "angle": 30}
    wrote, read = lab.trace.find("both").exact
    np.testing.assert_allclose(wrote[-1], read[-1])
