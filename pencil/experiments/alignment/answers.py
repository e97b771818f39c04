"""Answers sampled from a model as a batch, and the reward function: 1 for an answer that meets the preference, else 0."""

from dataclasses import dataclass

import torch

from pencil.model.generation import generate
from pencil.model.preference import token_log_probs

PROMPT = "\n"  # a review starts on a new line, so an answer is its first sentence
END = ".!?\n"


def without_e(sentence):  # str -> bool
    """Whether a text is a complete sentence without the letter e."""
    return sentence[-1:] in (".", "!", "?") and "e" not in sentence.lower()


@dataclass(frozen=True)
class Answers:
    """A batch of answers.

    Args:
        ids: (n, T + 1) the prompt followed by the answer; tokens after the answer's end are to be ignored.
        mask: (n, T) True where the next token belongs to the answer.
        rewards: (n,) 1 if the preference is met, else 0.
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
def write_answers(writer, count, generator, reward=without_e):  # TinyGPT -> Answers
    """Sample `count` answers to the prompt at temperature 1, each until its sentence ends or all positions are used.

    - `generator`: a torch.Generator
    - `reward`: a function from the text of an answer to a number or bool
    """
    model, tokenizer, prompt = writer.model.eval(), writer.tokenizer, writer.tokenizer.encode(PROMPT).tolist()
    ends, room = [i for i, piece in enumerate(tokenizer.pieces) if piece in END], len(writer.model.positions) + 1 - len(prompt)
    answers = generate(model, [prompt] * count, max_new_tokens=room, end=ends, generator=generator)
    ids = torch.tensor([[*prompt, *answer, *[0] * (room - len(answer))] for answer in answers])
    column, length = torch.arange(1, ids.shape[1]), torch.tensor([[len(prompt) + len(answer)] for answer in answers])
    mask = (column >= len(prompt)) & (column < length)
    texts = tuple(tokenizer.decode(answer) for answer in answers)
    return Answers(ids, mask, torch.tensor([float(reward(text)) for text in texts]), texts)
