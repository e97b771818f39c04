"""The model keeps the package's rules: it mirrors the reference and says its shapes."""

import inspect
import re
from pathlib import Path

import pencil.model
import pencil.reference

MODEL, REFERENCE = Path(pencil.model.__file__).parent, Path(pencil.reference.__file__).parent
OWN = {
    "attention_context",
    "cache",
    "config",
    "config_params",
    "flash_kernel",
    "module",
    "runs",
    "verification",
    "heads",
    "saved",
}  # what only torch needs
NUMPY = {"bpe", "byte_bpe", "contracts", "counting", "text", "vectors", "wordpiece"}  # words and counts are NumPy's work in either
AFTER = {"caching", "interpretability", "optim", "speculative"}  # opened in NumPy; the model's cache is an object; drafts are of either; no gradients


def test_every_file_has_its_twin_in_the_reference():
    ours, theirs = ({path.stem for path in folder.glob("*.py")} for folder in (MODEL, REFERENCE))
    assert ours - theirs == OWN and theirs - ours == NUMPY | AFTER


THINGS = {name: getattr(pencil.model, name) for name in pencil.model.__all__}
CLASSES = {name: thing for name, thing in THINGS.items() if inspect.isclass(thing)}
FUNCTIONS = {name: thing for name, thing in THINGS.items() if inspect.isfunction(thing)}
PARTS = [thing for thing in CLASSES.values() if issubclass(thing, pencil.model.module.Module)]


def test_every_public_thing_says_its_contract_and_its_shapes():
    assert THINGS.keys() == CLASSES.keys() | FUNCTIONS.keys() and len(PARTS) > 10
    for name, made in CLASSES.items():
        assert made.__doc__ and not made.__doc__.startswith(f"{name}("), name  # a dataclass without one gets its signature
    for function in [*FUNCTIONS.values(), *(part.forward for part in PARTS)]:
        contract = next(line for line in inspect.getsource(function).splitlines() if line.strip().startswith("def "))  # below decorators
        assert function.__doc__ and re.search(r"# .*->", contract), function.__qualname__
