"""The fingerprint of a run: what differs in settings, model or data is another run."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from small_tasks import LONG, build, encoded_reviews, mean_embedding, rotary, task

from pencil.experiments.training import checkpoint
from pencil.experiments.training.identity import identity_of
from pencil.experiments.training.loop import train

OTHER_RUNS = {  # what differs: model, task, what is said
    "dropout": (lambda: mean_embedding(dropout=0.5), task, "model.head.dropout=0.0, and this one has model.head.dropout=0.5"),
    "model": (lambda: build("LSTM"), task, "model=MeanEmbeddingClassifier, and this one has model=RNNClassifier"),
    "padding": (mean_embedding, lambda: task(padding=False), "task.padding=True, and this one has task.padding=False"),
    "data": (
        mean_embedding,
        lambda: replace(task(), train=encoded_reviews(seed=9)),
        r"task.train.ids=int32 \(100, 12\) sha256 \w+, and this one has",
    ),
}


def test_what_a_model_does_not_learn_belongs_to_its_run_as_well():
    """Where its positions lie, for one: a buffer that no state dict holds."""
    one, again, slower = (identity_of(rotary(by), task(), LONG) for by in (1.0, 1.0, 4.0))
    assert one == again and {name for name in one if one[name] != slower.get(name)}
    assert identity_of(rotary(), task(), replace(LONG, save_every=None)) == one


@pytest.mark.parametrize("model, other, says", OTHER_RUNS.values(), ids=OTHER_RUNS)
def test_a_run_of_another_model_or_other_data_is_refused_and_the_checkpoint_stays(tmp_path, model, other, says):
    train(mean_embedding(), task(), LONG, tmp_path)
    before = (tmp_path / checkpoint.NAME).read_bytes()
    with pytest.raises(ValueError, match=f"comes from a run with {says}.*; take another folder"):
        train(model(), other(), LONG, tmp_path)
    assert (tmp_path / checkpoint.NAME).read_bytes() == before


class Plain:
    """A task that is no dataclass."""

    def __init__(self, *parts):
        self._parts, self.notes = parts, {"text": "a" * 500, "self": self}


def test_what_a_task_holds_belongs_to_its_run_wherever_it_lies():
    def tasks(seed, letter="a", kind=torch.float32):
        arrays = encoded_reviews(seed=seed).ids, [torch.ones(3, dtype=torch.bfloat16) * seed, np.array([None, "x" * 300 + letter], dtype=object)]
        return Plain(*arrays, [1] * 400 + [letter], {letter}, kind)

    one = identity_of(mean_embedding(), tasks(1), LONG)
    assert one == identity_of(mean_embedding(), tasks(1), LONG) and max(map(len, one.values())) < 300
    for other, differs in ((tasks(2), 2), (tasks(1, "b"), 3), (tasks(1, kind=torch.float16), 1)):
        found = identity_of(mean_embedding(), other, LONG)
        assert found.keys() == one.keys() and sum(found[name] != one[name] for name in one) == differs


def test_another_kind_of_processor_is_another_run(monkeypatch):
    one = identity_of(mean_embedding(), task(), LONG)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "another")
    assert {name for name, value in identity_of(mean_embedding(), task(), LONG).items() if one[name] != value} == {"cpu"}
