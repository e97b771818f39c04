"""The record of chapter 22 on a real encoder, all-MiniLM-L6-v2: what its heads look at, one head for a pencil, two banks, heads taken out."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from pencil.experiments.pretrained import checkpoint, minilm
from pencil.experiments.records import as_recorded
from pencil.params import flatten
from pencil.reference import (
    BlockConfig,
    EncoderParams,
    WordPiece,
    cosine_similarity,
    encoder,
    head_output,
    mean_pool,
    pattern_score,
    previous_token_mask,
    stack,
    without_head,
)
from pencil.reference.wordpiece import BEGIN, END
from pencil.rounding import on_paper

SENTENCES = (
    "The cat sat on the mat, and the dog sat by the door.",
    "A queen without a crown is still a queen.",
    "The film was long, but the end of the film was good.",
    "He reads the book because his sister wrote the book.",
    "Rain fell on the town, and then more rain fell on the river.",
    "If the bread is old, the birds will eat the bread.",
    "My brother plays the piano, and my mother plays the violin.",
    "The teacher asked a question, and nobody had an answer to the question.",
)
BANK = "We walked to the bank {}."
RIVER = ("of the river", "of the stream", "where the reeds grow", "to fish for trout")
MONEY = ("for a loan", "for some money", "to open an account", "to pay a bill")


@dataclass(frozen=True)
class Reading:
    """A text, read by an encoder in `pencil.reference`.

    Args:
        text: the text.
        tokenizer: a WordPiece.
        params: the EncoderParams.
        config: the BlockConfig.
    """

    text: str
    tokenizer: WordPiece
    params: EncoderParams
    config: BlockConfig

    @cached_property
    def ids(self):  # -> (T,)
        """The ids of the text, between [CLS] and [SEP]."""
        return self.tokenizer.encode(self.text, add_special_tokens=True)

    @cached_property
    def pieces(self):  # -> list of str
        """The pieces of the text."""
        return self.tokenizer.tokenize(self.text, add_special_tokens=True)

    @cached_property
    def run(self):  # -> {name: array}
        """The named values of the forward pass."""
        named = {}
        encoder(self.ids, self.params, config=self.config, note=named.setdefault)
        return named

    def weights(self, block, head):  # -> (T, T)
        """The attention weights of a head."""
        return self.run[f"block{block}.head{head}.weights"]

    def rows(self, depth):  # -> (T, d)
        """The rows after `depth` blocks; those that the first block reads if 0."""
        return self.run[f"block{depth}.out" if depth else "embedding_norm.affine"]

    def sentence_vector(self, block=1, params=None):  # -> (d,)
        """The mean of the rows, as long as 1; with other params the blocks from `block` on are run again."""
        rows = self.rows(len(self.params.blocks))
        if params is not None:
            rows = stack(self.rows(block - 1), params.blocks[block - 1 :], start=block, config=self.config)
        pooled = mean_pool(rows)
        return pooled / np.linalg.norm(pooled)


def heads_of(params):  # -> [(block, head)]
    """All heads, counted from 1."""
    return [(b, h) for b, block in enumerate(params.blocks, 1) for h in range(1, len(block.attention.heads) + 1)]


def patterns(reading):  # -> {pattern: (T, T) bool}, of words alone as queries
    """What a word may look at: the word before or behind it, the same word elsewhere, [CLS], [SEP]. Patterns that do not occur are left out."""
    ids, pieces = reading.ids, np.array(reading.pieces)
    word = ~np.isin(pieces, (BEGIN, END))
    words = word[:, None] & word
    before, same = previous_token_mask(ids), (ids[:, None] == ids) & ~np.eye(len(ids), dtype=bool)
    found = {"before": before & words, "after": before.T & words, "same": same & words}
    found |= {name: word[:, None] & (pieces == name) for name in (BEGIN, END)}
    return {name: mask for name, mask in found.items() if mask.any()}


def looks(readings):  # list of Readings -> JSON-able
    """For each pattern the share that each head gives to it, averaged over the texts in which it occurs, and that of uniform attention."""
    shares, alike = {}, {}
    for reading in readings:
        for name, mask in patterns(reading).items():
            scores = [float(pattern_score(reading.weights(*head), mask)) for head in heads_of(reading.params)]
            shares.setdefault(name, []).append(scores)
            alike.setdefault(name, []).append(float(pattern_score(np.full(mask.shape, 1 / len(mask)), mask)))
    n_blocks = len(readings[0].params.blocks)
    table = {name: np.mean(scores, 0).reshape(n_blocks, -1) for name, scores in shares.items()}
    return {name: {"shares": as_recorded(on_paper(table[name], 4, None)), "alike": as_recorded(np.mean(alike[name]))} for name in table}


def for_pencil(reading, other, place, last):  # two Readings, two places in both -> JSON-able
    """The head by which the word at `place` gives most to that at `last`, whichever of the texts gives less; its query, and the keys of two words.

    The two are the words of the first text with the largest shares. Also the share of the first of the two beside the second alone.
    """
    block, head = max(heads_of(reading.params), key=lambda one: min(each.weights(*one)[place, last] for each in (reading, other)))
    real = np.array([piece.isalpha() for piece in reading.pieces])
    weights = reading.weights(block, head)[place]
    two = np.argsort(-np.where(real, weights, 0), kind="stable")[:2]
    name = f"block{block}.head{head}"
    scaled = reading.run[f"{name}.scaled"][place, two]
    return {
        "block": block, "head": head, "text": reading.text, "pieces": reading.pieces, "place": place, "weights": as_recorded(weights),
        "two": two.tolist(), "query": as_recorded(reading.run[f"{name}.query"][place]), "keys": as_recorded(reading.run[f"{name}.key"][two]),
        "share": as_recorded(1 / (1 + np.exp(scaled[1] - scaled[0]))),
    }  # fmt: skip


def banks(river, money, place):  # lists of Readings -> JSON-able
    """Cosines between the vectors of the word at `place`, before the first block and after each.

    `pair` is that of the first text of each list; `within` is the mean over pairs of one list, `across` over pairs of two lists. `right`
    counts, after each block, the texts whose nearest other is of their own list.
    """
    n_blocks, sense = len(river[0].params.blocks), np.repeat([0, 1], [len(river), len(money)])
    same = (sense[:, None] == sense) & ~np.eye(len(sense), dtype=bool)
    found = {"pair": [], "within": [], "across": [], "right": []}
    for depth in range(n_blocks + 1):
        vectors = np.stack([reading.rows(depth)[place] for reading in river + money])
        cosines = cosine_similarity(vectors, vectors)
        found["pair"].append(cosines[0, len(river)])
        found["within"].append(cosines[same].mean())
        found["across"].append(cosines[sense[:, None] != sense].mean())
        if depth:
            nearest = np.where(np.eye(len(sense), dtype=bool), -np.inf, cosines).argmax(1)
            found["right"].append(int((sense[nearest] == sense).sum()))
    return {"texts": [[each.text for each in some] for some in (river, money)], "place": place} | {
        name: values if name == "right" else as_recorded(values) for name, values in found.items()
    }


def ablations(readings):  # list of Readings -> JSON-able
    """How far the sentence vectors turn without a head: 1 − cosine, averaged over the texts, where zero or its mean stands in for it.

    The mean is that of the head's output over all tokens of all texts.
    """
    params, found = readings[0].params, {"zero": [], "mean": []}
    whole = [reading.sentence_vector() for reading in readings]
    for block, head in heads_of(params):
        contexts = np.concatenate([reading.run[f"block{block}.head{head}.context"] for reading in readings])
        mean = head_output(contexts, params.blocks[block - 1].attention, head=head).mean(0)
        for name, stand_in in (("zero", None), ("mean", mean)):
            ablated = without_head(params, block=block, head=head, mean=stand_in)
            turned = [1 - vector @ reading.sentence_vector(block, ablated) for vector, reading in zip(whole, readings, strict=True)]
            found[name].append(np.mean(turned))
    return {name: as_recorded(on_paper(np.reshape(values, (len(params.blocks), -1)), 6, None)) for name, values in found.items()}


def maps(reading, looked):  # Reading, result of `looks` -> JSON-able
    """The attention weights on one text, for the head that gives each pattern most."""
    found = []
    for name, each in looked.items():
        b, h = np.unravel_index(np.argmax(each["shares"]), np.shape(each["shares"]))
        found.append(
            {"look": name, "block": int(b) + 1, "head": int(h) + 1, "weights": as_recorded(on_paper(reading.weights(b + 1, h + 1), 3, None))}
        )
    return {"pieces": reading.pieces, "heads": found}


def in_digits(numbers):  # (T, T) whole numbers below 10 -> list of str
    """A matrix of digits, as a string for each row."""
    return ["".join(str(int(number)) for number in row) for row in numbers]


def leaves(readings, looked):  # list of Readings, result of `looks` -> JSON-able
    """The attention weights on each text of the two heads of each block that give most to any of the patterns.

    They are in eighths, a digit for each weight and a string for each row, as sixty maps are many.
    """
    most = np.max([each["shares"] for each in looked.values()], axis=0)
    heads = [(b, h) for b, row in enumerate(most, 1) for h in sorted((np.argsort(-row, kind="stable")[:2] + 1).tolist())]
    texts = [
        {
            "text": reading.text,
            "pieces": reading.pieces,
            "eighths": [in_digits((8 * reading.weights(*head) + 0.5).astype(int)) for head in heads],
        }
        for reading in readings
    ]
    return {"heads": heads, "texts": texts}


def measure():  # -> JSON-able, for `python -m pencil record minilm`
    """All of it, in float64."""
    found = checkpoint.read(minilm.folder())
    params = found.params(torch.float64)
    of = found.tokenizer(), params, found.config
    readings = [Reading(text, *of) for text in SENTENCES]
    river, money = ([Reading(BANK.format(end), *of) for end in ends] for ends in (RIVER, MONEY))
    place = river[0].pieces.index("bank")
    sizes = {"layers": len(params.blocks), "heads": found.config.n_heads, "width": found.config.d_model, "pieces": len(params.embedding)}
    looked = looks(readings)
    return {
        "file": minilm.provenance(),
        "sizes": sizes | {"parameters": sum(array.size for array in flatten(params).values())},
        "texts": list(SENTENCES),
        "looks": looked,
        "maps": maps(readings[0], looked),
        "leaves": leaves(readings[1:6], looked),
        "pencil": for_pencil(river[0], money[0], place, river[0].pieces.index("river")),
        "bank": banks(river, money, place),
        "ablation": ablations(readings),
    }
