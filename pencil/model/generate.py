"""What comes next, by a decoder with a cache: the function that `pencil.reference.speculate` writes with."""

import torch

from pencil.model.cache import Cache
from pencil.reference.generate import probabilities


class NextToken:
    """The probabilities of the token behind a text, and behind each of its last few tokens.

    It remembers the text that it was asked about. Where the next one goes on from it, only the new tokens are run; where it parts from
    it, as after a rejected draft, the cache is rolled back to there.

    Args:
        model: a Decoder without padding, in eval mode.
        sampling: t, k and p, as in `pencil.reference.probabilities`; k=1 is greedy.
    """

    def __init__(self, model, **sampling):
        self.model, self.sampling, self.cache, self.ids = model, sampling, Cache(), []

    @torch.inference_mode()
    def __call__(self, ids, rows=1):  # list of ids -> (rows, V) ndarray, double
        """The probabilities behind each of the last `rows` tokens. Raises ValueError as the model does, and for fewer tokens than rows."""
        if not 1 <= rows <= len(ids):
            raise ValueError(f"rows={rows} and {len(ids)} tokens; ask for 1 row or more, each behind a token of the text")
        parting = next((i for i, (here, there) in enumerate(zip(self.ids, ids, strict=False)) if here != there), len(self.ids))
        self.cache.crop(min(parting, len(ids) - rows))
        new = torch.tensor([ids[self.cache.length :]], device=self.model.embedding.device)
        logits = self.model(new, cache=self.cache)[0, -rows:].cpu().double().numpy()  # on the CPU first: mps has no float64
        self.ids = list(ids)
        return probabilities(logits, **self.sampling)
