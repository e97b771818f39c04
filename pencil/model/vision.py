"""The vision transformer (Dosovitskiy et al. 2021): patches of an image as tokens, a class token, positions in two dimensions."""

import torch

from pencil.model.blocks import Stack
from pencil.model.config import Config
from pencil.model.module import Module, check_eval, config_of, dropout, linear, linear_arrays, named, new_embedding
from pencil.model.pooling import first_token, mean_pool
from pencil.model.positions import add_positions, sinusoidal
from pencil.model.transformers import new_positions
from pencil.note import scoped
from pencil.reference.positions import BASE
from pencil.reference.vision import check_positions, patch_size


def patchify(images, *, size, note=None):  # (..., C, H, W) -> (..., patches, C·size²)
    """Cut into squares that do not overlap, each flattened to a row (Dosovitskiy et al. 2021, 3.1).

    With a linear layer after it this is a convolution with stride `size`.

    Args:
        images: (…, C, H, W).
        size: the side of a patch.
        note: a function of (name, value), called with patch.

    Raises ValueError for an image that does not split into such squares.
    """
    height, width = images.shape[-2:]
    if size < 1 or height % size or width % size:
        raise ValueError(f"an image of {height}×{width} does not split into patches of {size}×{size}; take a size that divides both")
    squares = images.unflatten(-1, (width // size, size)).unflatten(-3, (height // size, size))  # (..., C, h, size, w, size)
    return named(note, "patch", squares.movedim((-4, -2), (-5, -4)).flatten(-3).flatten(-3, -2))


def prepend_class_token(class_token, vectors, *, note=None):  # (1, d) (..., n, d) -> (..., 1 + n, d)
    """The class token in front of the patch embeddings of each image; named sequence."""
    return named(note, "sequence", torch.cat([class_token.expand(*vectors.shape[:-2], 1, -1), vectors], -2))


def sinusoidal_2d(rows, columns, *, width, base=BASE, note=None):  # (R,) (C,) -> (R·C, width)
    """Sinusoidal positions in two dimensions: half of the columns encode a patch's row, half its column (He et al. 2022, in their code).

    Args:
        rows: (R,), the positions of the rows.
        columns: (C,), the positions of the columns.
        width: of the encoding.
        base: of the angles, as in `sinusoid`.
        note: a function of (name, value).

    Raises ValueError for a width that does not split into two halves of pairs.
    """
    if width % 4:
        raise ValueError(f"two sinusoidal halves are made of pairs, and the width is {width}; take a multiple of 4")
    by_row = sinusoidal(rows, width=width // 2, base=base, note=scoped(note, "rows")).repeat_interleave(len(columns), 0)
    by_column = sinusoidal(columns, width=width // 2, base=base, note=scoped(note, "columns")).repeat(len(rows), 1)
    return named(note, "encoding", torch.cat([by_row, by_column], -1))


class ViT(Module):
    """Patch embeddings, class token, positions, blocks, and class logits of the first row; of the mean without a class token.

    Args:
        sizes: a Config, or ViTParams, of which the shapes are used.
        config: a BlockConfig (pre- or post-norm, eps, activation, position encoding); only beside params, where None is BlockConfig().
        dropout: the dropout probability in training.
        channels: of an image, for params; a Config has its own. Images are (…, C, H, W). With one channel they
            are (…, H, W), or (B, 1, H, W) as elsewhere in torch: of four axes or more, a third from the end of size 1 is the channel.

    Raises ValueError for params whose patches are no squares.
    """

    def __init__(self, sizes, config=None, *, dropout=0.0, channels=1):
        super().__init__()
        drawn, config = isinstance(sizes, Config), config_of(sizes, config)
        params = sizes.vit_params() if drawn else sizes
        self.config, self.dropout, self.channels = config, dropout, sizes.channels if drawn else channels
        self.patch_size = patch_size(params.patch.shape[1], self.channels)
        self.patch = linear(*params.patch.shape, bias=params.patch_bias is not None)
        self.class_token = None if params.class_token is None else new_embedding(params.class_token)
        self.positions = None if params.positions is None else new_positions(params.positions, not (drawn and sizes.sinusoidal))
        self.stack = Stack(params.blocks, config, dropout=dropout, norm=params.norm)
        self.head = linear(*params.head.shape, bias=params.head_bias is not None)

    def forward(self, image, *, note=None):  # (..., H, W) or (..., C, H, W) -> (..., classes)
        """A logit for each class. Raises ValueError unless there is one position for each row."""
        rows = self.rows(image, note=note)
        pooled = (mean_pool if self.class_token is None else first_token)(rows, note=note)
        return named(note, "logits", self.head(pooled))

    def rows(self, image, *, note=None):  # (..., H, W) or (..., C, H, W) -> (..., patches and class token, d_model)
        """The rows after the blocks."""
        check_eval(self, note)
        if self.channels == 1 and not (image.dim() > 3 and image.shape[-3] == 1):  # no axis of channels
            image = image.unsqueeze(-3)
        x = named(note, "embedding", self.patch(patchify(image, size=self.patch_size, note=note)))
        x = x if self.class_token is None else prepend_class_token(self.class_token, x, note=note)
        if self.positions is not None:
            check_positions(self.positions, x)
            x = add_positions(x, self.positions, note=note)
        return self.stack(dropout(x, self.dropout, self.training), note=note)

    def arrays(self):
        """patch, class_token, positions, block1.…, norm.…, head."""
        optional = {name: view for name in ("class_token", "positions") if (view := getattr(self, name)) is not None}
        return linear_arrays(self.patch, "patch") | optional | self.stack.arrays() | linear_arrays(self.head, "head")
