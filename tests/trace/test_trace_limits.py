"""The limits of an input: what they refuse, in the same words as the page's engine, and which limits are refused themselves."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pencil.trace import COUNT, Trace

CASES = json.loads(Path(__file__).parents[1].joinpath("limits.json").read_text(encoding="utf-8"))  # tests/web/test_program.mjs reads it too


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['value']} {case['limits']}")
def test_a_number_outside_its_limits_is_told_one_that_would_do(case):
    trace, value = Trace(), [float(x) for x in case["value"]]
    trace.given("heads", case.get("shared", 1), whole=True)
    if case["message"]:
        with pytest.raises(ValueError) as refused:
            trace.given("x", value, **case["limits"])
        assert str(refused.value) == case["message"]
    else:
        trace.given("x", value, **case["limits"])


NO_LIMITS = [
    ({"least": 5, "most": 1}, "least=5 of 'x' is above most=1"),
    ({"most": -1}, "least=0 of 'x' is above most=−1; least is 0 where none is given"),
    ({"whole": True, "least": 0.5}, "'x' is whole, and least=0.5 is not"),
    ({"whole": True, "most": 2.5}, "'x' is whole, and most=2.5 is not"),
    ({"whole": 1}, "whole=1 of 'x' is neither True nor False"),
    ({"whole": None}, "whole=None of 'x' is neither"),
    ({"most": np.inf}, "most=inf of 'x' is no bound"),
    ({"least": -np.inf}, "least=-inf of 'x' is no bound"),
    ({"least": np.nan}, "least=nan of 'x' is no bound"),
    ({"most": 10**400}, "is no bound"),
    ({"least": "1"}, "least='1' of 'x' is no bound"),
    ({"least": [1]}, r"least=\[1\] of 'x' is no bound"),
    ({"least": np.array([1])}, "of 'x' is no bound"),
    ({"least": True}, "least=True of 'x' is no bound"),
    ({"least": np.bool_(True)}, "of 'x' is no bound"),
    ({"least": Fraction(1, 3)}, "of at most ten decimals"),
    ({"most": np.nextafter(1, 0)}, "of at most ten decimals"),
    ({**COUNT, "divides": "nobody"}, "'x' cannot divide 'nobody'"),
    ({**COUNT, "divides": 12}, "'x' cannot divide 12"),
    ({**COUNT, "divides": "half"}, "'x' cannot divide 'half'; both have to be whole=True"),
    ({**COUNT, "divides": "pair"}, "'x' cannot divide 'pair'"),
    ({**COUNT, "divides": "noted"}, "'x' cannot divide 'noted'"),
    ({**COUNT, "divides": "x"}, "'x' cannot divide 'x'"),
    ({"divides": "heads"}, "'x' cannot divide 'heads'; both have to be whole=True"),
]


@pytest.mark.parametrize("limits, says", NO_LIMITS, ids=lambda part: str(part)[:60])
def test_limits_that_are_none_or_contradict_each_other_are_refused(limits, says):
    trace = Trace()
    heads = trace.given("heads", 12, **COUNT)
    trace.given("half", 1.5, least=1), trace.given("pair", [2, 4], **COUNT), trace("noted", heads * 2)
    with pytest.raises(ValueError, match=says):
        trace.given("x", 3, **limits)


def test_a_limit_that_there_is_not_is_a_type_error():
    with pytest.raises(TypeError, match="wohle"):
        Trace().given("x", 3, wohle=True)


def test_limits_are_plain_in_the_program_and_hold_where_it_is_replayed():
    trace = Trace()
    heads = trace.given("heads", np.int64(12), whole=np.bool_(True), least=np.int64(1), most=np.float32(64))
    trace("share", heads * trace.given("share_of", 0.5, least=Fraction(1, 4), most=1) + trace.given("free", -3))
    program = json.loads(json.dumps(trace.program()))
    given = {step["name"]: step for step in program["steps"] if step["op"] == "given"}
    assert [str(given["heads"][key]) for key in ("least", "whole", "most")] == ["1", "True", "64"]
    assert given["share_of"]["least"] == 0.25 and not {"least", "whole", "most", "divides"} & set(given["free"])
    assert Trace.load(program, {"heads": 6, "free": -9}).names["share"].exact == -6
    with pytest.raises(ValueError, match=r"'heads' must be a whole number from 1 to 64\. Type 3, for example"):
        Trace.load(program, {"heads": 2.5})
    assert trace.fractions({"heads": Fraction(5, 2)})["share"] == Fraction(-7, 4)  # which takes any number
