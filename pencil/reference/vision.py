"""The vision transformer (ViT: Dosovitskiy et al. 2021): an image cut into patches, a class token, 2-d positions, and the classifier."""

from dataclasses import dataclass
from math import isqrt

import numpy as np

from pencil.note import no_note, scoped
from pencil.reference.blocks import BlockConfig, stack
from pencil.reference.contracts import Array, check_size, shapes
from pencil.reference.functional import LayerNormParams, linear
from pencil.reference.pooling import first_token, mean_pool
from pencil.reference.positions import BASE, add_positions, sinusoidal


@shapes("... H W -> n_patches patch_dim")
def patchify(image, *, size, note=no_note):
    """Cut an image into square patches that do not overlap, one row for each patch (Dosovitskiy et al. 2021, 3.1).

    - `image`: (height, width), or (channels, height, width)
    - `size`: the side of a patch in pixels; a patch has channels · size² numbers

    Patches come row by row from the top left, the numbers of a patch channel by channel and in each row by row. Raises
    ValueError for an image whose sides are not multiples of `size`, and for more than one image.
    """
    channels, (height, width) = _channels(image), image.shape[-2:]
    if size < 1 or height % size or width % size:
        raise ValueError(f"an image of {height}×{width} does not split into patches of {size}×{size}; take a size that divides both")
    check_size("size", size)
    squares = image.reshape((channels, height // size, size, width // size, size)).transpose((1, 3, 0, 2, 4))
    return note("patch", squares.reshape((height * width // size**2, channels * size**2)))


def _channels(image):  # (H, W) or (C, H, W) -> their number
    if image.ndim not in (2, 3):
        raise ValueError(f"the image has the shape {image.shape}; give one image: (height, width) or (channels, height, width)")
    return 1 if image.ndim == 2 else len(image)


@shapes("1 d, n d -> rows d")
def prepend_class_token(class_token, vectors, *, note=no_note):
    """The class token in front of the other rows: a learned row, from which the class is read at the end (BERT: Devlin et al. 2019).

    - `class_token`: (1, d)
    - `vectors`: (n, d), one row for each patch; the result has one row more

    Raises ValueError for a token that is not one row of the vectors' width.
    """
    return note("sequence", np.concatenate([class_token, vectors]))


@shapes("R, C -> positions width")
def sinusoidal_2d(rows, columns, *, width, base=BASE, note=no_note):
    """Sinusoidal position encoding in two dimensions: half of the columns encode the patch's row, the other half its column.

    - `rows`, `columns`: (R,) and (C,), the positions along each side, such as np.arange(R); the result has R·C rows
    - `width`: the width of the encoding, a multiple of 4
    - `base`: see `sinusoid`

    Source: He et al. 2022 (Masked Autoencoders), in their code. Values are named rows.…, columns.… and encoding. Raises
    ValueError for another width.
    """
    if width % 4:
        raise ValueError(f"each half of the columns is pairs of a sine and a cosine, and the width is {width}; take a multiple of 4")
    by_row = sinusoidal(rows, width=width // 2, base=base, note=scoped(note, "rows"))
    by_column = sinusoidal(columns, width=width // 2, base=base, note=scoped(note, "columns"))
    row, column = np.divmod(np.arange(len(rows) * len(columns)), len(columns))
    return note("encoding", np.concatenate([by_row[row], by_column[column]], axis=-1))


@dataclass(frozen=True)
class ViTParams:
    """The parameters of a vision transformer. Without `positions` the order of the patches makes no difference."""

    patch: Array  # (d_model, patch_dim)
    blocks: tuple  # of BlockParams
    head: Array  # (n_classes, d_model)
    class_token: Array | None = None  # (1, d_model); without it the head reads the mean of the patches' rows
    positions: Array | None = None  # (rows, d_model), one for each row; the class token's first, where there is one
    norm: LayerNormParams | None = None  # after the last block
    patch_bias: Array | None = None  # (d_model,)
    head_bias: Array | None = None  # (n_classes,)


@shapes("... H W, params.patch: d_model patch_dim, params.head: n_classes d_model -> n_classes")
def vit(image, params, *, config=BlockConfig(), note=no_note):
    """The logits of each class: embed the patches, add class token and positions, run the blocks, and read the first row.

    - `image`: (height, width), or (channels, height, width)
    - `params`: the parameters of the vision transformer; the size of a patch follows from the width of `params.patch`
    - `config`: how the blocks are built (see `BlockConfig`)

    Source: Dosovitskiy et al. 2021, eq. 1 to 4. Raises ValueError for a `params.patch` whose patches are not squares, for another
    number of rows than of positions, and as its parts do.
    """
    size = patch_size(params.patch.shape[1], _channels(image))
    x = note("embedding", linear(patchify(image, size=size, note=note), params.patch, params.patch_bias))
    if params.class_token is not None:
        x = prepend_class_token(params.class_token, x, note=note)
    if params.positions is not None:
        check_positions(params.positions, x)
        x = add_positions(x, params.positions, note=note)
    x = stack(x, params.blocks, config=config, norm=params.norm, note=note)
    pooled = (mean_pool if params.class_token is None else first_token)(x, note=note)
    return note("logits", linear(pooled, params.head, params.head_bias))


def check_positions(positions, rows):
    """Raise ValueError unless there is exactly one position for each row: a smaller image would be read with the wrong positions."""
    if len(positions) != rows.shape[-2]:
        raise ValueError(
            f"{rows.shape[-2]} rows (patches, and the class token) and {len(positions)} positions; give an image of the size that they are for"
        )


def patch_size(patch_dim, channels):  # -> int
    """The side of a patch of `patch_dim` numbers in so many channels. Raises ValueError where that is not a square."""
    side = isqrt(patch_dim // channels)
    if side < 1 or channels * side**2 != patch_dim:
        raise ValueError(f"a patch of {patch_dim} numbers in {channels} channel(s) is not a square; it needs channels · side² numbers")
    return side
