"""Answers of a writer to one prompt, many at once, and the wish that each of them meets or does not."""

from dataclasses import dataclass

import torch

from pencil.model.cache import Cache
from pencil.model.preference import token_log_probs

PROMPT = "\n"  # a new line: what follows is the first sentence of a review
END = ".!?\n"


def wish(sentence):  # str -> bool
    """A whole sentence, and no letter e in it."""
    return sentence[-1:] in (".", "!", "?") and "e" not in sentence.lower()


@dataclass(frozen=True)
class Answers:
    """Rows of tokens, each the prompt and an answer.

    Args:
        ids: (n, T + 1), the prompt and the answer; what stands behind the answer's end means nothing.
        mask: (n, T), True where the next token belongs to the answer.
        rewards: (n,), 1 where the wish is met, else 0.
        texts: the answers as text.
    """

    ids: torch.Tensor
    mask: torch.Tensor
    rewards: torch.Tensor
    texts: tuple

    def __len__(self):
        return len(self.ids)

    def take(self, index):  # (k,) -> Answers
        """Some of them, or all in another order."""
        return Answers(self.ids[index], self.mask[index], self.rewards[index], tuple(self.texts[i] for i in index))

    def log_probs(self, model):  # -> (n, T), 0 where the next token is not the answer's
        """The log-probability that a model gives to each token of each answer."""
        return token_log_probs(model(self.ids[:, :-1]), self.ids[:, 1:]) * self.mask


@torch.no_grad()
def write_answers(writer, count, generator, asked=wish):  # TinyGPT -> Answers
    """Sample `count` answers to the prompt at temperature 1, each until its sentence ends or no position is left.

    - `generator`: a torch.Generator, which makes the draw repeatable
    - `asked`: the wish, a function of the text
    """
    model, tokenizer = writer.model.eval(), writer.tokenizer
    prompt = torch.tensor(tokenizer.encode(PROMPT)).expand(count, -1)
    ends = torch.tensor([i for i, piece in enumerate(tokenizer.pieces) if piece in END])
    ids, new, cache, done, mask = prompt, prompt, Cache(), torch.zeros(count, dtype=torch.bool), []
    for _ in range(len(model.positions) + 1 - prompt.shape[1]):
        probs = model(new, cache=cache)[:, -1].softmax(-1)
        new = torch.multinomial(probs, 1, generator=generator)
        ids, mask = torch.cat([ids, new], 1), [*mask, ~done]
        done = done | torch.isin(new[:, 0], ends)
    mask = torch.stack(mask, 1)
    front = torch.zeros(count, prompt.shape[1] - 1, dtype=torch.bool)
    mask = torch.cat([front, mask], 1)
    texts = tuple(tokenizer.decode(row[1:][keep].tolist()) for row, keep in zip(ids, mask, strict=True))
    return Answers(ids, mask, torch.tensor([float(asked(text)) for text in texts]), texts)
