"""What a page fetches for a machine that it carries: the program, and the learned numbers in bytes."""

import json
import re

from pencil.bundles import flatten
from pencil.labs.int8 import pack, rows_of
from pencil.widgets.compact import compact


def noting(trace, names):  # -> note
    """A note that keeps the values of these names alone, wherever in the machine they are: only what is shown has to be there."""
    return lambda name, value: trace(name, value) if name.split(".")[-1] in names else value


def script(trace, machine, **known):  # Trace, bundle -> str
    """What carried.js reads. The machine's numbers are given in the trace, and stand in it before all else that has a dot in its name."""
    packed = pack(flatten(machine))
    heads = {name: _called(name) for name in trace.names if name.endswith(".weights")}
    data = known | {"heads": heads, "program": compact(trace.program())}
    data |= {"rows": rows_of(packed["shapes"]), "numbers": packed["numbers"]}
    return f"window.pencilCarried = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n"


def _called(name):  # block1.head2.weights -> block 1, head 2
    return re.sub(r"(\d+)", r" \1", name.removesuffix(".weights")).replace(".", ", ")
