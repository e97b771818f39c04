"""Devices, with mocks of missing ones: error messages, and restored generator states."""

from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch
from small_tasks import SMALL, mean_embedding, rotary, same, task

from pencil.cli import experiment
from pencil.errors import TaskError
from pencil.experiments.training import checkpoint
from pencil.experiments.training import device as devices
from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import device_of, place, precision, seeded_generators
from pencil.experiments.training.distributed import SINGLE_PROCESS, process_group
from pencil.experiments.training.loop import train
from pencil.experiments.writer import tiny_gpt
from pencil.model import Config, NextToken
from pencil.model.experts import grouped_linear


def machine(monkeypatch, *, cuda=(False, False), mps=(False, False)):
    """A machine whose torch is (built for, able to use) each device."""
    for module, (built, available) in ((torch.backends.cuda, cuda), (torch.backends.mps, mps)):
        monkeypatch.setattr(module, "is_built", lambda built=built: built)
        monkeypatch.setattr(torch.cuda if module is torch.backends.cuda else module, "is_available", lambda available=available: available)


@pytest.mark.parametrize(
    "has, name, says",
    [
        ({}, "cuda", r"device='cuda' is not here; take cpu \(this torch is built without CUDA"),
        ({"cuda": (True, False)}, "cuda", r"take cpu \(torch finds no GPU: does `nvidia-smi` list one\?\)"),
        ({"mps": (True, True)}, "cuda", r"device='cuda' is not here; take cpu, mps \("),
        ({}, "mps", r"device='mps' is not here; take cpu \(it is in torch for Macs with Apple's own chips\)"),
        ({"mps": (True, False), "cuda": (True, True)}, "mps", r"take cpu, cuda \(this Mac or its macOS is too old for it\)"),
        ({}, "tpu", "device='tpu' is not known; take one of cpu, cuda, mps"),
        ({"cuda": (True, True)}, "cuda:1", "device='cuda:1' is not known"),
    ],
)
def test_a_device_that_is_not_here_says_why(monkeypatch, has, name, says):
    machine(monkeypatch, **has)
    with pytest.raises(ValueError, match=says):
        train(mean_embedding(), task(), replace(SMALL, device=name))


@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_a_device_that_is_here_is_taken(monkeypatch, name):
    machine(monkeypatch, **{name: (True, True)})
    assert device_of(name) == torch.device(name)


@pytest.mark.parametrize("model, what", [(lambda: mean_embedding().double(), "embedding"), (lambda: rotary().double(), "embedding")])
def test_mps_has_no_float64(monkeypatch, model, what):
    machine(monkeypatch, mps=(True, True))
    with pytest.raises(ValueError, match=f"{what} is float64, and mps has no such numbers; call model.float"):
        place(model(), "mps")


def test_what_moves_to_mps_is_float32(monkeypatch):
    """No weight and no constant of a model is wider, so that `.to("mps")` can take all of them."""
    machine(monkeypatch, mps=(True, True))
    for model in (mean_embedding(), rotary()):
        monkeypatch.setattr(model, "to", lambda device: None)
        assert place(model, "mps") == torch.device("mps")


class OnMps:
    """A tensor on MPS as far as `write` sees it: it becomes float64 on the CPU alone."""

    def __getitem__(self, _):
        return self

    def double(self):
        raise TypeError("Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64.")

    def cpu(self):
        return torch.zeros(len(set("the cat")))


def test_a_writer_on_mps_writes():
    tokenizer = tiny_gpt.train_tokenizer("the cat")
    model = tiny_gpt.build_model(Config(4, 1, max_len=4), tokenizer)
    model.forward = lambda ids, cache: OnMps()
    assert len(tiny_gpt.write(tiny_gpt.TinyGPT(model, tokenizer), "the", 5)) == 8


@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_the_caller_s_generators_are_as_they_were_and_no_other_gpu_is_seeded(monkeypatch, name):
    drawn, seeds = ["before"], []
    accelerator = SimpleNamespace(get_rng_state=lambda: drawn[-1], set_rng_state=drawn.append, manual_seed=seeds.append)
    monkeypatch.setitem(devices.ACCELERATORS, name, accelerator)
    monkeypatch.setattr(torch.cuda, "manual_seed_all", lambda seed: pytest.fail("each GPU would be seeded"))
    before = torch.get_rng_state()
    with pytest.raises(KeyError), seeded_generators(torch.device(name), 7):
        one = torch.rand(3)
        drawn.append("inside")
        raise KeyError
    torch.default_generator.manual_seed(7)
    assert torch.equal(one, torch.rand(3)) and seeds == [7] and drawn == ["before", "inside", "before"]
    torch.set_rng_state(before)


@pytest.mark.filterwarnings("ignore:CUDA is not available")
def test_bfloat16_is_asked_for_where_the_gpu_has_it(monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "Tesla T4")
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: including_emulation)
    with pytest.raises(ValueError, match="amp=True: Tesla T4 has no bfloat16 of its own and would only imitate it; leave amp out"):
        precision(True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: True)
    context = precision(True)
    assert (context.device, context.fast_dtype) == ("cuda", torch.bfloat16) and isinstance(precision(False), nullcontext)
    for name in ("cpu", "mps"):
        with pytest.raises(ValueError, match=f"amp=True and device={name}: mixed precision is for cuda"):
            TrainingConfig(amp=True, device=name)


def test_a_step_in_bfloat16_keeps_weights_gradients_and_loss_in_float32(monkeypatch):
    """The same step under the CPU's autocast: products in bfloat16, so the curve is near that of float32 and not equal to it."""
    plain, mixed, kinds = mean_embedding(), mean_embedding(), set()
    expected = train(plain, task(), SMALL).history
    monkeypatch.setattr("pencil.experiments.training.loop.precision", lambda amp: torch.autocast("cpu", dtype=torch.bfloat16))
    head = mixed.logit
    monkeypatch.setattr(mixed, "logit", lambda ids: kinds.add((logit := head(ids)).dtype) or logit)
    found = train(mixed, task(), SMALL).history
    assert kinds == {torch.bfloat16} and all(p.dtype == p.grad.dtype == torch.float32 for p in mixed.parameters() if p.grad is not None)
    assert not same(plain, mixed)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours["loss"] == pytest.approx(theirs["loss"], abs=0.02)


def test_several_processes_on_mps_and_more_processes_than_gpus_are_told(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("LOCAL_RANK", "2")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(ValueError, match="device='mps' trains in one process"), process_group("mps"):
        pass
    with (
        pytest.raises(ValueError, match="process 3 of this machine has no GPU: there are 2; start it with --nproc"),
        process_group("cuda"),
    ):
        pass


def test_probabilities_behind_a_text_are_worked_out_in_double_on_the_cpu():
    class Model:
        embedding = torch.zeros(1)

        def __call__(self, ids, cache):
            return OnMps()

    assert len(NextToken(Model())([0, 1])) == len(set("the cat"))


def test_a_product_by_groups_is_torch_s_own_on_devices_that_have_it_alone(monkeypatch):
    """A meta tensor stands in for one on mps: on neither is there such a kernel."""
    monkeypatch.setattr(torch.nn.functional, "grouped_mm", lambda *args, **kwargs: pytest.fail("mps has no grouped product"), raising=False)
    x, weight = torch.ones(5, 8, device="meta"), torch.ones(2, 4, 8, device="meta")
    assert grouped_linear(x, weight=weight, counts=torch.tensor([2, 3])).shape == (5, 4)


def test_a_gpu_that_is_full_does_not_make_a_checkpoint_a_broken_one(monkeypatch):
    def refuse(state):
        raise torch.OutOfMemoryError("CUDA out of memory")

    model = mean_embedding()
    optimizer = torch.optim.AdamW(model.parameters())
    state = checkpoint.capture(model, optimizer, SINGLE_PROCESS, {}, SMALL, {})
    monkeypatch.setattr(model, "load_state_dict", refuse)
    with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory"):
        checkpoint.restore(state, model, optimizer, SINGLE_PROCESS, SMALL)


@pytest.mark.parametrize(
    "error, device, says",
    [
        (MemoryError("Unable to allocate 1.46 TiB for an array"), "cpu", r"more memory than cpu has \(Unable to allocate 1.46 TiB"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"), "cpu", "make the model, the batch or the text smaller"),
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB\nand more"), "cuda", r"more memory than cuda has \(CUDA out of memory"),
        (RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"), "mps", "more memory than mps has"),
        (NotImplementedError("The operator 'aten::x' is not implemented for the MPS device."), "mps", "aten::x.* PYTORCH_ENABLE_MPS_FALLBACK=1"),
    ],
)
def test_what_a_device_lacks_in_the_midst_of_a_run_is_a_sentence(monkeypatch, error, device, says):
    def run(given):
        raise error

    machine(monkeypatch, cuda=(True, True), mps=(True, True))
    monkeypatch.setattr(experiment, "_speed", run)
    with pytest.raises(TaskError, match=says) as said:
        experiment.main(["speed", "--device", device, "--threads", "1"])
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("error", [RuntimeError("a fault of ours"), NotImplementedError("not on a CPU")])
def test_another_error_of_a_run_is_no_lack_of_a_device(monkeypatch, error):
    def run(given):
        raise error

    monkeypatch.setattr(experiment, "_speed", run)
    with pytest.raises(type(error), match=str(error)):
        experiment.main(["speed", "--threads", "1"])


@pytest.mark.parametrize("name", ["cpu", "cuda"])
def test_sizes_are_held_against_the_memory_of_the_device_they_are_for(name, monkeypatch):
    monkeypatch.setattr(devices, "memory_of", {"cpu": 2e9, "cuda": 10e9}.get)
    devices.refuse_beyond_memory(2e9, {"d_model": 7}, name)
    over = {"cpu": 3e9, "cuda": 11e9}[name]
    with pytest.raises(ValueError, match=f"d_model=7: that needs {over / 1e9:.0f} GB at least, and {name} has "):
        devices.refuse_beyond_memory(over, {"d_model": 7}, name)


def test_a_system_that_tells_no_memory_refuses_no_size(monkeypatch):
    monkeypatch.setattr(devices.os, "sysconf_names", {})
    devices.refuse_beyond_memory(1e30, {"d_model": 7})
