"""A checkpoint folder (config.json, weights, tokenizer), read into the book's Decoder or Encoder."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

from pencil.experiments.pretrained import tokenizer
from pencil.experiments.pretrained.layouts import Layout, layout_of
from pencil.experiments.pretrained.weights import FLOATS, Weights, read_json
from pencil.model.transformers import Decoder, Encoder
from pencil.params import flatten, unflatten
from pencil.paths import user_path

CONFIG = "config.json"
HEAD = "lm_head.weight"
COUNTED = ("n_layer", "num_hidden_layers"), ("n_embd", "hidden_size"), ("n_head", "num_attention_heads")  # config.json of GPT-2, of the others


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint; tensors are read lazily.

    Args:
        layout: the Config, and the source of each of our arrays.
        weights: the tensors.
        names: {name in the layout: name in the file, with or without the prefix}.
    """

    layout: Layout
    weights: Weights
    names: dict

    config = property(lambda self: self.layout.config)

    def arrays(self, dtype=None):  # yields (our flat name, tensor)
        """Our arrays, from their largest tensor to the smallest; views of the file unless `dtype` converts them.

        Raises ValueError for a tensor that is not finite.
        """
        for theirs in sorted(self.names, key=lambda name: -np.prod(self.layout.sources[name].shape)):
            tensor = self.weights.read(self.names[theirs], dtype)
            for ours, take in self.layout.sources[theirs].parts.items():
                yield ours, take(tensor)

    def model(self, dtype=torch.float32):  # -> Decoder or Encoder, in eval mode
        """The decoder or encoder of `pencil.model`. Peak memory is the size of the model: empty parameters are filled from the file one by one.

        Matrices are stored column-major, which is fastest on a CPU for the vector-matrix products of generation with a cache.
        """
        with torch.device("meta"):
            made = (Encoder if self.layout.encoder else Decoder)(self.config)
        made = made.to(dtype).to_empty(device="cpu").eval()
        with torch.no_grad():
            for matrix in (parameter for parameter in made.parameters() if parameter.ndim == 2):
                matrix.set_(matrix.new_empty(matrix.shape[::-1]).T)
            views, left = made.arrays(), set(made.arrays())
            for ours, tensor in self.arrays():
                views[ours].copy_(tensor)
                left.discard(ours)
        assert not left, left  # the layout covers every array
        return made

    def params(self, dtype=None):  # -> DecoderParams or EncoderParams of NumPy arrays
        """The parameters for `decoder` or `encoder` of `pencil.reference`.

        They are converted to a torch dtype (None keeps the file's); half precision becomes float32.
        """
        arrays = dict(self.arrays(dtype))
        arrays = {name: (one.float() if one.dtype in (torch.bfloat16, torch.float16) else one).numpy() for name, one in arrays.items()}
        return unflatten(self.layout.zeros(), arrays)

    def tokenizer(self):  # -> ByteBPE or WordPiece
        """The tokenizer of the folder. Raises ValueError if there is none, or if it has more tokens than the embedding has rows."""
        found = tokenizer.read(self.weights.folder)
        if len(found.pieces) > self.config.vocab_size:
            raise ValueError(f"the tokenizer has {len(found.pieces)} pieces, and the embedding has {self.config.vocab_size} rows")
        return found


def read(folder):  # -> Checkpoint
    """Open a folder with config.json and safetensors. Raises ValueError, with the folder's name, for anything inconsistent or unsupported."""
    folder = user_path(folder)
    try:
        if not folder.is_dir():
            raise ValueError("there is no folder or file of that name")
        values, weights = read_json(folder / CONFIG), Weights(folder)
        _check_depth(values, weights)
        layout = layout_of(values)
        return Checkpoint(layout, weights, _matched(layout, weights))
    except ValueError as wrong:
        raise ValueError(f"{folder} cannot be opened: {wrong}") from None


def _check_depth(values, weights):
    """Compare config.json with the tensors before a model is built, so that a wrong number does not allocate a huge one."""
    depth, width, heads = (next((values[name] for name in names if name in values), None) for names in COUNTED)
    found = {after for name in weights.shapes for before, after in pairwise(name.split(".")) if before in ("h", "layer", "layers")}
    if type(depth) is int and depth != len(found):
        raise ValueError(f"config.json says {depth} blocks, and the weights are of {len(found)}")
    if type(heads) is int and type(width) is int and heads > width:
        raise ValueError(f"config.json says {heads} heads, and a width of {width}")
    widths = {shape[-1] for shape in weights.shapes.values() if shape}
    if type(width) is int and width not in widths:
        raise ValueError(f"config.json says a width of {width}, and no tensor has it")


def _matched(layout, weights):  # -> {name in the layout: name in the file}
    """Raises ValueError for a missing or unexpected tensor, and for one of the wrong shape or type."""
    plain = {name.removeprefix(layout.prefix): name for name in weights.shapes}
    if len(plain) < len(weights.shapes):
        twice = next(name for name in weights.shapes if plain[name.removeprefix(layout.prefix)] != name)
        raise ValueError(f"{twice} is there twice, with {layout.prefix} in front and without")
    used = {name: full for name, full in plain.items() if not name.endswith(layout.unused)}
    tied = used.pop(HEAD, None) if layout.config.tie_embeddings and not layout.encoder else None
    if missing := next((name for name in layout.sources if name not in used), None):
        raise ValueError(f"{missing} is missing")
    if more := next((full for name, full in used.items() if name not in layout.sources), None):
        raise ValueError(f"{more} has no place in a model of this config.json")
    for name, source in layout.sources.items():
        if weights.shapes[used[name]] != source.shape:
            raise ValueError(f"{used[name]} has the shape {weights.shapes[used[name]]}; {source.shape} is wanted")
        if weights.types[used[name]] not in FLOATS:
            raise ValueError(f"{used[name]} is of the type {weights.types[used[name]]}; the numbers of a model are {', '.join(FLOATS)}")
    if tied:
        table = next(used[name] for name, source in layout.sources.items() if "embedding" in source.parts)
        if not torch.equal(weights.read(tied), weights.read(table)):
            raise ValueError(f"config.json says that {HEAD} is the embedding, and its numbers are others")
    assert {ours for source in layout.sources.values() for ours in source.parts} == set(flatten(layout.zeros()))
    return {name: used[name] for name in layout.sources}
