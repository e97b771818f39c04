"""A unit behind a number is the one that its name declares."""

import pytest
from judging import failures, reasons

from pencil.checker.values import publish

VALUES = publish(figures={"exam_seconds": 12.5, "card_ms": [2.2, 6.4], "rows_mib": 16, "size": 3})


@pytest.mark.parametrize(
    "text", ["It took {v}`12.5 <exam_seconds>` seconds.", "{v}`2.2 <card_ms[0]>` milliseconds", "{v}`3 <size>` bytes", "{v}`16 <rows_mib>` rows"]
)
def test_the_unit_of_the_name_and_no_unit_pass(text):
    assert failures(text, VALUES) == []


@pytest.mark.parametrize(
    "text",
    [
        "It took {v}`12.5 <exam_seconds>` minutes.",
        "{v}`2.2 <card_ms[0]>` seconds",
        "{v}`16 <rows_mib>` bytes",
        "{v}`3 <size>` and {v}`12.5 <exam_seconds>` minutes",
    ],
)
def test_another_unit_is_refused(text):
    assert "write that unit, or bind another value" in reasons(text, VALUES)
