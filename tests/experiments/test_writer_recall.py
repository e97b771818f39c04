"""Key–value recall: the texts, the machines and the record of chapter 17b."""

import numpy as np
import pytest
import torch

from pencil.experiments.records import read
from pencil.experiments.writer import recall


@pytest.mark.parametrize("n", recall.PAIRS)
def test_an_asked_key_was_told_once_with_the_value_that_is_right(n):
    keys, values, right = (rows.numpy() for rows in recall.texts(n, 20, np.random.default_rng(n)))
    assert keys.shape == values.shape == (20, n + recall.ASKED) and right.shape == (20, recall.ASKED)
    assert (values[:, n:] == recall.VALUES).all() and values[:, :n].max() < recall.VALUES
    for told, value, wanted in zip(keys, values, right, strict=True):
        assert len(set(told[:n])) == n and len(set(told[n:])) == recall.ASKED
        assert [dict(zip(told[:n], value[:n], strict=True))[key] for key in told[n:]] == wanted.tolist()


def test_the_machines_differ_in_their_mixers_alone_and_see_no_later_token():
    torch.manual_seed(0)
    machines = {name: recall.Machines(ways, count=2) for name, ways in recall.MACHINES.items()}
    shapes = {name: {key: array.shape for key, array in each.state_dict().items() if ".beta." not in key} for name, each in machines.items()}
    assert all(one == shapes["attention"] for one in shapes.values()) and recall.MACHINES["hybrid"].count("attention") == 1
    keys, values, _ = (rows.unflatten(0, (2, 3)) for rows in recall.texts(4, 6, np.random.default_rng(0)))
    changed = values.clone()
    changed[..., -1] = 0
    for name, each in machines.items():
        said, other = each(keys, values), each(keys, changed)
        assert torch.allclose(other[..., :-1, :], said[..., :-1, :], atol=1e-5), f"{name}: a token sees a later one"
        assert not torch.allclose(other[..., -1, :], said[..., -1, :], atol=1e-2)


def test_a_machine_learns():
    some, none = (recall.examined(recall.trained("attention", 0, steps, count=1))[0, 0, 0] for steps in (60, 0))
    assert some < none - 0.05


def test_the_record_is_of_this_task():
    recorded = read("recall")
    assert (tuple(recorded["pairs"]), recorded["keys"], recorded["values"], recorded["asked"]) == (
        recall.PAIRS,
        recall.KEYS,
        recall.VALUES,
        recall.ASKED,
    )
    assert recorded["steps"] == recall.STEPS and list(recorded["loss"]) == list(recorded["accuracy"]) == list(recall.MACHINES)
    for runs in (*recorded["loss"].values(), *recorded["accuracy"].values()):
        assert np.shape(runs) == (recall.SEEDS, len(recall.PAIRS))
    accuracy = {name: np.mean(runs, axis=0) for name, runs in recorded["accuracy"].items()}
    assert (np.array(list(accuracy.values())) > 1.5 / recall.VALUES).all()  # no machine guesses
