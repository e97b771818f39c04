"""Next-token probabilities of a decoder with a cache, as `pencil.reference.speculate` takes them."""

import torch

from pencil.model.cache import Cache
from pencil.reference.generate import probabilities


class NextToken:
    """A function from a text to the probabilities of the next token, after its last token or each of its last few.

    It keeps a cache of the previous text. Only the tokens after the longest common prefix are run; the cache is cropped to that prefix,
    as after a rejected draft.

    Args:
        model: a Decoder without padding, in eval mode.
        n_pieces: how many ids have a piece; those beyond, which only fill the embedding up, get no probability. None is all.
        sampling: t, k and p, as in `pencil.reference.probabilities`; k=1 is greedy.
    """

    def __init__(self, model, n_pieces=None, **sampling):
        self.model, self.n_pieces, self.sampling, self.cache, self.ids = model, n_pieces, sampling, Cache(), []

    @torch.inference_mode()
    def __call__(self, ids, rows=1):  # list of ids -> (rows, V) ndarray, double
        """The probabilities after each of the last `rows` tokens. Raises ValueError as the model does, and for fewer tokens than rows."""
        if not 1 <= rows <= len(ids):
            raise ValueError(f"rows={rows} and {len(ids)} tokens; ask for 1 row or more, one token of the text each")
        common = next((i for i, (here, there) in enumerate(zip(self.ids, ids, strict=False)) if here != there), len(self.ids))
        self.cache.crop(min(common, len(ids) - rows))
        new = torch.tensor([ids[self.cache.length :]], device=self.model.embedding.device)
        logits = self.model(new, cache=self.cache)[0, -rows:, : self.n_pieces].cpu().double().numpy()  # on the CPU first: mps has no float64
        self.ids = list(ids)
        return probabilities(logits, **self.sampling)
