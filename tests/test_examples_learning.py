"""Chapters 13 and 13b: both losses and their gradients against torch's autograd, and the labels of their lines."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from pencil.examples import (
    NEXT_ROWS,
    PAIR,
    PAIR_BLOCK,
    REVIEW,
    REVIEW_HEAD,
    REVIEW_PARAMS,
    ROWS,
    review_loss,
    slopes_sheet,
    third_word_loss,
)
from pencil.model import Block
from pencil.trace import Trace, backward


@pytest.fixture(scope="module", params=[0, 1])
def review(request):
    """The review's trace, its gradients by name, and the same run in torch with its leaves."""
    trace = Trace()
    given = (trace.given("vectors", ROWS, words=REVIEW), trace.given_each("params", REVIEW_PARAMS), trace.given_each("head", REVIEW_HEAD))
    slopes = backward(review_loss(*given, trace.given("target", [request.param]), trace))
    query, key, value = (torch.tensor(getattr(REVIEW_PARAMS, name), dtype=torch.float64, requires_grad=True) for name in ("query", "key", "value"))
    weight1, bias1, weight2, bias2 = (torch.tensor(np.asarray(array, float), requires_grad=True) for array in REVIEW_HEAD.__dict__.values())
    x = torch.tensor(ROWS, dtype=torch.float64)
    pooled = F.scaled_dot_product_attention(x @ query.T, x @ key.T, x @ value.T).mean(0)
    logit = F.linear(F.relu(F.linear(pooled, weight1, bias1)), weight2, bias2)
    loss = F.binary_cross_entropy_with_logits(logit.reshape(1), torch.tensor([float(request.param)], dtype=torch.float64))
    loss.backward()
    return trace, slopes, loss, {"query": query, "key": key, "value": value}, {"weight1": weight1, "bias1": bias1, "weight2": weight2, "bias2": bias2}


def exact(trace, name):
    return np.squeeze(trace.names[name].exact)


def test_the_loss_of_the_review_is_torchs(review):
    trace, _, loss, *_ = review
    np.testing.assert_allclose(exact(trace, "loss"), loss.item(), rtol=1e-12)


def test_its_gradients_are_torchs(review):
    trace, _, _, params, head = review
    for run, leaves in (("params", params), ("head", head)):
        for name, leaf in leaves.items():
            np.testing.assert_allclose(exact(trace, f"grad.{run}.{name}"), leaf.grad.squeeze(), atol=1e-12, err_msg=name)


@pytest.mark.parametrize("truth", range(3))
def test_the_loss_after_cat_sat_is_torchs_cross_entropy(truth):
    trace = Trace()
    x = trace.given("x", ROWS, words=PAIR)
    backward(
        third_word_loss(x, trace.given_each("params", PAIR_BLOCK), trace.given("ends", NEXT_ROWS), trace.given("truth", np.eye(3)[truth]), trace)
    )
    block, ends = Block.from_params(PAIR_BLOCK).double(), torch.tensor(NEXT_ROWS, dtype=torch.float64, requires_grad=True)
    logits = block(torch.tensor(ROWS, dtype=torch.float64)[None])[0, 1:]
    logits = F.layer_norm(logits, (4,), eps=0) @ ends.T
    loss = F.cross_entropy(logits, torch.tensor([truth]))
    loss.backward()
    np.testing.assert_allclose(exact(trace, "loss"), loss.item(), rtol=1e-12)
    np.testing.assert_allclose(exact(trace, "grad.ends"), ends.grad, atol=1e-12)


@pytest.mark.parametrize(
    "name, label",
    [("grad.params.query", "grad.W_Q"), ("grad.head.bias2", "grad.head.b_2"), ("grad.weights", "grad.share"), ("params.value", "W_V")],
)
def test_a_sheet_says_gradients_by_the_names_of_their_values(review, name, label):
    assert slopes_sheet(review[0]).labels[name] == label


def test_the_norms_and_the_two_softmaxes_have_labels_of_their_own():
    trace = Trace()
    x, ends, truth = trace.given("x", ROWS, words=PAIR), trace.given("ends", NEXT_ROWS), trace.given("truth", [1, 0, 0])
    third_word_loss(x, trace.given_each("params", PAIR_BLOCK), ends, truth, trace)
    sheet = slopes_sheet(trace)
    names = ("norm2.std", "final.std", "weights", "next.weights")
    labels = [sheet.label(name).replace("\N{NO-BREAK SPACE}", " ") for name in names]
    assert labels == ["norm2.std", "final.std", "share", "next.probability"]
