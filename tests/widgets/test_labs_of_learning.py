"""RotaryLab, ValleyLab and PreferenceLab, held against NumPy and torch."""

import numpy as np
import pytest
import torch

from pencil.widgets import PositionLab, PreferenceLab, RotaryLab, ValleyLab


@pytest.mark.parametrize("start, gap", [(0, 1), (7, 1), (93, 1), (3, 6), (40, 33)])
def test_the_score_of_rotated_pairs_is_that_of_the_gap(start, gap):
    lab = RotaryLab()
    lab.givens = lab.givens | {"start": start, "gap": gap, "query": [[1, 2, -1, 0.5]], "key": [[0.5, -1, 2, 1]]}
    fast, slow = (complex(*query) * complex(*key).conjugate() for query, key in (((1, 2), (0.5, -1)), ((-1, 0.5), (2, 1))))
    turned = (fast * np.exp(1j * gap)).real, (slow * np.exp(0.01j * gap)).real
    np.testing.assert_allclose(lab.trace.find("parts").exact, turned, atol=1e-9)
    assert float(lab.trace.find("score").exact) == pytest.approx(sum(turned))


def test_a_position_is_whole():
    lab = RotaryLab()
    with pytest.raises(ValueError, match="must be a whole number"):
        lab.givens = lab.givens | {"gap": 1.5}


def test_the_hands_of_the_position_lab_are_those_of_rotary():
    lab = PositionLab()
    shown = {lab.variants[k].worked: [p for s in lab.variants[k].steps for p in s.parts if p.kind == "drawing"] for k in range(len(lab.variants))}
    assert [bool(parts) for parts in shown.values()] == ["query.rotated" in worked.trace.names for worked in shown]
    assert 'data-value="sat.query.rotated' in lab.drawn() or "sat.query.rotated[0]" in lab.drawn()


OPTIMIZERS = {
    "plain descent": ("plain", lambda p, **g: torch.optim.SGD(p, lr=g["lr"])),
    "momentum": ("momentum", lambda p, **g: torch.optim.SGD(p, lr=g["lr"], momentum=g["momentum"])),
    "Adam": ("adam", lambda p, **g: torch.optim.Adam(p, lr=g["lr"], betas=(g["beta1"], g["beta2"]))),
}


@pytest.mark.parametrize("number, method", list(enumerate(OPTIMIZERS)))
@pytest.mark.parametrize("scale", [1, 0.6])
def test_the_valley_lab_walks_as_torch_does(number, method, scale):
    lab, (scope, optimizer) = ValleyLab(), OPTIMIZERS[method]
    lab.variant = number
    given = {name: np.multiply(numbers, scale) if name.startswith(scope) else numbers for name, numbers in lab.givens.items()}
    lab.givens = given | {"start": [2, -1.5], "curvature": [1, 8]}
    at = torch.tensor([2, -1.5], dtype=torch.double, requires_grad=True)
    steps = optimizer([at], **{name.split(".")[1]: float(x) for name, x in given.items() if name.startswith(scope)})
    for _ in range(6):
        steps.zero_grad()
        ((torch.tensor([1, 8]) * at * at).sum() / 2).backward()
        steps.step()
    np.testing.assert_allclose(lab.trace.find(f"{scope}.path").exact[-1], at.detach().numpy(), atol=1e-9)
    assert lab.chosen() == {"Method": method}


def test_the_valley_lab_begins_at_the_best_learning_rates_of_its_chapter():
    lab, ends = ValleyLab(), []
    for number, scope in enumerate(("plain", "momentum", "adam")):
        lab.variant = number
        begun = lab.givens
        losses = []
        for rate in np.arange(1, 101) / 100:
            lab.givens = begun | {f"{scope}.lr": rate}
            losses.append(float(lab.trace.find(f"{scope}.loss").exact))
        assert float(begun[f"{scope}.lr"]) == pytest.approx((1 + np.argmin(losses)) / 100)
        ends.append(min(losses))
    assert np.round(ends, 3).tolist() == [0.550, 0.282, 0.499]


@pytest.mark.parametrize("number, steps", [(0, 1), (1, 8), (2, 1), (3, 8)])
@pytest.mark.parametrize("beta, lr", [(0.5, 1), (2, 0.3)])
def test_the_preference_lab_takes_the_steps_of_torch(number, steps, beta, lr):
    lab = PreferenceLab()
    lab.variant = number
    logits = [1.5, 1, -0.5]
    lab.givens = {"logits": logits, "beta": beta, "lr": lr}
    chosen, rejected = ((1, 0), (0, 1))[number // 2]
    policy = torch.tensor(logits, dtype=torch.double, requires_grad=True)
    reference = torch.tensor(logits, dtype=torch.double).log_softmax(-1)
    optimizer = torch.optim.SGD([policy], lr=lr)

    def loss():
        ratio = policy.log_softmax(-1) - reference
        return -torch.nn.functional.logsigmoid(beta * (ratio[chosen] - ratio[rejected]))

    for _ in range(steps):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
    np.testing.assert_allclose(lab.trace.find("after.weights").exact, policy.softmax(-1).detach().numpy(), atol=1e-9)
    assert float(lab.trace.find("after.loss").exact) == pytest.approx(loss().item())
