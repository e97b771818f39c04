"""The tiny GPT embedded in the page: chapter 14's model in int8, run by NumPy."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from pencil.experiments import records
from pencil.experiments.exported import CONFIG, fill_params
from pencil.experiments.quantization import pack, unpack
from pencil.note import no_note
from pencil.random import MASK, Mulberry32
from pencil.reference import DecoderParams, LayerNormParams, causal_mask, probabilities, sample, stack, unembed
from pencil.reference.transformers import embed_tokens


@dataclass(frozen=True)
class PageWriter:
    """The dequantized parameters, and the vocabulary: the character of each id."""

    vocabulary: tuple
    params: DecoderParams

    @property
    def positions(self):
        """The context length in characters."""
        return len(self.params.positions)

    def ids(self, text):  # str -> (n,) ids
        """Encode a text. Raises ValueError for an empty text and for an unknown character."""
        unknown = sorted(set(text) - set(self.vocabulary))
        if unknown or not text:
            problem = f"{unknown[0]!r} is none of its {len(self.vocabulary)} letters: {''.join(self.vocabulary)!r}" if text else "the text is empty"
            raise ValueError(f"{problem}; it goes on from a text of its own letters")
        return np.array([self.vocabulary.index(character) for character in text])

    def check_top_k(self, top_k):  # int or None -> int
        """Resolve top_k: None means the whole vocabulary. Raises ValueError for more than that."""
        most = len(self.vocabulary)
        if top_k is not None and top_k > most:
            raise ValueError(f"top_k={top_k}, and it has {most} letters to draw from; take 1 to {most}, or None for all")
        return most if top_k is None else top_k

    def sample_next(self, text, temperature=1.0, top_k=None, u=0.0, note=no_note):  # str -> id
        """Sample the next id, given a uniform random number u; only the last `positions` characters are read."""
        ids = self.ids(text)[-self.positions :]
        return int(sample_next(ids, [len(ids) - 1], self.params, temperature, self.check_top_k(top_k), u, note))

    def write(self, text, count=40, temperature=1.0, top_k=None, seed=0):  # -> str
        """The text, continued by `count` characters. top_k=1 is greedy."""
        for _ in range(count):
            text += self.vocabulary[self.sample_next(text, temperature, top_k, uniform(seed, len(text)))]
        return text


def sample_next(ids, last, params, temperature, top_k, u, note=no_note):  # (T,) (1,) … -> id
    """Run the decoder on some ids, and sample the token after position `last`, given a uniform random number u."""
    logits = note("logits", next_logits(ids, last, params, note))
    probs = note("probs", probabilities(logits, temperature=temperature, top_k=top_k))
    return note("next_id", sample(probs, u))


def next_logits(ids, last, params, note=no_note):  # (T,) (1,) … -> (V,)
    """Run the decoder on some ids, for the logits of the token after position `last`.

    Id 0 is a character here, not padding. Because of the causal mask, ids after `last` have no effect.
    """
    x = stack(embed_tokens(ids, params, note=note), params.blocks, note=note, mask=causal_mask(len(ids)), config=CONFIG, norm=params.norm)
    return unembed(x[last], params)[0]


def uniform(seed, number):  # -> float in [0, 1)
    """The number with index `number` of the random stream of a seed; the page uses the same generator, so both write the same text."""
    rng = Mulberry32(seed)
    for _ in range(number):
        rng.next_uint32()
    return rng.next_uint32() / (MASK + 1)


def read(record=None):  # -> PageWriter
    """The model of a record; of the record "writer" by default."""
    stored = record or records.read("writer")
    params = fill_params(lambda blocks: DecoderParams(0, blocks, 0, LayerNormParams(0, 0)), unpack(stored))
    return PageWriter(tuple(stored["vocabulary"]), params)


def measure(checkpoint=None):  # -> JSON-able, for `python -m pencil record writer --checkpoint FILE`
    """Quantize a model that `python -m pencil record writer_samples --checkpoint FILE` saved; its test loss per character before and after.

    Without a checkpoint the recorded int8 model is evaluated again; its loss before quantization is then unknown. `side_by_side` is the
    loss in non-overlapping windows.
    """
    from pencil.data import text
    from pencil.experiments.writer.samples import eval_loss  # these import torch, which the page does not need
    from pencil.experiments.writer.tiny_gpt import SHORT, build_model, load_writer, make_splits
    from pencil.model.module import load_arrays, state_arrays

    tokenizer, _, test_ids = make_splits(text.load())
    if checkpoint is None:
        kept = records.read("writer")
        known = {name: kept[name] for name in ("vocabulary", "trained", "shapes", "numbers")}
        model = load_arrays(build_model(SHORT.sizes, tokenizer), unpack(kept))
        length = len(model.positions)
        fair, side_by_side = (records.as_recorded(eval_loss(model, test_ids, length, stride)) for stride in (None, length))
        return {"val_loss_in_int8": fair, "side_by_side": side_by_side, **known}
    writer = load_writer(checkpoint)
    packed, length = pack(state_arrays(writer.model)), len(writer.model.positions)
    before = eval_loss(writer.model, test_ids, length)
    in_int8 = load_arrays(writer.model, unpack(packed))
    after, side_by_side = (eval_loss(in_int8, test_ids, length, stride) for stride in (None, length))
    return {
        "val_loss": records.as_recorded(before),
        "val_loss_in_int8": records.as_recorded(after),
        "side_by_side": records.as_recorded(side_by_side),
        "vocabulary": list(writer.tokenizer.pieces),
        "trained": {"checkpoint": sha256(Path(checkpoint).read_bytes()).hexdigest()},
        **packed,
    }
