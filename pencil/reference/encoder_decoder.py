"""The machine of 2017: a reader, and a writer that asks what the reader has read (Vaswani et al. 2017, figure 1)."""

from dataclasses import dataclass

from pencil.reference.block import Recipe
from pencil.reference.decoder import Decoder, decoder
from pencil.reference.encoder import Encoder, encoder
from pencil.reference.masks import key_mask
from pencil.trace.notes import exact, under


@dataclass(frozen=True)
class EncoderDecoder:
    """Every learned number of both halves; the writer's blocks have cross grids."""

    encoder: Encoder
    decoder: Decoder


def encoder_decoder(source, target, machine, note=exact, recipe=Recipe()):  # (..., S) (..., T) -> (..., T, rows)
    """Read the source once; then each word of the target looks back at the target and across at the source.

    Names are filed as encoder.… and decoder.… . Source: Vaswani et al. 2017, 3.1. Raises ValueError as its parts do.
    """
    memory = encoder(source, machine.encoder, under(note, "encoder"), recipe)
    return decoder(target, machine.decoder, under(note, "decoder"), recipe, memory, key_mask(source))
