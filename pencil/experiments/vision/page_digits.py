"""The vision transformer embedded in the page: chapter 15's model in int8, run by NumPy."""

import numpy as np

from pencil.experiments import records
from pencil.experiments.exported import CONFIG, fill_params
from pencil.experiments.quantization import pack, unpack
from pencil.note import no_note
from pencil.reference import LayerNormParams, ViTParams, stable_softmax, vit

MODEL = "ViT, learned positions"  # a key of recording.models


def probabilities(image, params, note=no_note):  # (8, 8), ViTParams -> (10,)
    """The probability of each digit."""
    return note("probs", stable_softmax(vit(image, params, note=note, config=CONFIG)))


def accuracy(digits, params):  # Digits, ViTParams -> float
    """The accuracy, one image at a time in NumPy, as the page computes it."""
    return float(np.mean([vit(image, params, config=CONFIG).argmax() == label for image, label in zip(digits.pixels, digits.labels, strict=True)]))


def read(record=None):  # -> ViTParams
    """The dequantized parameters of a record; of page_digits by default."""
    return _params(unpack(record or records.read("page_digits")))


def _params(arrays):
    return fill_params(lambda blocks: ViTParams(0, blocks, 0, 0, 0, LayerNormParams(0, 0), 0, 0), arrays)


def measure(seed=0, threads=1, config=None):  # -> JSON-able, for `python -m pencil record page_digits`
    """Train the model, quantize it, and measure its test accuracy before and after."""
    import torch  # not at the top: the page runs without it

    from pencil.data import images
    from pencil.experiments.vision import recording
    from pencil.model.module import state_arrays

    torch.set_num_threads(threads)
    splits = images.load()
    model, found = recording.one_run(recording.models(8, 2)[MODEL], splits.train, splits.test, seed, config or recording.DIGITS)
    packed = pack(state_arrays(model))
    in_int8 = records.as_recorded(accuracy(splits.test, _params(unpack(packed))))
    return found | {"accuracy_in_int8": in_int8, "n_test": len(splits.test)} | packed
