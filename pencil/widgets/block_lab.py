"""BlockLab: a transformer block on two words."""

from itertools import product

from pencil import drawings
from pencil.examples import PAIR, PAIR_BLOCK, ROWS
from pencil.reference import BlockConfig, block, causal_mask
from pencil.trace import Trace
from pencil.widgets.lab import Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked
from pencil.worked.labels import label_of

OWN = {"x": "row", "mlp_residual": "sum"}  # the block ends in a norm of the sum, or in the sum
NORM_FIRST = {"first (Pre-LN)": True, "last (Post-LN)": False}
CHOICES = (Choice("Norm", tuple(NORM_FIRST)), Choice("Causal mask", ("off", "on")))


class BlockLab(Lab):
    """Inputs: rows and all parameters of a block. Choices: Pre-LN or Post-LN, with or without a causal mask."""

    def __init__(self, words=PAIR, rows=ROWS, params=PAIR_BLOCK):
        variants = [_variant(words, rows, params, norm, masked) for norm, masked in product(NORM_FIRST, (False, True))]
        lanes = {norm: drawings.block(_run(words, rows, params, norm), f"The block, norm {norm}") for norm in NORM_FIRST}
        super().__init__(variants, CHOICES, drawings=lanes | {"out": drawings.result(variants[0].worked, "What comes out")})


def _run(words, rows, params, norm, masked=False):  # -> Worked
    trace = Trace()
    mask, config = causal_mask(len(words)) if masked else None, BlockConfig(norm_first=NORM_FIRST[norm])
    block(trace.given("x", rows, words=words), trace.given_each("params", params), note=trace, mask=mask, config=config)
    return Worked(trace, {name: _called(name) for name in trace.names}, whole=False)


def _variant(words, rows, params, norm, masked):
    worked = _run(words, rows, params, norm, masked)
    givens = [Part("given", name, worked.label(name)) for name, array in worked.trace.names.items() if array.op == "given"]
    return Variant(worked, one_step("Block", *givens, Part("drawing", norm), Part("drawing", "out")))


def _called(name):  # params.attention.head1.query -> W_Q; norm1.mean -> mean; norm2.mean -> norm2 mean
    label = label_of(name, OWN)
    for scope, said in (("head1.", ""), ("norm1.", ""), ("norm2.", "norm2\N{NO-BREAK SPACE}")):
        label = label.replace(scope, said)
    return label
