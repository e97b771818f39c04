"""Whole models of token ids.

`Encoder`: every position attends to all others (BERT: Devlin et al. 2019). `Decoder`: each position attends to itself and to earlier
ones, and has a logit for each next token (GPT: Radford et al. 2018). `EncoderDecoder`: a decoder with cross-attention to the
encoder's rows (Vaswani et al. 2017, figure 1).
"""

from dataclasses import replace

import torch
import torch.nn.functional as F

from pencil.model.blocks import Stack
from pencil.model.config import Config
from pencil.model.functional import norm_of
from pencil.model.masks import can_inspect, check_ids, check_padding_at_end, key_mask, token_after_padding
from pencil.model.masks import padding_mask as not_padding
from pencil.model.module import Module, check_eval, config_of, dropout, look_up, named, new_embedding
from pencil.model.positions import add_positions, positions_in_text
from pencil.note import scoped


class Backbone(Module):
    """What encoder and decoder share: token embedding, position embedding (learned, fixed or none), and a stack of blocks.

    Args:
        params: EncoderParams or DecoderParams, of which the shapes are used.
        config: a BlockConfig.
        dropout: the dropout probability in training, of the embeddings and in each block.
        padding: whether id 0 is padding, which is masked (in GPT-2 it is "!").
        learned: whether the position embedding is new and learned; otherwise it has the params' numbers and does not learn.
    """

    def __init__(self, params, config, *, dropout, padding, learned=True):
        super().__init__()
        self.config, self.dropout, self.padding = config, dropout, padding
        self.embedding = new_embedding(params.embedding)
        self.positions = None if params.positions is None else new_positions(params.positions, learned)
        self.token_types = self.embedding_norm = None  # an encoder may have them
        self.stack = Stack(params.blocks, config, dropout=dropout, norm=params.norm)

    def embed(self, ids, *, start=0, positions=None, token_type_ids=None, note=None):  # (..., T) -> (..., T, d_model)
        """Token embeddings, with token types and position embeddings added if there are any, and then normalized if there is a norm for it.

        `start` and `positions` are as in `add_positions`, `token_type_ids` as in `Encoder.forward`. Raises ValueError as `check_ids` does,
        for token_type_ids without token types, and for more tokens than positions.
        """
        check_eval(self, note)
        check_ids(ids)
        if self.token_types is None and token_type_ids is not None:
            raise ValueError("token_type_ids, and the encoder has no token types; leave them out, or give the Config n_token_types")
        x = named(note, "embedding", look_up(ids, self.embedding))
        if self.config.scale_embeddings:
            x = named(note, "scaled_embedding", x * x.shape[-1] ** 0.5)
        if self.token_types is not None:
            x = named(note, "typed", x + (self.token_types[0] if token_type_ids is None else look_up(token_type_ids, self.token_types)))
        x = x if self.positions is None else add_positions(x, self.positions, start=start, positions=positions, note=note)
        x = x if self.embedding_norm is None else self.embedding_norm(x, note=scoped(note, "embedding_norm"))
        return dropout(x, self.dropout, self.training)

    def arrays(self):
        """embedding, positions, token_types, embedding_norm.…, block1.…, norm.…"""
        tables = {"embedding": self.embedding, "positions": self.positions, "token_types": self.token_types}
        norm = {} if self.embedding_norm is None else {f"embedding_norm.{name}": view for name, view in self.embedding_norm.arrays().items()}
        return {name: table for name, table in tables.items() if table is not None} | norm | self.stack.arrays()


class Encoder(Backbone):
    """Token and position embeddings, then the blocks (Vaswani et al. 2017, 3.1).

    Args:
        sizes: a Config, or EncoderParams, of which the shapes are used.
        config: a BlockConfig (pre- or post-norm, eps, activation, position encoding); only beside params, where None is BlockConfig().
        dropout: the dropout probability in training.
        padding: whether id 0 is padding, which is masked; False makes it a token like any other.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, padding=True):
        drawn, config = isinstance(sizes, Config), config_of(sizes, config)
        params, learned = sizes.encoder_params() if drawn else sizes, not (drawn and sizes.sinusoidal)
        super().__init__(params, config, dropout=dropout, padding=padding, learned=learned)
        self.token_types = None if params.token_types is None else new_embedding(params.token_types)
        self.embedding_norm = norm_of(params.embedding_norm, config, params.embedding.shape[-1])

    def forward(self, ids, *, token_type_ids=None, note=None):  # (..., T) -> (..., T, d_model)
        """One row for each position.

        Args:
            ids: (…, T) integers below the size of the vocabulary.
            token_type_ids: (…, T) integers, the row of the token types for each token; None is row 0 for all.
            note: a function of (name, value).

        Raises ValueError as `embed` does; for a text of padding only see `key_mask`.
        """
        is_token = not_padding(ids) if self.padding else None
        mask = None if is_token is None else key_mask(is_token, note=note)
        return self.stack(self.embed(ids, token_type_ids=token_type_ids, note=note), mask=mask, padding_mask=is_token, note=note)


def new_positions(array, learned):  # (max_len, d) -> Parameter
    """A position embedding: new and learned, or the array's own numbers, which do not learn (the sinusoidal ones)."""
    if learned:
        return new_embedding(array)
    return torch.nn.Parameter(torch.tensor(array, dtype=torch.get_default_dtype()), requires_grad=False)


class Decoder(Backbone):
    """A logit for each token of the vocabulary, at every position (GPT-2: Radford et al. 2019; with a memory: Vaswani et al. 2017).

    Args:
        sizes: a Config, or DecoderParams, of which the shapes are used.
        config: a BlockConfig (pre- or post-norm, eps, activation, position encoding); only beside params, where None is BlockConfig().
        dropout: the dropout probability in training.
        padding: whether id 0 is padding, which is masked; by default it is a token like any other, as in GPT-2. Padding best
            comes at the end of a text. A token after padding has the position after the last token before it, with a cache
            and without one; the reference would count the padding, so with a note such a text is refused.
        cross: whether the blocks of a Config have cross-attention.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, padding=False, cross=False):
        drawn, config = isinstance(sizes, Config), config_of(sizes, config)
        params = sizes.decoder_params(cross) if drawn else sizes
        super().__init__(params, config, dropout=dropout, padding=padding, learned=not (drawn and sizes.sinusoidal))
        self.output = None if params.output is None else new_embedding(params.output)  # None: tied to the embedding (Press and Wolf 2017)

    def forward(self, ids, *, padding_mask=None, memory=None, memory_mask=None, cache=None, note=None):  # (..., T) -> (..., T, vocab_size)
        """The logits. With a cache the ids are only the new ones; the cache holds what came before.

        Args:
            ids: (…, T) integers below the size of the vocabulary.
            padding_mask: (…, T) bool, False for padding; None asks `padding`. With a cache it is given at every call, or at none.
            memory: (…, S, d_memory) rows of another text, for blocks with cross-attention.
            memory_mask: (…, 1 or T, S) bool, True where a position may attend to the memory.
            cache: a Cache. A padded text continues at the position after its own last token.
            note: a function of (name, value); not together with a cache.

        Raises ValueError for a padding_mask of another shape, for more tokens than positions or than the cache's max_len, with a note
        for a token after padding, and as `Stack` does.
        """
        start, is_token = 0 if cache is None else cache.length, padding_mask
        if is_token is not None and (is_token.dtype != torch.bool or is_token.shape != ids.shape):
            raise ValueError(f"a padding_mask of {is_token.dtype} {tuple(is_token.shape)} for ids {tuple(ids.shape)}; give each id True or False")
        if is_token is None and self.padding:
            is_token = not_padding(ids)
        if start and (is_token is None) != (cache.padding_mask is None):
            raise ValueError(
                "the cache was begun with a padding_mask and this call has none, or the other way round; give it at every call or at none"
            )
        if start and is_token is not None:
            is_token = torch.cat([cache.padding_mask, is_token], -1)
        mask = None if is_token is None else key_mask(is_token, note=note)
        positions = None if mask is None else _padded_positions(is_token, start, note)
        x = self.embed(ids, start=start, positions=None if positions is None else positions[..., start:], note=note)
        padding = {"mask": mask, "padding_mask": None if is_token is None else is_token[..., start:]}
        x = self.stack(x, **padding, memory=memory, memory_mask=memory_mask, causal=True, cache=cache, positions=positions, note=note)
        if cache is not None:
            cache.padding_mask = is_token
        return named(note, "logits", F.linear(x, self.embedding if self.output is None else self.output))

    def arrays(self):
        """embedding, positions, block1.…, norm.…, output."""
        return super().arrays() | ({} if self.output is None else {"output": self.output})


def _padded_positions(is_token, start, note):  # (..., S) -> (..., S), or None for 0, 1, 2, …
    """The position of each token in its own text: padding counts for none, so that a plain run agrees with one by a cache."""
    if note is not None:
        check_padding_at_end(is_token)
        return None
    if start == 0 and can_inspect(is_token) and not token_after_padding(is_token):
        return None
    return positions_in_text(is_token)


class EncoderDecoder(Module):
    """An encoder, and a decoder with cross-attention to the encoder's rows.

    Args:
        sizes: a pair of Configs (encoder, decoder) as a tuple or a list, one Config for both, or EncoderDecoderParams, of which the shapes are used.
        config: a BlockConfig (pre- or post-norm, eps, activation, position encoding); only beside params, where None is BlockConfig().
        dropout: the dropout probability in training.
        padding: whether id 0 is padding, which is masked.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, padding=True):
        super().__init__()
        config_of(sizes, config)  # refuses what is neither
        pair = (sizes, sizes) if isinstance(sizes, Config) else sizes
        encoder, decoder = pair if isinstance(pair, tuple | list) else (sizes.encoder, sizes.decoder)
        if isinstance(decoder, Config):
            decoder = replace(decoder, d_memory=encoder.d_model)
        self.encoder = Encoder(encoder, config, dropout=dropout, padding=padding)
        self.decoder = Decoder(decoder, config, dropout=dropout, padding=padding, cross=True)

    def forward(self, source, target, *, note=None):  # (..., S) (..., T) -> (..., T, vocab_size)
        """The logits after each token of the target. Names have encoder. and decoder. in front."""
        memory, memory_mask = self.encode(source, note=note)
        return self.decoder(target, memory=memory, memory_mask=memory_mask, note=scoped(note, "decoder"))

    def encode(self, source, *, note=None):  # (..., S) -> (..., S, d_model), (..., 1, S) or None
        """The source's rows and their mask: `decoder(ids, memory=memory, memory_mask=memory_mask, cache=cache)` then writes token by token."""
        memory = self.encoder(source, note=scoped(note, "encoder"))
        return memory, key_mask(not_padding(source), note=note) if self.encoder.padding else None
