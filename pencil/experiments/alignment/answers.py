"""Answers sampled from a model as a batch, and the reward function: the wish that an answer meets or not."""

from dataclasses import dataclass

import torch

from pencil.model.cache import Cache
from pencil.model.preference import token_log_probs

PROMPT = "\n"  # a review starts on a new line, so an answer is its first sentence
END = ".!?\n"


def wish(sentence):  # str -> bool
    """Whether a text is a complete sentence without the letter e."""
    return sentence[-1:] in (".", "!", "?") and "e" not in sentence.lower()


@dataclass(frozen=True)
class Answers:
    """A batch of answers.

    Args:
        ids: (n, T + 1) the prompt followed by the answer; tokens after the answer's end are to be ignored.
        mask: (n, T) True where the next token belongs to the answer.
        rewards: (n,) 1 if the wish is met, else 0.
        texts: the answers as text.
    """

    ids: torch.Tensor
    mask: torch.Tensor
    rewards: torch.Tensor
    texts: tuple

    def __len__(self):
        return len(self.ids)

    def take(self, index):  # (k,) -> Answers
        """The answers with these indices."""
        return Answers(self.ids[index], self.mask[index], self.rewards[index], tuple(self.texts[i] for i in index))

    def log_probs(self, model):  # -> (n, T)
        """The log-probability of each token of each answer under a model; 0 where the mask is False."""
        return token_log_probs(model(self.ids[:, :-1]), self.ids[:, 1:]) * self.mask


@torch.no_grad()
def write_answers(writer, count, generator, reward=wish):  # TinyGPT -> Answers
    """Sample `count` answers to the prompt at temperature 1, each until its sentence ends or all positions are used.

    - `generator`: a torch.Generator
    - `reward`: a function from the text of an answer to a number or bool
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
    return Answers(ids, mask, torch.tensor([float(reward(text)) for text in texts]), texts)
