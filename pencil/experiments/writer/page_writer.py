"""The tiny GPT that the page carries: chapter 14's model in int8, run by NumPy."""

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
    """Its characters, an id being an index among them, and its dequantized parameters."""

    vocabulary: tuple
    params: DecoderParams

    @property
    def positions(self):
        """How many characters it sees at once."""
        return len(self.params.positions)

    def ids(self, text):  # str -> (n,) ids
        """Encode. Raises ValueError for an empty text and for a character that it does not know."""
        unknown = sorted(set(text) - set(self.vocabulary))
        if unknown or not text:
            problem = f"{unknown[0]!r} is none of its {len(self.vocabulary)} letters: {''.join(self.vocabulary)!r}" if text else "the text is empty"
            raise ValueError(f"{problem}; it goes on from a text of its own letters")
        return np.array([self.vocabulary.index(character) for character in text])

    def check_top_k(self, top_k):  # whole number, or None for all -> whole number
        """From how many of the likeliest characters it samples. Raises ValueError for more than there are."""
        most = len(self.vocabulary)
        if top_k is not None and top_k > most:
            raise ValueError(f"top_k={top_k}, and it has {most} letters to draw from; take 1 to {most}, or None for all")
        return most if top_k is None else top_k

    def sample_next(self, text, temperature=1.0, top_k=None, u=0.0, note=no_note):  # str -> id
        """The next id after a text, sampled by the uniform number u; only the last `positions` characters are read."""
        ids = self.ids(text)[-self.positions :]
        return int(sample_next(ids, [len(ids) - 1], self.params, temperature, self.check_top_k(top_k), u, note))

    def write(self, text, count=40, temperature=1.0, top_k=None, seed=0):  # -> str, the text and all
        """Continue the text by `count` characters. With top_k=1 it is greedy."""
        for _ in range(count):
            text += self.vocabulary[self.sample_next(text, temperature, top_k, uniform(seed, len(text)))]
        return text


def sample_next(ids, last, params, temperature, top_k, u, note=no_note):  # (T,) (1,) … -> id
    """Run the decoder on these ids, and sample the token after the position `last` by the uniform number u.

    Id 0 is a character here and no padding, so the causal mask is the only one: what stands behind `last` has no effect.
    """
    x = stack(embed_tokens(ids, params, note=note), params.blocks, note=note, mask=causal_mask(len(ids)), config=CONFIG, norm=params.norm)
    logits = note("logits", unembed(x[last], params)[0])
    probs = note("probs", probabilities(logits, t=temperature, k=top_k))
    return note("next_id", sample(probs, u))


def uniform(seed, number):  # -> float in [0, 1)
    """Draw `number`, counted from 0, of the generator that the page uses too: both continue a text alike."""
    rng = Mulberry32(seed)
    for _ in range(number):
        rng.next_uint32()
    return rng.next_uint32() / (MASK + 1)


def read(record=None):  # -> PageWriter
    """The writer of the record."""
    stored = record or records.read("writer")
    params = fill_params(lambda blocks: DecoderParams(0, blocks, 0, LayerNormParams(0, 0)), unpack(stored))
    return PageWriter(tuple(stored["vocabulary"]), params)


def measure(checkpoint=None):  # -> JSON-able, for `python -m pencil record writer --checkpoint FILE`
    """Quantize a writer that `python -m pencil record writer_samples --checkpoint FILE` saved; its loss per character before and after.

    The loss is on the end of the text, on which it was not trained. Without a checkpoint the bytes of the record are examined
    again, and its loss before they were made is not known. `side_by_side` is the loss in windows that do not overlap.
    """
    from pencil.data import text
    from pencil.experiments.writer.samples import exam_loss  # only here torch is needed
    from pencil.experiments.writer.tiny_gpt import SHORT, build_model, load_writer, make_splits
    from pencil.model.module import load_arrays, state_arrays

    tokenizer, _, test_ids = make_splits(text.load())
    if checkpoint is None:
        kept = records.read("writer")
        known = {name: kept[name] for name in ("vocabulary", "trained", "shapes", "numbers")}
        model = load_arrays(build_model(SHORT.sizes, tokenizer), unpack(kept))
        length = len(model.positions)
        fair, side_by_side = (records.as_recorded(exam_loss(model, test_ids, length, stride)) for stride in (None, length))
        return {"val_loss_in_int8": fair, "side_by_side": side_by_side, **known}
    writer = load_writer(checkpoint)
    packed, length = pack(state_arrays(writer.model)), len(writer.model.positions)
    before = exam_loss(writer.model, test_ids, length)
    in_int8 = load_arrays(writer.model, unpack(packed))
    after, side_by_side = (exam_loss(in_int8, test_ids, length, stride) for stride in (None, length))
    return {
        "val_loss": records.as_recorded(before),
        "val_loss_in_int8": records.as_recorded(after),
        "side_by_side": records.as_recorded(side_by_side),
        "vocabulary": list(writer.tokenizer.pieces),
        "trained": {"checkpoint": sha256(Path(checkpoint).read_bytes()).hexdigest()},
        **packed,
    }
