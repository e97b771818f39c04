"""The model keeps the package's rules: it mirrors the reference and says its shapes."""

import inspect
import re
from pathlib import Path

import pytest

import pencil.model
import pencil.reference

MODEL, REFERENCE = Path(pencil.model.__file__).parent, Path(pencil.reference.__file__).parent
OWN = {"averaged", "bend", "cache", "config", "part", "sight", "verify", "weights"}  # what only torch needs
ELSEWHERE = {"checks", "embedding", "linear", "softmax", "tags"}  # torch's own, or within heads and part
TEXT = {"tokens", "byte_pairs", "counts", "tf_idf", "cooccurrence", "squeeze", "cosine", "ngrams"}  # words and counts: NumPy's work in either
AFTER = {"sampling"}  # what is done with the scores of either
PAPER = {"descent", "fade", "glove", "skip_gram"}  # slopes worked by hand; a model leaves them to torch.autograd and torch.optim


def test_every_file_has_its_twin_in_the_reference():
    ours, theirs = ({path.stem for path in folder.glob("*.py")} for folder in (MODEL, REFERENCE))
    assert ours - theirs == OWN and theirs - ours == ELSEWHERE | TEXT | AFTER | PAPER


@pytest.mark.parametrize("name", pencil.model.__all__)
def test_every_public_thing_says_its_contract_and_its_shapes(name):
    thing = getattr(pencil.model, name)
    if inspect.isfunction(thing):
        assert thing.__doc__ and re.search(r"# .*->", inspect.getsource(thing).splitlines()[0])
    elif inspect.isclass(thing):
        assert thing.__doc__ and not thing.__doc__.startswith(f"{name}(")
        if issubclass(thing, pencil.model.part.Part):
            assert thing.forward.__doc__ and re.search(r"# .*->", inspect.getsource(thing.forward).splitlines()[0])
