"""Generation: `generate` continues a batch of prompts, `NextToken` gives next-token probabilities as `pencil.reference.speculate` takes them."""

from numbers import Integral

import torch

from pencil.model.cache import Cache
from pencil.model.transformers import Decoder
from pencil.reference.contracts import check_number, check_size
from pencil.reference.generation import TOLERANCE, probabilities


def generate(model, prompts, *, max_new_tokens, temperature=1.0, top_k=None, top_p=None, end=None, n_pieces=None, generator=None):  # -> list of lists
    """The new ids of each prompt, sampled with a cache, all prompts in one batch.

    Args:
        model: a Decoder, in eval mode.
        prompts: lists of ids, or 1-D tensors; they may differ in length.
        max_new_tokens: how many ids a prompt gets at most.
        temperature: divides the logits; 0 takes the most probable token (greedy).
        top_k, top_p: as in `pencil.reference.probabilities`; None leaves the step out.
        end: an id, or several, after which a text is finished; it is the last of its ids. None and () go on.
        n_pieces: how many ids have a piece; those beyond, which only fill the embedding up, are never drawn. None is all.
        generator: a torch.Generator on the model's device; None is torch's own.

    Raises ValueError for another model, for no prompt or an empty one, for ids that are no whole numbers, for a negative temperature,
    for a top_k below 1, for a top_p outside 0 to 1, for a model that is in training, and as the model does.
    """
    _check_sampling(model, prompts, max_new_tokens, temperature, top_k, top_p, n_pieces)
    with torch.inference_mode():
        return _generated(model, prompts, max_new_tokens, (temperature, top_k, top_p), _ends(end), n_pieces, generator)


def _generated(model, prompts, count, sampling, ends, n_pieces, generator):
    device = model.embedding.device
    texts = [torch.as_tensor(prompt, device=device) for prompt in prompts]
    ids, lengths = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True), torch.tensor([len(text) for text in texts], device=device)
    is_token = torch.arange(ids.shape[1], device=device) < lengths[:, None]
    padding = {} if is_token.all() and not model.padding else {"padding_mask": is_token}  # every id of a prompt is a token
    cache, written, ends = Cache(), [], torch.tensor(ends, dtype=torch.long, device=device)
    finished = torch.zeros(len(texts), dtype=torch.bool, device=device)
    logits = model(ids, cache=cache, **padding)[torch.arange(len(texts)), lengths - 1]
    for step in range(count):
        new = _draw(logits[:, :n_pieces], *sampling, generator)
        written.append(new.masked_fill(finished, -1))
        finished = finished | torch.isin(new, ends)
        if step + 1 == count or (len(ends) and finished.all()):
            break
        padding = {name: torch.ones_like(new, dtype=torch.bool)[:, None] for name in padding}
        logits = model(new[:, None], cache=cache, **padding)[:, -1]
    return [[token for token in row if token >= 0] for row in torch.stack(written, 1).tolist()]


def _draw(logits, temperature, top_k, top_p, generator):  # (B, V) -> (B,)
    if temperature == 0:
        return logits.argmax(-1)
    logits = logits.float() if logits.dtype in (torch.bfloat16, torch.float16) else logits
    logits = (logits - logits.amax(-1, keepdim=True)) / temperature  # so that a small temperature gives −∞ and no NaN
    return torch.multinomial(_probabilities(logits.nan_to_num(0.0), top_k, top_p), 1, generator=generator)[:, 0]


def _probabilities(logits, top_k, top_p):  # (B, V) -> (B, V): `pencil.reference.probabilities` in torch; of equal logits the first is ahead
    if top_k is None and top_p is None:
        return logits.softmax(-1)
    ordered, order = torch.sort(logits, dim=-1, descending=True, stable=True)
    if top_k is not None:
        ordered[:, top_k:] = -torch.inf
    if top_p is not None:
        probs = ordered.double().softmax(-1)
        ordered = ordered.masked_fill((probs.cumsum(-1) - probs) * (1 + TOLERANCE) >= top_p, -torch.inf)
    return torch.zeros_like(logits).scatter(-1, order, ordered.softmax(-1))


def _ends(end):  # -> list of int
    ends = [] if end is None else [end] if isinstance(end, Integral) else list(end)
    if other := next((each for each in ends if not isinstance(each, Integral)), None):
        raise ValueError(f"end={other!r} is no id; give a whole number, or several")
    return [int(each) for each in ends]


def _check_sampling(model, prompts, max_new_tokens, temperature, top_k, top_p, n_pieces):
    if not isinstance(model, Decoder):
        raise ValueError(f"a {type(model).__name__} does not generate; hand in a Decoder")
    if any(isinstance(prompt, Integral) for prompt in prompts):
        raise ValueError("a prompt is a list of ids, and prompts a list of them: [[3, 1, 4]]")
    if not len(prompts) or not all(len(prompt) for prompt in prompts):
        raise ValueError("a prompt is empty, or there is none: give each text at least one id to go on from")
    if model.training:
        raise ValueError("the model is in training, where dropout may be on; call model.eval() first")
    check_number("temperature", temperature, least=0)
    rows = len(model.embedding)
    for name, size in (("max_new_tokens", max_new_tokens), ("top_k", 1 if top_k is None else top_k), ("n_pieces", n_pieces or rows)):
        check_size(name, size)
    if n_pieces == 0 or (n_pieces or 0) > rows:
        raise ValueError(f"n_pieces={n_pieces} of a vocabulary of {rows}; from 1 to {rows} have a piece")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p={top_p}; it is a share of the whole, above 0 and at most 1")


class NextToken:
    """A function from a text to the probabilities of the next token, after its last token or each of its last few.

    It keeps a cache of the previous text. Only the tokens after the longest common prefix are run; the cache is cropped to that prefix,
    as after a rejected draft, or with linear attention to as much of it as the cache can go back to.

    Args:
        model: a Decoder without padding, in eval mode.
        temperature: divides the logits.
        top_k, top_p: as in `pencil.reference.probabilities`; None leaves the step out, top_k=1 is greedy.
        n_pieces: how many ids have a piece; those beyond, which only fill the embedding up, get no probability. None is all.
    """

    def __init__(self, model, *, temperature=1.0, top_k=None, top_p=None, n_pieces=None):
        self.model, self.n_pieces, self.cache, self.ids = model, n_pieces, Cache(), []
        self.sampling = {"temperature": temperature, "top_k": top_k, "top_p": top_p}

    @torch.inference_mode()
    def __call__(self, ids, rows=1):  # list of ids -> (rows, V) ndarray, double
        """The probabilities after each of the last `rows` tokens. Raises ValueError as the model does, and for fewer tokens than rows."""
        if not 1 <= rows <= len(ids):
            raise ValueError(f"rows={rows} and {len(ids)} tokens; ask for 1 row or more, one token of the text each")
        common = next((i for i, (here, there) in enumerate(zip(self.ids, ids, strict=False)) if here != there), len(self.ids))
        self.cache.crop(self.cache.longest(min(common, len(ids) - rows)))
        new = torch.tensor([ids[self.cache.length :]], device=self.model.embedding.device)
        logits = self.model(new, cache=self.cache)[0, -rows:, : self.n_pieces].cpu().double().numpy()  # on the CPU first: mps has no float64
        self.ids = list(ids)
        return probabilities(logits, **self.sampling)
