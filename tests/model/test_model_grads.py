"""The trace's gradients of all parameters against torch's autograd on the model."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from model_draws import Draw, close, recipes

from pencil import reference
from pencil.examples import PAIR, PAIR_BLOCK, PAIR_EMBEDDINGS, PAIR_POSITIONS
from pencil.model import Block, Classifier, Decoder, Encoder, EncoderDecoder, state_arrays
from pencil.reference import BlockConfig
from pencil.trace import Trace, backward

EPS = BlockConfig(eps=1e-5)
TRACED = [pytest.param(config, id=name) for name, config in recipes() if config.activation is not reference.gelu_erf]  # the trace has no erf


def pulled(trace, value, pull):
    return backward(trace("loss", (value * trace.given("pull", pull)).sum()))


def model_slopes(model, pull, *inputs, **options):
    """What autograd says, by flat name; and the slope of the first input where it has one."""
    (model(*inputs, **options) * torch.as_tensor(pull)).sum().backward()
    with torch.no_grad():
        for parameter in model.parameters():  # a model that holds its own slopes tells them by their flat names
            parameter.copy_(torch.zeros_like(parameter) if parameter.grad is None else parameter.grad)
    return state_arrays(model)


def hold(slopes, theirs, tolerance=1e-10):
    for name, slope in theirs.items():
        ours = slopes[f"params.{name}"].exact if f"params.{name}" in slopes else np.zeros_like(slope)
        close(ours, slope, tolerance, name)
    assert {name.removeprefix("params.") for name in slopes if name.startswith("params.")} <= set(theirs)


def seated(config, trace, words):  # seats are given, so that a trace knows the angles
    if config.position_encoding is None:
        return config
    return replace(config, position_encoding=type(config.position_encoding)(positions=trace.given("positions", np.arange(words))))


def test_every_grid_of_cat_and_sat():
    pull = np.random.default_rng(0).normal(size=(2, 4))
    trace = Trace()
    x = reference.add_positions(trace.given("embedding", PAIR_EMBEDDINGS, words=PAIR), trace.given("table", PAIR_POSITIONS), note=trace)
    slopes = pulled(trace, reference.block(x, trace.given_each("params", PAIR_BLOCK), note=trace), pull)
    inputs = torch.tensor(np.array(x.exact), requires_grad=True)
    hold(slopes, model_slopes(Block.from_params(PAIR_BLOCK), pull, inputs))
    close(slopes["x"].exact, inputs.grad)


@pytest.mark.parametrize("config", TRACED)
def test_random_blocks_of_every_recipe(config):
    for seed, (words, width, heads, masked) in enumerate([(3, 4, 1, True), (2, 6, 2, False), (4, 3, 1, True)]):
        draw, trace = Draw(seed), Trace(places=9, figures=None)
        bundle, x, pull = draw.block(width, heads), draw.array(words, width), draw.array(words, width)
        mask = reference.causal_mask(words) if masked else None
        traced = seated(config, trace, words)
        slopes = pulled(trace, reference.block(trace.given("x", x), trace.given_each("params", bundle), mask=mask, config=traced, note=trace), pull)
        inputs = torch.tensor(x, requires_grad=True)
        hold(slopes, model_slopes(Block.from_params(bundle, config), pull, inputs, causal=masked))
        close(slopes["x"].exact, inputs.grad)


@pytest.mark.parametrize("pool", ["mean_pool", "max_pool", "first_token", "last_token"])
def test_the_look_across_machine_with_empty_slots(pool):
    draw, trace, ids = Draw(4), Trace(), np.array([3, 1, 3, 0, 0])
    bundle, pull = draw.classifier(4, heads=2), draw.array(1)
    said = reference.classifier(ids, trace.given_each("params", bundle), pool=getattr(reference, pool), note=trace)
    hold(pulled(trace, said, pull), model_slopes(Classifier.from_params(bundle, pool=pool), pull, torch.tensor(ids)))


def test_a_look_up_by_traced_ids_adds_up_the_slopes_of_a_word_that_stands_twice():
    trace, table, ids, pull = Trace(), Draw(5).array(6, 3), np.array([4, 1, 4, 4]), Draw(6).array(4, 3)
    slopes = pulled(trace, reference.embed(trace.given("ids", ids), trace.given("table", table), note=trace), pull)
    rows = torch.tensor(table, requires_grad=True)
    (torch.nn.functional.embedding(torch.tensor(ids), rows) * torch.tensor(pull)).sum().backward()
    close(slopes["table"].exact, rows.grad)
    assert (slopes["table"].exact[[0, 2, 3, 5]] == 0).all()


@pytest.mark.parametrize("machine", ["encoder", "decoder", "translator"])
def test_whole_machines(machine):
    draw, trace = Draw(7), Trace()
    bundle = {"encoder": draw.encoder, "decoder": draw.decoder, "translator": draw.encoder_decoder}[machine]()
    model = {"encoder": Encoder, "decoder": Decoder, "translator": EncoderDecoder}[machine].from_params(bundle, EPS)
    params, texts = trace.given_each("params", bundle), [np.array([2, 5, 2, 0]), np.array([1, 3])]
    run = {"encoder": reference.encoder, "decoder": reference.decoder, "translator": reference.encoder_decoder}[machine]
    texts = texts if machine == "translator" else texts[:1]
    value = run(*texts, params, config=EPS, note=trace)
    pull = Draw(8).array(*value.shape)
    hold(pulled(trace, value, pull), model_slopes(model, pull, *map(torch.tensor, texts)))
