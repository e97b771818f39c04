"""Quantization and fine-tuning of a tiny GPT (chapter 20).

A model is trained on Shakespeare. Its linear layers are quantized to integers of fewer and fewer bits, and to NF4, and evaluated again.
The same model is adapted to first names by LoRA, by QLoRA (LoRA on NF4 weights) and by full fine-tuning, and compared with a model
trained on names from scratch.
"""

from copy import deepcopy
from dataclasses import replace

import torch
from torch import nn

from pencil.experiments.records import as_recorded
from pencil.experiments.training.loop import train
from pencil.experiments.writer.text_task import TextTask, loss_by_position
from pencil.experiments.writer.tiny_gpt import PLANS, build_model, make_splits
from pencil.formats import NF4
from pencil.model.adapters import LoRALinear, replace_linear
from pencil.model.module import seeded
from pencil.model.quantization import QuantizedLinear

PLAN = PLANS["full"]
STEPS, MORE_STEPS, EXAM = 1000, 300, 20_000  # steps of training, of fine-tuning; tokens to evaluate on
BITS, GROUP, RANK = (8, 6, 5, 4, 3, 2), 32, 1
SCALE_BITS = 32  # scales are float32
RATES = {"adapters": 1e-2, "adapters_on_nf4": 1e-2, "all_parameters": 1e-3, "new": 1e-3}


class WholeMatrix(QuantizedLinear):
    """Per-tensor quantization: one scale for the whole weight."""

    def __init__(self, base, *, bits):
        flat = nn.utils.skip_init(nn.Linear, base.weight.numel(), 1, bias=False)
        with torch.no_grad():
            flat.weight.copy_(base.weight.reshape(1, -1))
        super().__init__(flat, bits=bits)
        self.quantized = self.quantized.view(base.weight.shape[0], 1, -1)
        self.bias = None if base.bias is None else base.bias.detach().clone()


def layers_of(model):  # -> list of nn.Linear
    """The linear layers of a model; embeddings are not among them."""
    return [layer for layer in model.modules() if isinstance(layer, nn.Linear)]


def bits_per_weight(model, bits, scales):  # -> float
    """The average number of bits per weight of the linear layers, scales included.

    - `bits`: of a quantized weight
    - `scales`: "matrix" or "row" for one scale each, or the size of a group
    """
    layers = [layer.weight for layer in layers_of(model)]
    counts = {"matrix": len(layers), "row": sum(len(weight) for weight in layers)}
    size = sum(weight.numel() for weight in layers)
    return bits + SCALE_BITS * (counts[scales] if scales in counts else size / scales) / size


def ways(bits=BITS, group=GROUP):  # -> list of (name, bits, scales, function from layer to layer)
    """The quantization schemes to compare."""
    found = [("whole numbers", n, "matrix", lambda layer, n=n: WholeMatrix(layer, bits=n)) for n in bits]
    found += [("whole numbers", n, "row", lambda layer, n=n: QuantizedLinear(layer, bits=n)) for n in bits]
    found += [("whole numbers", n, group, lambda layer, n=n: QuantizedLinear(layer, bits=n, group_size=group)) for n in bits]
    return [*found, ("NF4", 4, group, lambda layer: QuantizedLinear(layer, codes=NF4, group_size=group))]


def run(model, task, steps, lr, seed, description):  # -> the model, trained, in eval mode
    """Train a model for a number of steps, with the settings of the plan."""
    warmup = min(PLAN.training.warmup_steps, steps // 4)
    config = replace(PLAN.training, epochs=1, lr=lr, seed=seed, warmup_steps=warmup)
    train(model, replace(task, windows=steps * config.batch_size), config, description=description)
    return model.eval()


def curve(writer, exam, chosen):  # -> JSON-able
    """The loss of the model in each quantization scheme; `exam` is a function from a model to its loss."""
    found = []
    for name, bits, scales, make in chosen:
        loss = exam(replace_linear(deepcopy(writer), make))
        found.append({"name": name, "bits": bits, "scales": scales, "bits_a_dial": as_recorded(bits_per_weight(writer, bits, scales)), "loss": loss})
    return found


def fine_tune(writer, fresh, task, exams, steps, seed, rank=RANK):  # -> JSON-able
    """The losses on both texts, and the number of trained parameters, of each way to learn the second text.

    - `fresh`: an untrained model, as a baseline
    - `task`: the second text
    - `exams`: a function from a model to {name: loss}
    """
    nf4 = replace_linear(deepcopy(writer), lambda layer: QuantizedLinear(layer, codes=NF4, group_size=GROUP))
    with seeded(seed):
        starts = {
            "adapters": replace_linear(deepcopy(writer).requires_grad_(False), lambda layer: LoRALinear(layer, rank)),
            "adapters_on_nf4": replace_linear(nf4.requires_grad_(False), lambda layer: LoRALinear(layer, rank), QuantizedLinear),
            "all_parameters": deepcopy(writer),
            "new": fresh,
        }
    found = {"as_it_was": {"n_parameters": 0, **exams(writer)}}
    for name, model in starts.items():
        n_trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
        found[name] = {"n_parameters": n_trained, **exams(run(model, task, steps, RATES[name], seed, name))}
    merged = replace_linear(deepcopy(starts["adapters"]), LoRALinear.merge, LoRALinear)
    return found | {"merged": {"n_parameters": 0, **exams(merged)}}


def measure(seed=0, threads=1, steps=STEPS, more_steps=MORE_STEPS, exam=EXAM, chosen=None):  # -> JSON-able
    """For `python -m pencil record fewer_bits`: loss against bits, and adaptation to first names."""
    from pencil.data import names, text

    torch.set_num_threads(threads)
    tokenizer, train_ids, test_ids = make_splits(text.load("full"))
    other = sorted(names.load("full"), key=hash_of)
    cut, length = len(other) // 10, PLAN.sizes.max_len
    other_test, other_train = (tokenizer.encode("\n".join(part) + "\n") for part in (other[:cut], other[cut:]))
    few, other_few = test_ids[:2000], other_test[:2000]  # short, since the losses during training are not reported

    def loss(model, ids=test_ids):
        return as_recorded(loss_by_position(model.eval(), ids[:exam], length).mean())

    writer = run(build_model(PLAN.sizes, tokenizer, seed), TextTask(train_ids, few, length), steps, PLAN.training.lr, seed, "a writer")
    task = TextTask(other_train, other_few, length)
    adapted = fine_tune(
        writer, build_model(PLAN.sizes, tokenizer, seed), task, lambda m: {"loss": loss(m), "names_loss": loss(m, other_test)}, more_steps, seed
    )
    return {
        "steps": steps,
        "more_steps": more_steps,
        "rank": RANK,
        "group": GROUP,
        "exam": exam,
        "n_parameters": {"all": sum(p.numel() for p in writer.parameters()), "linear": sum(layer.weight.numel() for layer in layers_of(writer))},
        "loss": loss(writer),
        "curve": curve(writer, loss, ways() if chosen is None else chosen),
        "adapted": adapted,
    }


def hash_of(name):  # -> str
    """A sort key that shuffles the names in the same way on every machine."""
    from hashlib import sha256

    return sha256(name.encode()).hexdigest()
