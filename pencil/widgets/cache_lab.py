"""CacheLab: the size of a KV cache in bytes."""

from pencil.examples import CACHE_SIZES, LATENT_SIZES
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
LATENT = {"latent": "Width of the latent", "rotated": "Width of the rotated key"}  # in place of the heads with a key and value
LABELS |= {name: label.lower() for name, label in LATENT.items()}
LABELS |= {"a_word": "bytes of a word", "text": "bytes of the text", "unshared": "bytes without sharing", "part": "part of them"}
REFUSAL = "A number takes some room: type 2, or 0.5 for four bits."
LIMITS = dict.fromkeys([*SIZES, *LATENT], COUNT) | {"kept_heads": COUNT | {"divides": "heads"}, "size": {"least": ABOVE_ZERO}}
KEPT = "One word: a key and a value, in each block and for each head that has its own"
LATENT_KEPT = "One word: a latent and a rotated key, in each block"


class CacheLab(Lab):
    """Inputs: the sizes of a model, and the length of a text. Shows the size of the cache, and what heads that share, or a latent, save."""

    def __init__(self, sizes=CACHE_SIZES, latent_sizes=LATENT_SIZES):
        variants = [_variant(SIZES, machine) for machine in sizes.values()]
        names = [name for name in SIZES if name != "kept_heads"]
        in_order = {name: SIZES[name] for name in names[:3]} | LATENT | {name: SIZES[name] for name in names[3:]}
        variants += [_variant(in_order, machine) for machine in latent_sizes.values()]
        super().__init__(variants, [Choice("Begin as", (*sizes, *latent_sizes))])


def _variant(fields, machine):  # {name: label}, sizes in that order; the bytes of a number are 2
    trace = Trace()
    given = {name: trace.given(name, number, **LIMITS[name]) for name, number in zip(fields, (*machine, 2), strict=True)}
    blocks, heads, width, words, size = (given[name] for name in ("blocks", "heads", "width", "words", "size"))
    has_latent = "latent" in given
    numbers = blocks * (given["latent"] + given["rotated"]) if has_latent else 2 * blocks * given["kept_heads"] * width
    text = trace("text", trace("a_word", numbers * size) * words)
    trace("part", text / trace("unshared", 2 * blocks * heads * width * size * words))
    inputs = [Part("given", name, label, refusal=REFUSAL if name == "size" else "") for name, label in fields.items()]
    shown = (
        Part("lines", "a_word", LATENT_KEPT if has_latent else KEPT, row=True),
        Part("lines", "text", "All words"),
        Part("lines", "unshared part", "If every head had its own, and what part of that is kept"),
    )
    labels = {name: said for name, said in LABELS.items() if name in trace.names}
    return Variant(Worked(trace, labels), one_step("Bytes", *inputs, *shown))
