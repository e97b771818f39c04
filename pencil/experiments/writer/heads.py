"""What the heads of the page's tiny GPT attend to where it chooses between "his" and "her", and its choices with each head ablated."""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from pencil.experiments.exported import CONFIG
from pencil.note import no_note
from pencil.reference import causal_mask, stable_softmax, stack, unembed, without_head
from pencil.reference.transformers import embed_tokens

HE = ("king", "prince", "man", "boy", "father", "brother", "son", "grandfather", "husband", "uncle", "he")
SHE = ("queen", "princess", "woman", "girl", "mother", "sister", "daughter", "grandmother", "wife", "aunt", "she")
PERSON = re.compile(rf"\b({'|'.join(HE + SHE)})\b")
NEAR = 4  # characters: the query's own, and three before it


@dataclass(frozen=True)
class Place:
    """A prompt: a sentence up to the h of "his" or "her", and the span of the deciding word, the last noun or pronoun for a person."""

    prompt: str
    start: int
    end: int
    right: str  # the correct next letter, "i" or "e"

    @property
    def wrong(self):
        """The other letter."""
        return "e" if self.right == "i" else "i"


def find_places(text, longest):  # str, int -> Counter of Place
    """Every "his" and "her" of a text after a word for a man or a woman in the same sentence; prompts are cut to their last `longest` characters."""
    found = Counter()
    for sentence in re.split(r"(?<=[.!?])\s", text):
        for pronoun in re.finditer(r"\bh(?=(is|er)\b)", sentence):
            prompt = sentence[: pronoun.end()][-longest:]
            if persons := list(PERSON.finditer(prompt)):
                found[Place(prompt, *persons[-1].span(), pronoun[1][0])] += 1
    return found


def run(writer, prompts, params=None, note=no_note):  # PageWriter, list of str -> (N, T, V)
    """The next-character probabilities at every position, for a batch of prompts. Shorter ones are padded at the end, behind the causal mask."""
    longest, params = max(map(len, prompts)), params or writer.params
    ids = np.array([np.pad(writer.ids(prompt), (0, longest - len(prompt))) for prompt in prompts])
    x = stack(embed_tokens(ids, params), params.blocks, note=note, mask=causal_mask(longest), config=CONFIG, norm=params.norm)
    return stable_softmax(unembed(x, params))


def head_weights(writer, prompts):  # -> {(block, head): (N, T, T)}
    """The attention weights of every head."""
    noted = {}
    run(writer, prompts, note=noted.setdefault)
    names = [(b, h) for b, block in enumerate(writer.params.blocks, 1) for h in range(1, len(block.attention.heads) + 1)]
    return {(b, h): noted[f"block{b}.head{h}.weights"] for b, h in names}


def choose(writer, places, params=None):  # PageWriter, list of Place -> (N,)
    """The probability of the right letter, renormalized over "i" and "e"; `params` replaces the writer's."""
    probs = run(writer, [place.prompt for place in places], params)
    right, wrong = (
        np.array([row[len(place.prompt) - 1, writer.vocabulary.index(getattr(place, which))] for row, place in zip(probs, places, strict=True)])
        for which in ("right", "wrong")
    )
    return right / (right + wrong)


def letters_right(writer, pieces, params=None):  # PageWriter, list of str of one length -> float
    """The fraction of letters, from the second of each piece on, that are the most probable one; `params` replaces the writer's."""
    ids = np.array([writer.ids(piece) for piece in pieces])
    return (run(writer, pieces, params)[:, :-1].argmax(-1) == ids[:, 1:]).mean()


def by_distance(weights):  # (N, T, T) -> (T,)
    """The mean attention weight by distance, over the positions that have a key at that distance."""
    return np.array([weights.diagonal(-k, axis1=1, axis2=2).mean() for k in range(weights.shape[-1])])


def on_decider(weights, places):  # (N, T, T), list of Place -> (N,)
    """The attention weight of the deciding word, from the last character of each prompt."""
    return np.array([row[len(place.prompt) - 1, place.start : place.end].sum() for row, place in zip(weights, places, strict=True)])


def simple_rules(prompts):  # list of str of one length -> {rule: (N, T, T) bool}
    """Three simple attention patterns: the previous character, the first of the word, earlier occurrences of the same character."""
    letters = np.array([list(prompt) for prompt in prompts])
    at = np.arange(letters.shape[1])
    begins = np.stack([np.maximum.accumulate(np.where(~np.char.isalpha(row), at + 1, 0)) for row in letters])
    same = (letters[:, :, None] == letters[:, None, :]) & (at[:, None] > at)
    before = np.broadcast_to(at[:, None] == at + 1, same.shape)
    return {"before": before, "begins": (begins[:, :, None] == at) & (at[:, None] > at), "same": same}


def followed(weights, targets):  # (N, T, T), (N, T, T) bool -> float
    """The mean attention weight on the targets, over the positions that have any."""
    has = targets.any(-1)
    return (weights * targets).sum(-1)[has].mean()


def held_out(text):  # str -> str
    """The test part of a text."""
    from pencil.experiments.writer.tiny_gpt import TEST_SHARE  # imports torch

    return text[len(text) - int(TEST_SHARE * len(text)) :]


def windows(text, size, count):  # str -> list of str
    """The first `count` non-overlapping windows of a text."""
    return [text[k * size : (k + 1) * size] for k in range(count)]


def measure(writer, text, count=40):  # PageWriter, str -> {"places", "right", "her", "heads": {(block, head): {what: number}}}
    """What each head attends to at every "his" and "her" of a text and over `count` windows of it, and the choices with and without it.

    `right` is the fraction of places where the right letter is the more probable one, `her` the same over the places for "her"; `letters` is
    the fraction of all letters of the windows that are predicted rightly.
    Raises ValueError for a text that does not have both.
    """
    found = find_places(text, writer.positions)
    if len({place.right for place in found}) < 2:
        raise ValueError("to compare them, a text needs both a 'his' and a 'her' behind a word for a man or a woman, such as king or queen")
    places, times = list(found), np.array(list(found.values()))
    her = np.array([place.right == "e" for place in places])
    pieces = windows(text, writer.positions, count)
    rules = simple_rules(pieces)
    asked, habits = head_weights(writer, [place.prompt for place in places]), head_weights(writer, pieces)
    table = {}
    for (block, head), weights in habits.items():
        habit, ablated = by_distance(weights), without_head(writer.params, block=block, head=head)
        decider = on_decider(asked[block, head], places)
        usual = [habit[len(place.prompt) - place.end : len(place.prompt) - place.start].sum() for place in places]
        table[block, head] = {
            "near": habit[:NEAR].sum(),
            "rule": max(followed(weights, targets) for targets in rules.values()),
            "decider": np.average(decider, weights=times),
            "women": np.average(decider[her], weights=times[her]),
            "men": np.average(decider[~her], weights=times[~her]),
            "habit": np.average(usual, weights=times),
            **_marks(choose(writer, places, ablated), her, times),
            "letters": letters_right(writer, pieces, ablated),
        }
    return {"places": times.sum(), **_marks(choose(writer, places), her, times), "letters": letters_right(writer, pieces), "heads": table}


def _marks(sure, her, times):  # -> {"right", "her"}
    return {"right": np.average(sure > 0.5, weights=times), "her": np.average(sure[her] > 0.5, weights=times[her])}
