"""What each head of the page's writer attends to where it must choose between "his" and "her", and how it chooses without that head."""

import re
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from pencil.experiments.exported import CONFIG
from pencil.note import no_note
from pencil.reference import causal_mask, stable_softmax, stack, unembed
from pencil.reference.transformers import embed_tokens

HE = ("king", "prince", "man", "boy", "father", "brother", "son", "grandfather", "husband", "uncle", "he")
SHE = ("queen", "princess", "woman", "girl", "mother", "sister", "daughter", "grandmother", "wife", "aunt", "she")
PERSON = re.compile(rf"\b({'|'.join(HE + SHE)})\b")
NEAR = 4  # characters: the one that asks, and three before it


@dataclass(frozen=True)
class Place:
    """A sentence up to the h of "his" or "her", and where in it the word stands that decides: the last one for a man or a woman."""

    prompt: str
    start: int
    end: int
    right: str  # the letter that follows, "i" or "e"

    @property
    def wrong(self):
        """The letter that does not."""
        return "e" if self.right == "i" else "i"


def find_places(text, longest):  # str -> Counter of Place
    """Every "his" and "her" of a text behind a word for a man or a woman, within its sentence and its last `longest` characters."""
    found = Counter()
    for sentence in re.split(r"(?<=[.!?])\s", text):
        for pronoun in re.finditer(r"\bh(?=(is|er)\b)", sentence):
            prompt = sentence[: pronoun.end()][-longest:]
            if persons := list(PERSON.finditer(prompt)):
                found[Place(prompt, *persons[-1].span(), pronoun[1][0])] += 1
    return found


def run(writer, prompts, params=None, note=no_note):  # PageWriter, list of str -> (N, T, vocabulary) probabilities of the next character
    """Read all prompts at once. What fills a shorter one up stands behind it, where the causal mask hides it."""
    longest, params = max(map(len, prompts)), params or writer.params
    ids = np.array([np.pad(writer.ids(prompt), (0, longest - len(prompt))) for prompt in prompts])
    x = stack(embed_tokens(ids, params), params.blocks, note=note, mask=causal_mask(longest), config=CONFIG, norm=params.norm)
    return stable_softmax(unembed(x, params))


def without_head(params, name):  # DecoderParams, (block, head) counted from 1 -> DecoderParams
    """The same parameters, but that the values of one head are 0 (Michel et al. 2019)."""
    block, head = (number - 1 for number in name)
    layer = params.blocks[block].attention
    silent = replace(layer.heads[head], value=0 * layer.heads[head].value, value_bias=0 * layer.heads[head].value_bias)
    heads = (*layer.heads[:head], silent, *layer.heads[head + 1 :])
    changed = replace(params.blocks[block], attention=replace(layer, heads=heads))
    return replace(params, blocks=(*params.blocks[:block], changed, *params.blocks[block + 1 :]))


def head_weights(writer, prompts):  # -> {(block, head): (N, T, T) attention weights}
    """The weights of every head at every character."""
    noted = {}
    run(writer, prompts, note=noted.setdefault)
    names = [(b, h) for b, block in enumerate(writer.params.blocks, 1) for h in range(1, len(block.attention.heads) + 1)]
    return {(b, h): noted[f"block{b}.head{h}.weights"] for b, h in names}


def choose(writer, places, params=None):  # list of Place -> (N,) of "i" and "e" alone, the probability of the right one
    """How sure the writer is of the right letter."""
    probs = run(writer, [place.prompt for place in places], params)
    right, wrong = (
        np.array([row[len(place.prompt) - 1, writer.vocabulary.index(getattr(place, which))] for row, place in zip(probs, places, strict=True)])
        for which in ("right", "wrong")
    )
    return right / (right + wrong)


def by_distance(weights):  # (N, T, T) -> (T,)
    """The mean weight of the character so many places back, over the places that have one so far back."""
    return np.array([weights.diagonal(-k, axis1=1, axis2=2).mean() for k in range(weights.shape[-1])])


def on_decider(weights, places):  # (N, T, T), list of Place -> (N,)
    """The weight of the word that decides, for the last character of each prompt."""
    return np.array([row[len(place.prompt) - 1, place.start : place.end].sum() for row, place in zip(weights, places, strict=True)])


def simple_rules(prompts):  # strings of one length -> {rule: (N, T, T) bool}
    """Which characters three simple rules would have a head attend to: the one before, the first of the word, the same one earlier."""
    letters = np.array([list(prompt) for prompt in prompts])
    at = np.arange(letters.shape[1])
    begins = np.stack([np.maximum.accumulate(np.where(~np.char.isalpha(row), at + 1, 0)) for row in letters])
    same = (letters[:, :, None] == letters[:, None, :]) & (at[:, None] > at)
    before = np.broadcast_to(at[:, None] == at + 1, same.shape)
    return {"before": before, "begins": (begins[:, :, None] == at) & (at[:, None] > at), "same": same}


def followed(weights, targets):  # (N, T, T), bool likewise -> float
    """The mean weight of the targets, over the places that have any."""
    has = targets.any(-1)
    return (weights * targets).sum(-1)[has].mean()


def held_out(text):  # str -> str
    """The end of a text, on which no writer is trained."""
    from pencil.experiments.writer.tiny_gpt import TEST_SHARE  # only here torch is needed

    return text[len(text) - int(TEST_SHARE * len(text)) :]


def windows(text, size, count):  # str -> list of str
    """The first `count` pieces of a text, one behind the other."""
    return [text[k * size : (k + 1) * size] for k in range(count)]


def measure(writer, text, count=40):  # PageWriter, str -> {"places", "right", "her", "heads": {(block, head): {what: number}}}
    """What the heads attend to at every "his" and "her" of a text and over `count` windows of it, and the choices with and without each.

    `right` is the part of all places where the right letter is the likelier one, `her` that of the places where it is an e.
    Raises ValueError for a text without such places.
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
    for name, weights in habits.items():
        habit = by_distance(weights)
        decider = on_decider(asked[name], places)
        usual = [habit[len(place.prompt) - place.end : len(place.prompt) - place.start].sum() for place in places]
        table[name] = {
            "near": habit[:NEAR].sum(),
            "rule": max(followed(weights, targets) for targets in rules.values()),
            "decider": np.average(decider, weights=times),
            "women": np.average(decider[her], weights=times[her]),
            "men": np.average(decider[~her], weights=times[~her]),
            "habit": np.average(usual, weights=times),
            **_marks(choose(writer, places, without_head(writer.params, name)), her, times),
        }
    return {"places": times.sum(), **_marks(choose(writer, places), her, times), "heads": table}


def _marks(sure, her, times):  # -> {"right", "her"}
    return {"right": np.average(sure > 0.5, weights=times), "her": np.average(sure[her] > 0.5, weights=times[her])}
