"""Properties for any sizes and numbers: permutation equivariance, causality, padding, batches, eval mode, bfloat16."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from model_draws import DEVICES, POSITIONS, Draw, close, padded
from torch.overrides import TorchFunctionMode

from pencil import reference
from pencil.model import Block, Classifier, Config, Decoder, Encoder, EncoderDecoder, Stack
from pencil.model.positions import position_encoding_of

SEEDS = st.integers(0, 10_000)


def stack(seed, positions=None, norm_first=True):
    draw = Draw(seed)
    config = reference.BlockConfig(norm_first=norm_first, eps=1e-5, activation=reference.gelu, position_encoding=positions)
    return Stack.from_params([draw.block(4, heads=2) for _ in range(2)], config, norm=draw.norm(4)), torch.tensor(draw.rng.normal(size=(2, 5, 4)))


@given(seed=SEEDS, order=st.permutations(range(5)), norm_first=st.booleans())
def test_without_positions_the_order_of_the_words_is_the_order_of_the_rows(seed, order, norm_first):
    model, x = stack(seed, None, norm_first)
    close(model(x[:, order]), model(x)[:, order])


@given(seed=SEEDS, where=st.sampled_from(["rotary", "alibi"]))
def test_with_positions_it_is_not(seed, where):
    model, x = stack(seed, POSITIONS[where])
    assert not np.allclose(model(x.roll(1, 1)).detach(), model(x).roll(1, 1).detach())


@given(seed=SEEDS, seen=st.integers(1, 4), where=st.sampled_from(sorted(POSITIONS)))
def test_what_comes_later_never_changes_what_came_before(seed, seen, where):
    draw = Draw(seed)
    config = reference.BlockConfig(eps=1e-5, position_encoding=POSITIONS[where])
    model = Decoder.from_params(draw.decoder(heads=2), config)
    one, other = torch.tensor(draw.ids(2, 5)), torch.tensor(draw.ids(2, 5))
    other[:, :seen] = one[:, :seen]
    close(model(other)[:, :seen], model(one)[:, :seen])
    close(model(one[:, :seen]), model(one)[:, :seen])


@given(seed=SEEDS, real=st.integers(1, 5), empty=st.integers(0, 3), where=st.sampled_from(sorted(POSITIONS)))
def test_padding_never_changes_real_rows(seed, real, empty, where):
    draw = Draw(seed)
    config = reference.BlockConfig(eps=1e-5, position_encoding=POSITIONS[where])
    short = torch.tensor(draw.ids(1, real))
    long = torch.nn.functional.pad(short, (0, empty))
    for model in (Encoder.from_params(draw.encoder(heads=2), config), Decoder.from_params(draw.decoder(heads=2), config, padding=True)):
        close(model(long)[:, :real], model(short))
    both = EncoderDecoder.from_params(draw.encoder_decoder(heads=2), config)
    close(both(long, short), both(short, short))
    close(both(short, long)[:, :real], both(short, short))


@given(seed=SEEDS, real=st.integers(1, 5), empty=st.integers(0, 3), pool=st.sampled_from(["mean_pool", "max_pool", "first_token", "last_token"]))
def test_padding_never_changes_a_verdict(seed, real, empty, pool):
    draw = Draw(seed)
    model = Classifier.from_params(draw.classifier(heads=2), pool=pool)
    short = torch.tensor(draw.ids(2, real))
    close(model(torch.nn.functional.pad(short, (0, empty))), model(short))


@given(seed=SEEDS, where=st.sampled_from(sorted(POSITIONS)))
def test_the_texts_of_a_batch_do_not_see_one_another(seed, where):
    draw = Draw(seed)
    model = Encoder.from_params(draw.encoder(heads=2), reference.BlockConfig(eps=1e-5, position_encoding=POSITIONS[where]))
    ids = torch.tensor(padded(draw.ids(3, 6), 6, 2, 4))
    for row, text in zip(model(ids), ids, strict=True):
        close(model(text), row)


# ---- dropout, types, devices


def test_dropout_rests_at_exam_time_and_is_at_work_in_practice():
    ids = torch.tensor(Draw(1).ids(4, 6))
    for model in (Decoder(Config(8, 2, vocab_size=9), dropout=0.5), Classifier(Config(8, 2, vocab_size=9), dropout=0.5)):
        model.eval()
        assert torch.equal(model(ids), model(ids))
        model.train()
        assert not torch.equal(model(ids), model(ids))
        with pytest.raises(ValueError, match=r"dropout=0\.5 is on would name other values each time; call model\.eval\(\) first"):
            model(ids, note=lambda name, value: value)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("positions", POSITIONS)
def test_bfloat16_runs_and_is_close(positions, device):
    config = Config(32, 4, vocab_size=20, max_len=12, n_layers=2, position_encoding=POSITIONS[positions])
    model = Decoder(config, padding=True).to(device)
    ids = torch.tensor(padded(Draw(1).ids(2, 10), 10, 7), device=device)
    exact = model(ids)
    rough = model.bfloat16()(ids)
    assert rough.dtype == torch.bfloat16
    assert (rough.float() - exact).abs().max() < 0.05 * exact.abs().max()
    rough.float().square().mean().backward()
    assert all(p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("kind", [reference.Rotary, reference.Alibi])
def test_each_seat_is_told_apart_in_bfloat16_which_cannot_count_past_256(kind):
    told = position_encoding_of(reference.BlockConfig(position_encoding=kind()), n_heads=1, d_k=2)
    assert told.positions(400, torch.zeros(1, dtype=torch.bfloat16)).tolist() == list(range(400))


TOLD = [kind(positions) for kind in (reference.Rotary, reference.Alibi) for positions in (None, np.array([0.1, 2, 300.7]))]


class Copies(TorchFunctionMode):
    """Counts what a run on another device takes from a CPU: tensors that lie there, and numbers of Python."""

    count = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        lies_there = any(isinstance(each, torch.Tensor) and each.device.type == "cpu" for each in args)
        self.count += function is torch.tensor or lies_there
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("told", TOLD, ids=str)
def test_no_call_copies_positions_from_the_cpu(told):
    block = Block(Config(8, 2, position_encoding=told)).to("meta")
    with Copies() as copies:
        block(torch.empty(2, 3, 8, device="meta"), causal=True)
    assert copies.count == 0


@pytest.mark.parametrize("told", TOLD, ids=str)
def test_positions_lie_in_no_file_and_outlast_a_model_s_time_in_bfloat16(told):
    block, plain = (Block(Config(12, 3, position_encoding=positions)) for positions in (told, None))
    assert list(block.state_dict()) == list(plain.state_dict())
    x = torch.randn(2, 3, 12, dtype=torch.float64)
    before = block.double().attention.position_encoding.tables(x, 0, 3)
    after = block.bfloat16().double().attention.position_encoding.tables(x, 0, 3)
    torch.testing.assert_close(after, before, rtol=0, atol=0)
    assert block.attention.position_encoding.positions(3, x).tolist() == ([0, 1, 2] if told.positions is None else told.positions.tolist())


@pytest.mark.parametrize("told", TOLD, ids=str)
def test_a_model_that_is_laid_out_without_numbers_takes_them_from_a_file(told):
    config, ids = Config(12, 3, vocab_size=7, max_len=3, position_encoding=told), torch.tensor([[1, 2, 3]])
    whole = Decoder(config)
    with torch.device("meta"):
        empty = Decoder(config)
    empty.load_state_dict(whole.state_dict(), assign=True)
    assert torch.equal(empty(ids), whole(ids)) and torch.equal(empty.to("cpu")(ids), whole(ids))


@pytest.mark.parametrize("device", DEVICES)
def test_a_model_learns_what_it_is_shown(device):
    """A writer of one block learns to count: the loss falls below a tenth of guessing."""
    model = Decoder(Config(16, 2, vocab_size=7, max_len=8)).to(device)
    texts = torch.tensor([[1 + (start + i) % 6 for i in range(7)] for start in range(6)], device=device)
    optimiser = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(model(texts[:, :-1]).flatten(0, 1), texts[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss < 0.1 * np.log(7)


@pytest.mark.parametrize("width", [16, 256])
def test_at_the_start_every_row_stays_of_one_size_and_no_token_is_favoured(width):
    model = Decoder(Config(width, 4, vocab_size=50, max_len=16, n_layers=6))
    ids = torch.randint(1, 50, (8, 16))
    noted = {}
    logits = model(ids, note=noted.setdefault)
    assert 0.3 < noted["block6.out"].std() / noted["x"].std() < 10
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.randint(0, 50, (8 * 16,)))
    assert abs(loss - np.log(50)) < 0.5


def test_the_wave_is_a_seat_table_that_does_not_learn():
    model = Encoder(Config(8, 2, vocab_size=9, max_len=6, sinusoidal=True)).double()
    np.testing.assert_allclose(model.arrays()["positions"], reference.sinusoidal(np.arange(6), width=8), atol=1e-6)
    assert not model.positions.requires_grad and model.embedding.requires_grad


@pytest.mark.parametrize("sizes", [Config(2, 1), Config(1, 1), Config(6, 2, d_k=1, d_v=3, d_ff=1), Config(4, 4)])
def test_odd_sizes(sizes):
    x = torch.randn(1, 1, sizes.d_model)
    assert Block(sizes)(x).isfinite().all() and Block(replace(sizes, norm_first=False))(x, causal=True).shape == x.shape
