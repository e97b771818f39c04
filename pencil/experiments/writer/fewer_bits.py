"""A writer in fewer bits, and one that is adapted to another text by two narrow matrices beside each of its own (LoRA).

One writer learns Shakespeare. Its linear layers are then written in whole numbers of fewer and fewer bits, and in NF4, and examined again.
The same writer goes on with first names, in four ways: as it is, with adapters (on its own numbers, and on those in NF4: QLoRA), with all
its dials, and new from the start.
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
STEPS, MORE_STEPS, EXAM = 1000, 300, 20_000  # of the writer, of what goes on from it; tokens of an exam
BITS, GROUP, RANK = (8, 6, 5, 4, 3, 2), 32, 1
SCALE_BITS = 32  # a scale is a float32
RATES = {"adapters": 1e-2, "adapters_on_nf4": 1e-2, "all_dials": 1e-3, "new": 1e-3}


class WholeMatrix(QuantizedLinear):
    """One scale for all numbers of the weight."""

    def __init__(self, base, *, bits):
        flat = nn.utils.skip_init(nn.Linear, base.weight.numel(), 1, bias=False)
        with torch.no_grad():
            flat.weight.copy_(base.weight.reshape(1, -1))
        super().__init__(flat, bits=bits)
        self.whole = self.whole.view(base.weight.shape[0], 1, -1)
        self.bias = None if base.bias is None else base.bias.detach().clone()


def layers_of(model):  # -> list of nn.Linear
    """The linear layers of a writer; its embeddings are none."""
    return [layer for layer in model.modules() if isinstance(layer, nn.Linear)]


def bits_a_dial(model, bits, scales):  # -> float
    """Bits of a number in the linear layers, with those of the scales; `scales` is the size of a group, or "matrix" or "row"."""
    layers = [layer.weight for layer in layers_of(model)]
    counts = {"matrix": len(layers), "row": sum(len(weight) for weight in layers)}
    size = sum(weight.numel() for weight in layers)
    return bits + SCALE_BITS * (counts[scales] if scales in counts else size / scales) / size


def ways(bits=BITS, group=GROUP):  # -> list of (name, bits, scales, layer -> layer)
    """How a layer is written."""
    found = [("whole numbers", n, "matrix", lambda layer, n=n: WholeMatrix(layer, bits=n)) for n in bits]
    found += [("whole numbers", n, "row", lambda layer, n=n: QuantizedLinear(layer, bits=n)) for n in bits]
    found += [("whole numbers", n, group, lambda layer, n=n: QuantizedLinear(layer, bits=n, group_size=group)) for n in bits]
    return [*found, ("NF4", 4, group, lambda layer: QuantizedLinear(layer, codes=NF4, group_size=group))]


def run(model, task, steps, lr, seed, description):  # -> the model, trained, in eval mode
    """So many steps of training, with the settings of the plan."""
    warmup = min(PLAN.training.warmup_steps, steps // 4)
    config = replace(PLAN.training, epochs=1, lr=lr, seed=seed, warmup_steps=warmup)
    train(model, replace(task, windows=steps * config.batch_size), config, description=description)
    return model.eval()


def curve(writer, exam, chosen):  # -> JSON-able
    """The loss of the writer in each way."""
    found = []
    for name, bits, scales, make in chosen:
        loss = exam(replace_linear(deepcopy(writer), make))
        found.append({"name": name, "bits": bits, "scales": scales, "bits_a_dial": as_recorded(bits_a_dial(writer, bits, scales)), "loss": loss})
    return found


def goes_on(writer, fresh, task, exams, steps, seed, rank=RANK):  # -> JSON-able
    """The losses on both texts, and the dials that learned, of each way to go on."""
    nf4 = replace_linear(deepcopy(writer), lambda layer: QuantizedLinear(layer, codes=NF4, group_size=GROUP))
    with seeded(seed):
        starts = {
            "adapters": replace_linear(deepcopy(writer).requires_grad_(False), lambda layer: LoRALinear(layer, rank)),
            "adapters_on_nf4": replace_linear(nf4.requires_grad_(False), lambda layer: LoRALinear(layer, rank), QuantizedLinear),
            "all_dials": deepcopy(writer),
            "new": fresh,
        }
    found = {"as_it_was": {"dials": 0, **exams(writer)}}
    for name, model in starts.items():
        dials = sum(p.numel() for p in model.parameters() if p.requires_grad)
        found[name] = {"dials": dials, **exams(run(model, task, steps, RATES[name], seed, name))}
    merged = replace_linear(deepcopy(starts["adapters"]), LoRALinear.merge, LoRALinear)
    return found | {"merged": {"dials": 0, **exams(merged)}}


def measure(seed=0, threads=1, steps=STEPS, more_steps=MORE_STEPS, exam=EXAM, chosen=None):  # -> JSON-able
    """For `python -m pencil record fewer_bits`: bits against loss, and a writer adapted to first names."""
    from pencil.data import names, text

    torch.set_num_threads(threads)
    tokenizer, train_ids, test_ids = make_splits(text.load("full"))
    other = sorted(names.load("full"), key=hash_of)
    cut, length = len(other) // 10, PLAN.sizes.max_len
    other_test, other_train = (tokenizer.encode("\n".join(part) + "\n") for part in (other[:cut], other[cut:]))
    few, other_few = test_ids[:2000], other_test[:2000]  # a look at the loss, not an exam

    def loss(model, ids=test_ids):
        return as_recorded(loss_by_position(model.eval(), ids[:exam], length).mean())

    writer = run(build_model(PLAN.sizes, tokenizer, seed), TextTask(train_ids, few, length), steps, PLAN.training.lr, seed, "a writer")
    task = TextTask(other_train, other_few, length)
    adapted = goes_on(
        writer, build_model(PLAN.sizes, tokenizer, seed), task, lambda m: {"loss": loss(m), "names_loss": loss(m, other_test)}, more_steps, seed
    )
    return {
        "steps": steps,
        "more_steps": more_steps,
        "rank": RANK,
        "group": GROUP,
        "exam": exam,
        "dials": {"all": sum(p.numel() for p in writer.parameters()), "linear": sum(layer.weight.numel() for layer in layers_of(writer))},
        "loss": loss(writer),
        "curve": curve(writer, loss, ways() if chosen is None else chosen),
        "adapted": adapted,
    }


def hash_of(name):  # -> str
    """An order of the names that has nothing to do with their letters or their frequency, the same on every machine."""
    from hashlib import sha256

    return sha256(name.encode()).hexdigest()
