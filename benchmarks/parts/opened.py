"""Generation from a checkpoint against transformers, which writes the checkpoint with random weights."""

from functools import partial
from importlib.util import find_spec
from tempfile import TemporaryDirectory

import torch

from parts.contenders import gpt2_config, products, row, tidy
from parts.writing import generate, with_cache, write
from pencil.experiments.pretrained import checkpoint

LENGTH = 64  # tokens of prompt and continuation; a quarter is the prompt


def llama_config(setting):
    """The config of a Llama with these sizes, and a key-value head for every two heads."""
    from transformers import LlamaConfig

    sizes = {"hidden_size": setting.width, "num_hidden_layers": setting.blocks, "vocab_size": setting.rows, "max_position_embeddings": setting.length}
    heads = {"num_attention_heads": setting.heads, "num_key_value_heads": setting.heads // 2}
    return LlamaConfig(**sizes, **heads, intermediate_size=8 * setting.width // 3, bos_token_id=None, eos_token_id=None)


CONFIGS = {"GPT-2": gpt2_config, "Llama": llama_config}


def opened(setting, kind):
    """(ours, transformers' model); ours is loaded from the folder that transformers writes."""
    from transformers import AutoModelForCausalLM, logging

    logging.disable_progress_bar()
    peer = AutoModelForCausalLM.from_config(CONFIGS[kind](setting)).eval()
    with TemporaryDirectory() as folder:
        peer.save_pretrained(folder)
        return setting.place(checkpoint.read(folder).model()), setting.place(peer)


def opened_rows(setting, kind):
    """Greedy generation with a cache against transformers' `generate`. Both must produce the same tokens."""
    if find_spec("transformers") is None:
        return
    ours, peer = opened(setting, kind)
    length = min(LENGTH, setting.length)
    first = setting.ids(1, length // 4)
    words = length - first.shape[-1]
    runs = [partial(write, with_cache(ours, length), first, words), partial(generate, peer, first, words)]
    assert torch.equal(*(run() for run in runs)), f"an opened {kind} writes something else than transformers'"
    params = sum(parameter.numel() for parameter in ours.parameters())
    what = f"{kind} opened, {params / 1e6:.1f} million: {words} words"
    yield row(setting, what, "transformers' generate", runs, products(setting, ours, 1, times=words), words=words)
    tidy(setting)
