"""A tiny GPT: tokenizer, model, training, sampling and checkpoints."""

import json
from dataclasses import dataclass, replace

import numpy as np
import safetensors.numpy
import torch

from pencil.experiments.training.config import TrainingConfig
from pencil.experiments.training.device import refuse_beyond_memory
from pencil.experiments.training.distributed import SINGLE_PROCESS
from pencil.experiments.training.loop import train
from pencil.experiments.writer import writer_file
from pencil.experiments.writer.text_task import TextTask
from pencil.model.cache import Cache
from pencil.model.config import Config
from pencil.model.module import load_arrays, seeded, state_arrays
from pencil.model.transformers import Decoder
from pencil.paths import moved_into_place, user_path
from pencil.reference.bpe import BPE, pre_tokenize, train_bpe
from pencil.reference.generation import count_ngrams, next_token_probs, probabilities, sample

NUMBER_BYTES = 16  # that a parameter takes in training: its float32, its gradient and AdamW's two moments
BLOCK_BYTES = 50_000  # of a block's Python objects
TEST_SHARE = 0.1  # of the text, at its end, as in nanoGPT


@dataclass(frozen=True)
class Plan:
    """The choices of a training run.

    Args:
        sizes: of the model; `vocab_size` is set from the tokenizer.
        training: a TrainingConfig.
        merges: number of BPE merges; 0 means a token for each character.
        windows: per epoch, as in TextTask.
        dropout: the dropout probability in training.
    """

    sizes: Config
    training: TrainingConfig
    merges: int = 0
    windows: int | None = None
    dropout: float = 0.0


SHARED = {"eps": 1e-8, "weight_decay": 0.1, "warmup_steps": 100, "linear_decay": True, "grad_clip": 1.0, "monitor": "val_loss"}
PLANS = {  # by the source of the text: a model small enough for a page; nanoGPT's sizes and 2,000 steps on a CPU
    "embedded": Plan(Config(48, 4, n_layers=2, max_len=48), TrainingConfig(epochs=30, batch_size=32, lr=6e-3, **SHARED), windows=3200),
    "full": Plan(
        Config(128, 4, n_layers=4, max_len=64), TrainingConfig(epochs=10, batch_size=12, lr=1e-3, betas=(0.9, 0.99), **SHARED), windows=2400
    ),
}
IN_PAGE = PLANS["embedded"]
SHORT = replace(IN_PAGE, training=replace(IN_PAGE.training, epochs=6, batch_size=16, warmup_steps=50), windows=2400)  # half a minute


@dataclass(frozen=True)
class TinyGPT:
    """A decoder and its tokenizer."""

    model: Decoder
    tokenizer: BPE


def train_tokenizer(text, num_merges=0, initial_alphabet=""):  # str -> BPE
    """Train BPE on a text, with `num_merges` merges; the vocabulary includes all characters of the text and of `initial_alphabet`."""
    return train_bpe(pre_tokenize(text), num_merges=num_merges, initial_alphabet=initial_alphabet)


def make_splits(text, merges=0, share=TEST_SHARE):  # str -> BPE, training ids, test ids
    """Encode a text and split off its end as the test set. Merges are learned from the training part alone; characters from the whole text."""
    cut = len(text) - int(share * len(text))
    tokenizer = train_tokenizer(text[:cut], merges, initial_alphabet=text)
    return tokenizer, tokenizer.encode(text[:cut]), tokenizer.encode(text[cut:])


def build_model(sizes, tokenizer, seed=0, dropout=0.0):  # Config, BPE -> Decoder, untrained
    """A new decoder, with `vocab_size` from the tokenizer."""
    with seeded(seed):
        return Decoder(replace(sizes, vocab_size=len(tokenizer.pieces)), dropout=dropout)


def train_writer(text, plan=IN_PAGE, folder=None, group=SINGLE_PROCESS, description="tiny GPT"):  # str -> TinyGPT, TrainingResult
    """Train on a text by a plan, and evaluate on its end; `folder`, `group` and `description` as in `train`.

    Raises ValueError for sizes that no memory here holds, and for more merges than the text has.
    """
    _refuse_too_large(plan)
    tokenizer, train_ids, test_ids = make_splits(text, plan.merges)
    if (learned := len(tokenizer.merges)) < plan.merges:
        raise ValueError(f"merges={plan.merges}, and the text has {learned} to learn before each of its words is one piece; take no more")
    model = build_model(plan.sizes, tokenizer, plan.training.seed, plan.dropout)
    task = TextTask(train_ids, test_ids, plan.sizes.max_len, plan.windows)
    return TinyGPT(model, tokenizer), train(model, task, plan.training, folder, group, description)


def _refuse_too_large(plan):  # before anything is made: a bound from below, without embeddings, biases and what a batch takes
    sizes, d = plan.sizes, plan.sizes.d_model
    block = 2 * d * (d + sizes.feedforward_dim)
    settings = {name: getattr(sizes, name) for name in ("d_model", "n_layers", "max_len")}
    needed = NUMBER_BYTES * (sizes.n_layers * block + sizes.max_len * d) + BLOCK_BYTES * sizes.n_layers
    refuse_beyond_memory(needed, settings, plan.training.device)


def ngram_loss(text, order, merges=0):  # -> float
    """The test loss per token of an n-gram model with Witten-Bell smoothing, on the tokens on which a TinyGPT is evaluated.

    These are all tokens of the test part but the first; the first few have less than `order` - 1 tokens of context.
    """
    tokenizer, train_ids, test_ids = make_splits(text, merges)
    counted = count_ngrams(train_ids, order=order, vocab_size=len(tokenizer.pieces))
    return float(-np.log(next_token_probs(counted, test_ids)[1:]).mean())


def write_by_counting(text, order, prompt, count=200, temperature=1.0, seed=0):  # -> str
    """The prompt, continued by `count` characters sampled from an n-gram model of the training part of a text.

    Raises ValueError for an empty prompt.
    """
    tokenizer, train_ids, _ = make_splits(text)
    size = len(tokenizer.pieces)
    counted, ids, rng = count_ngrams(train_ids, order=order, vocab_size=size), tokenizer.encode(prompt).tolist(), np.random.default_rng(seed)
    if not ids:
        raise ValueError("the prompt is empty: there is nothing to go on from; give it at least a letter")
    for _ in range(count):
        known = replace(counted, ngrams=counted.ngrams[: len(ids) + 1])  # a shorter order while the context is short
        tries = [[*ids[len(ids) + 1 - known.order :], each] for each in range(size)]  # the context followed by each character
        probs = next_token_probs(known, np.concatenate(tries)).reshape(size, -1)[:, -1]
        ids.append(int(sample(probabilities(np.log(probs), temperature=temperature), rng.random())))
    return tokenizer.decode(np.array(ids))


@torch.inference_mode()
def write(writer, prompt="\n", count=200, temperature=1.0, top_k=None, top_p=None, seed=0):  # -> str
    """The prompt, continued by `count` tokens sampled with temperature, top-k and top-p, with a KV cache.

    When all positions are used, the cache is dropped and the last half of the text is read again from position 0.
    Raises ValueError for an empty prompt and for a character that the tokenizer does not know.
    """
    ids = writer.tokenizer.encode(prompt).tolist()
    if not ids:
        raise ValueError("the prompt is empty: there is nothing to go on from; give it at least a letter")
    model, positions, rng = writer.model.eval(), len(writer.model.positions), np.random.default_rng(seed)
    device, cache, new = model.embedding.device, Cache(), ids[-positions:]
    for _ in range(count):
        if cache.length + len(new) > positions:
            cache, new = Cache(), ids[-(positions + 1) // 2 :]
        logits = model(torch.tensor([new], device=device), cache=cache)[0, -1].cpu().double().numpy()
        new = [int(sample(probabilities(logits, temperature=temperature, top_k=top_k, top_p=top_p), rng.random()))]
        ids += new
    return writer.tokenizer.decode(ids)


def save(file, writer):
    """Write a safetensors checkpoint atomically: arrays by flat name, with sizes, pieces and merges in the metadata."""
    model = writer.model
    n_heads = model.stack.blocks[0].attention.n_heads
    sizes = {"d_model": model.embedding.shape[1], "n_heads": n_heads, "n_layers": len(model.stack.blocks), "max_len": len(model.positions)}
    metadata = {"sizes": sizes, "pieces": writer.tokenizer.pieces, "merges": writer.tokenizer.merges}
    with moved_into_place(user_path(file)) as beside:
        beside.write_bytes(safetensors.numpy.save(state_arrays(model), {name: json.dumps(value) for name, value in metadata.items()}))


def load_writer(file):  # -> TinyGPT
    """Load a checkpoint that `save` wrote. Raises ValueError for any other file."""
    sizes, tokenizer, arrays = writer_file.read(user_path(file))
    return TinyGPT(load_arrays(build_model(sizes, tokenizer), arrays), tokenizer)
