"""CacheLab: the size of a KV cache in bytes."""

from pencil.examples import CACHE_SIZES
from pencil.trace import COUNT, Trace
from pencil.widgets.lab import ABOVE_ZERO, Choice, Lab, Part, Variant, one_step
from pencil.worked import Worked

SIZES = {
    "blocks": "Blocks",
    "heads": "Heads",
    "kept_heads": "Heads with a key and value",
    "width": "Width of a head",
    "words": "Words",
    "size": "Bytes each",
}
LABELS = {name: f"number of {label.lower()}" for name, label in SIZES.items()} | {"width": "width of a head", "size": "bytes of a number"}
LABELS |= {"a_word": "bytes of a word", "text": "bytes of the text", "unshared": "bytes without sharing", "part": "part of them"}
REFUSAL = "A number takes some room: type 2, or 0.5 for four bits."
LIMITS = dict.fromkeys(SIZES, COUNT) | {"kept_heads": COUNT | {"divides": "heads"}, "size": {"least": ABOVE_ZERO}}
SHOWN = (
    *(Part("given", name, label) for name, label in SIZES.items() if name != "size"),
    Part("given", "size", SIZES["size"], refusal=REFUSAL),
    Part("lines", "a_word", "One word: a key and a value, in each block and for each head that has its own", row=True),
    Part("lines", "text", "All words"),
    Part("lines", "unshared part", "If every head had its own, and what part of that is kept"),
)


class CacheLab(Lab):
    """Inputs: the sizes of a model, and the length of a text. Shows the size of the cache, and what grouped-query attention saves."""

    def __init__(self, sizes=CACHE_SIZES):
        super().__init__([_variant(*machine) for machine in sizes.values()], [Choice("Begin as", tuple(sizes))])


def _variant(*machine):
    trace = Trace()
    blocks, heads, kept, width, words, size = (trace.given(name, number, **LIMITS[name]) for name, number in zip(SIZES, (*machine, 2), strict=True))
    text = trace("text", trace("a_word", 2 * blocks * kept * width * size) * words)
    trace("part", text / trace("unshared", 2 * blocks * heads * width * size * words))
    return Variant(Worked(trace, LABELS), one_step("Bytes", *SHOWN))
