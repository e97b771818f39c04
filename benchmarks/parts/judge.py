"""Evaluate a trained model by transformers' GPT-2 with its weights, as an independent check of the loss."""

import torch
from torch import nn

from parts.nanogpt import NanoGPT
from pencil.experiments.writer.text_task import eval_windows

OURS = {  # parts of names in our Decoder: in GPT-2
    "stack.blocks.": "h.", "stack.norm.": "ln_f.", "attention.qkv": "attn.c_attn", "attention.output": "attn.c_proj",
    "feed_forward.up": "mlp.c_fc", "feed_forward.down": "mlp.c_proj", "norm1.": "ln_1.", "norm2.": "ln_2.", "gain": "weight",
    "embedding": "wte.weight", "positions": "wpe.weight",
}  # fmt: skip


def as_gpt2(model):
    """transformers' GPT2LMHeadModel with the weights of our Decoder or of a NanoGPT; missing biases are 0.

    It has one more position, of zeros, because transformers takes the input and the target of a window as one sequence.
    """
    import transformers

    nano = isinstance(model, NanoGPT)
    arrays = {name if nano else _renamed(name): weight.detach() for name, weight in model.state_dict().items()}
    (rows, width), (length, _) = arrays["wte.weight"].shape, arrays["wpe.weight"].shape
    arrays["wpe.weight"] = nn.functional.pad(arrays["wpe.weight"], (0, 0, 0, 1))
    blocks, heads = (len(model.h), model.h[0].attn.heads) if nano else (len(model.stack.blocks), model.stack.blocks[0].attention.n_heads)
    sizes = {"n_embd": width, "n_head": heads, "n_layer": blocks, "n_positions": length + 1, "vocab_size": rows}
    config = transformers.GPT2Config(**sizes, activation_function="gelu" if nano else "gelu_new", bos_token_id=None, eos_token_id=None)
    judge = transformers.GPT2LMHeadModel(config).eval()
    body = judge.transformer.state_dict()
    found = {name: weight.T if name.split(".")[-2].startswith("c_") and weight.ndim == 2 else weight for name, weight in arrays.items()}
    missing = {name: torch.zeros_like(weight) for name, weight in body.items() if name not in found}
    if wrong := [name for name in missing if not name.endswith(".bias")]:
        raise ValueError(f"the writer has no {wrong[0]}")
    judge.transformer.load_state_dict(missing | found)
    return judge


def _renamed(name):
    for ours, theirs in OURS.items():
        name = name.replace(ours, theirs)
    return name


@torch.no_grad()
def judged_loss(judge, ids, length, size=64):
    """The loss per token of a text (NumPy ids) in the windows of `eval_windows`, computed by transformers from `labels`."""
    starts, scored = (torch.from_numpy(each) for each in eval_windows(len(ids), length))
    ids, total = torch.from_numpy(ids.astype("int64")), 0.0
    for first, last in zip(starts.split(size), scored.split(size), strict=True):
        rows = ids[first[:, None] + torch.arange(length + 1)]
        labels = rows.masked_fill(torch.arange(length + 1) <= length - last[:, None], -100)  # ignored by transformers' loss
        total += judge(rows, labels=labels).loss.item() * int(last.sum())
    return total / int(scored.sum())
