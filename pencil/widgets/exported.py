"""The script that a page loads to run a trained model: the program, and the parameters in int8."""

import re

from pencil.experiments.quantization import pack, rows_of
from pencil.params import flatten
from pencil.widgets.compact import compact_program
from pencil.worked import as_json


def noting(trace, names):  # -> note
    """A note function that records only values whose names, without their scopes, are in `names`."""
    return lambda name, value: trace(name, value) if name.split(".")[-1] in names else value


def script(trace, params, **known):  # Trace, dataclass of arrays -> str
    """The script for web/widgets/exported.js.

    - `trace`: a run in which the params are inputs, recorded before all other inputs with a dot in their names
    - `params`: the dataclass of parameters
    - `known`: further data for the page
    """
    packed = pack(flatten(params))
    heads = {name: _called(name) for name in trace.names if name.endswith(".weights")}
    data = known | {"heads": heads, "program": compact_program(trace.program())}
    data |= {"rows": rows_of(packed["shapes"]), "numbers": packed["numbers"]}
    return f"window.pencilExported = {as_json(data)}\n"


def _called(name):  # block1.head2.weights -> block 1, head 2
    return re.sub(r"(\d+)", r" \1", name.removesuffix(".weights")).replace(".", ", ")
