"""The machine of 2017: a reader, and a writer that asks what the reader has read (Vaswani et al. 2017, figure 1)."""

from pencil.model.config import GPT2, Config
from pencil.model.decoder import Decoder
from pencil.model.encoder import Encoder
from pencil.model.masks import key_mask, padding_mask
from pencil.model.part import Part, within


class EncoderDecoder(Part):
    """Both halves; the writer's blocks ask the reader's rows.

    `sizes` is a pair of Configs (reader, writer), one Config for both, or an EncoderDecoder bundle.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, padding=True):
        super().__init__()
        if isinstance(sizes, Config):
            sizes = (sizes, sizes)
        reader, writer = sizes if isinstance(sizes, tuple) else (sizes.encoder, sizes.decoder)
        if isinstance(writer, Config):
            writer = writer.asking(reader.d_model)
        self.encoder = Encoder(reader, recipe, dropout, padding)
        self.decoder = Decoder(writer, recipe, dropout, padding, cross=True)

    def forward(self, source, target, note=None):  # (..., S) (..., T) -> (..., T, rows)
        """The scores after each word of the target. Names are filed as encoder.… and decoder.… ."""
        memory, memory_mask = self.read(source, note)
        return self.decoder(target, within(note, "decoder"), None, memory, memory_mask)

    def read(self, source, note=None):  # (..., S) -> (..., S, d_model), (..., 1, S) or None
        """The source, read once: `decoder(ids, cache=cache, memory=memory, memory_mask=memory_mask)` then writes word by word."""
        memory = self.encoder(source, within(note, "encoder"))
        return memory, key_mask(padding_mask(source), note) if self.encoder.padding else None
