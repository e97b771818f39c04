"""A tiny GPT: the decoder of chapter 12, taught to write by a text."""

import json
from dataclasses import dataclass, replace

import numpy as np
import torch

from pencil.labs.loop import train
from pencil.labs.team import ALONE
from pencil.labs.training import Training
from pencil.labs.writing import Writing
from pencil.model.cache import Cache
from pencil.model.config import GPT2, Config
from pencil.model.decoder import Decoder
from pencil.model.weights import flat, load
from pencil.reference.byte_pairs import BytePairs, byte_pairs, chunks
from pencil.reference.ngrams import follow_chances, ngrams
from pencil.reference.sampling import chances, draw

SEALED = 0.1  # the end of the text, as in nanoGPT


@dataclass(frozen=True)
class Plan:
    """The sizes of a machine, how it is trained, how many byte pairs its tokens are joined by, and the windows of a pass.

    The sizes' `rows` are those of the alphabet, whatever stands there.
    """

    sizes: Config
    training: Training
    merges: int = 0
    windows: int | None = None


SPARING = {"eps": 1e-8, "decay": 0.1, "warm": 100, "fall": True, "clip": 1.0, "watch": "exam_loss"}
PLANS = {  # by the source of the text. Embedded: small enough for a page. Full: the sizes of nanoGPT's run on a CPU, and its 2,000 steps
    "embedded": Plan(Config(48, 4, n_blocks=2, max_len=48), Training(passes=30, batch=32, rate=6e-3, **SPARING), windows=3200),
    "full": Plan(Config(128, 4, n_blocks=4, max_len=64), Training(passes=10, batch=12, rate=1e-3, **SPARING), windows=2400),
}
IN_PAGE = PLANS["embedded"]


@dataclass(frozen=True)
class Writer:
    """A machine and the pieces that its ids stand for."""

    model: Decoder
    pieces: BytePairs


def alphabet(text, merges=0, letters=""):  # str -> BytePairs
    """The tokens of a text: its letters, and so many byte pairs on top; `letters` names further ones to know."""
    return byte_pairs(chunks(text), merges, letters)


def piles(text, merges=0, share=SEALED):  # str -> BytePairs, ids to learn from, ids that stay sealed
    """Cut off the end of the text. The pairs are learned from the beginning alone; of the end only its letters are known."""
    place = len(text) - int(share * len(text))
    pieces = alphabet(text[:place], merges, letters=text)
    return pieces, pieces.encode(text[:place]), pieces.encode(text[place:])


def machine(sizes, pieces, seed=0, dropout=0.0):  # Config, BytePairs -> Decoder at its first numbers
    """The sizes with a row of the table for each piece."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Decoder(replace(sizes, rows=len(pieces.pieces)), GPT2, dropout, padding=False)


def teach(text, plan=IN_PAGE, folder=None, team=ALONE, says="tiny GPT"):  # str -> Writer, Trained
    """Train on the text; the exam is its end."""
    pieces, study, sealed = piles(text, plan.merges)
    model = machine(plan.sizes, pieces, plan.training.seed)
    lesson = Writing(study, sealed, plan.sizes.max_len, plan.windows)
    return Writer(model, pieces), train(model, lesson, plan.training, folder, team, says=says)


def counted_loss(text, order, merges=0):  # -> float
    """The miss a token, on the same end of the text, of whoever has counted runs of so many tokens in the rest (see ngrams.py)."""
    pieces, study, sealed = piles(text, merges)
    return float(-np.log(follow_chances(ngrams(study, order, len(pieces.pieces)), sealed)).mean())


@torch.no_grad()
def write(writer, prompt="\n", count=200, temperature=1.0, k=None, p=None, seed=0):  # -> str, prompt and all
    """Write on from the prompt, `count` tokens: work the shares of the next, draw one, put it behind, and ask again.

    The cache keeps what was worked. When all seats are taken the later half of the text takes seats anew, from the
    first. Raises ValueError for an empty prompt and for a letter that the machine does not know.
    """
    ids = writer.pieces.encode(prompt).tolist()
    if not ids:
        raise ValueError("the prompt is empty: there is nothing to go on from; give it at least a letter")
    model, seats, lots = writer.model.eval(), len(writer.model.seats), np.random.default_rng(seed)
    device, cache, new = model.table.device, Cache(), ids[-seats:]
    for _ in range(count):
        if cache.length + len(new) > seats:
            cache, new = Cache(), ids[-(seats + 1) // 2 :]
        scores = model(torch.tensor([new], device=device), cache=cache)[0, -1].double().cpu().numpy()
        new = [int(draw(chances(scores, temperature, k, p), lots.random()))]
        ids += new
    return writer.pieces.decode(ids)


def save(file, writer):
    """A checkpoint that any library can read: the arrays by their flat names, the sizes and the pieces beside them."""
    from safetensors.numpy import save_file

    model = writer.model
    attention = model.stack.blocks[0].attention
    sizes = {"d_model": model.table.shape[1], "n_heads": attention.n_heads, "n_blocks": len(model.stack.blocks), "max_len": len(model.seats)}
    told = {"sizes": sizes, "pieces": writer.pieces.pieces, "merges": writer.pieces.merges}
    save_file(flat(model), file, {name: json.dumps(value) for name, value in told.items()})


def opened(file):  # -> Writer
    """The writer of a checkpoint. Raises ValueError for a file that `save` did not write."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, "numpy") as kept:
            told = {name: json.loads(value) for name, value in (kept.metadata() or {}).items() if name in ("sizes", "pieces", "merges")}
            arrays = {name: kept.get_tensor(name) for name in kept.keys()}  # noqa: SIM118 (no dictionary)
    except (SafetensorError, OSError, json.JSONDecodeError) as wrong:
        raise ValueError(
            f"{file} is no checkpoint that can be read ({wrong}); `python -m pencil lab tiny-gpt --checkpoint FILE` trains one"
        ) from None
    if len(told) < 3:
        raise ValueError(f"{file} does not say its sizes, pieces and merges; `python -m pencil lab tiny-gpt --checkpoint FILE` writes one that does")
    pieces = BytePairs(tuple(map(tuple, told["merges"])), tuple(told["pieces"]))
    return Writer(load(machine(Config(**told["sizes"]), pieces), arrays), pieces)
