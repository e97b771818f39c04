"""torch.compile makes one graph of every model, and generation does not recompile for each token."""

import pytest
import torch
from model_draws import POSITIONS, Draw, close, padded

from pencil.model import Block, Cache, Classifier, Config, Decoder, Encoder, EncoderDecoder

EACH = [name if name == "none" else pytest.param(name, marks=pytest.mark.slow) for name in POSITIONS]  # compiling takes seconds
IDS = padded(Draw(0).ids(3, 6), 6, 4, 1)


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()


def compiled(model, backend="eager"):  # what Dynamo makes of it, and no more: the quickest that would find a break
    return torch.compile(model, backend=backend, fullgraph=True)


@pytest.mark.slow
@pytest.mark.parametrize("positions", EACH)
def test_a_block_forward_and_backward(positions):
    block = Block(Config(8, 2, position_encoding=POSITIONS[positions]))
    quick, x = compiled(block, "aot_eager"), torch.randn(2, 5, 8)
    for extra in ({}, {"causal": True}, {"mask": torch.ones(5, 5).tril().bool()}):
        slopes = []
        for run in (block, quick):
            given = x.clone().requires_grad_()
            block.zero_grad()
            out = run(given, **extra)
            out.square().sum().backward()
            slopes.append([out, given.grad, *(p.grad.clone() for p in block.parameters())])
        for plain, fast in zip(*slopes, strict=True):
            close(fast, plain, 1e-4)


@pytest.mark.parametrize("pool", ["mean_pool", "max_pool", "first_token", "last_token"])
def test_a_classifier(pool):
    model = Classifier(Config(8, 2, vocab_size=9), pool=pool)
    close(compiled(model)(torch.tensor(IDS)), model(torch.tensor(IDS)), 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("padding", [True, False])
@pytest.mark.parametrize("positions", EACH)
def test_reader_writer_and_both(positions, padding):
    config = Config(8, 2, vocab_size=9, max_len=8, n_layers=1, position_encoding=POSITIONS[positions])
    ids = torch.tensor(IDS)
    for make in (Encoder, Decoder):
        model = make(config, padding=padding)
        close(compiled(model)(ids), model(ids), 1e-5)
    model = EncoderDecoder(config, padding=padding)
    close(compiled(model)(ids, ids[:, :4]), model(ids, ids[:, :4]), 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("room", [None, 32])
@pytest.mark.parametrize("positions", EACH)
def test_a_writer_with_a_cache(positions, room):
    inside = POSITIONS[positions]
    writes_in_few_graphs(Config(8, 2, vocab_size=9, max_len=None if inside else 32, n_layers=2, position_encoding=inside), room)


@pytest.mark.slow
@pytest.mark.parametrize("room", [None, 32])
def test_a_writer_whose_first_layer_has_a_state(room):
    writes_in_few_graphs(Config(8, 2, vocab_size=9, n_layers=2, linear_layers=(1,)), room)


def writes_in_few_graphs(config, room):
    model, graphs = Decoder(config, padding=True), []

    def counting(graph, inputs):
        graphs.append(graph)
        return graph.forward

    quick, ids, cache = compiled(model, counting), torch.tensor(Draw(1).ids(2, 20)), Cache(room)
    with torch.no_grad():
        whole = model(ids)
        parts = [quick(ids[:, :4], cache=cache)]
        parts += [quick(ids[:, i : i + 1], cache=cache) for i in range(4, 20)]
    close(torch.cat(parts, 1), whole, 1e-5)
    assert len(graphs) <= 4, f"{len(graphs)} graphs for 17 calls"


@pytest.mark.slow
@pytest.mark.parametrize("room", [None, 32])
def test_a_writer_that_begins_with_one_word_and_has_no_padding(room):
    model, graphs = Decoder(Config(8, 2, vocab_size=9, max_len=32, n_layers=2)), []

    def counting(graph, inputs):
        graphs.append(graph)
        return graph.forward

    quick, ids, cache = compiled(model, counting), torch.tensor(Draw(1).ids(1, 12)), Cache(room)
    with torch.no_grad():
        parts = [quick(ids[:, i : i + 1], cache=cache) for i in range(12)]
        close(torch.cat(parts, 1), model(ids), 1e-5)
    assert len(graphs) <= (3 if room is None else 2), f"{len(graphs)} graphs for 12 calls"
