"""The vision transformer: a picture in, a score for each class out. Between the two stands the stack, unchanged."""

from pencil.model.config import GPT2, Config
from pencil.model.encoder import seat_table
from pencil.model.part import Part, check_still, drop, grid, grid_arrays, say, table
from pencil.model.patches import cut, in_front
from pencil.model.pooling import average, first
from pencil.model.positions import seat
from pencil.model.stack import Stack
from pencil.reference.vit import check_seats, patch_size


class ViT(Part):
    """Cut, make sticks, class token, seats, blocks, and the class off the first row (Dosovitskiy et al. 2021).

    `sizes` is a Config or a ViT bundle. Pictures are (..., H, W); with more than one of `channels` (..., C, H, W).
    Raises ValueError for a bundle whose patches are no squares.
    """

    def __init__(self, sizes, recipe=GPT2, dropout=0.0, channels=1):
        super().__init__()
        made = isinstance(sizes, Config)
        grids = sizes.vit(recipe) if made else sizes
        self.dropout, self.channels = dropout, sizes.channels if made else channels
        self.size = patch_size(grids.patch.shape[1], self.channels)
        self.patch = grid(*grids.patch.shape, bias=grids.patch_bias is not None)
        self.class_token = None if grids.class_token is None else table(grids.class_token)
        self.seats = None if grids.seats is None else seat_table(grids.seats, not (made and sizes.wave))
        self.stack = Stack(grids.blocks, recipe, dropout, grids.norm)
        self.head = grid(*grids.head.shape, bias=grids.head_bias is not None)

    def forward(self, picture, note=None):  # (..., H, W) or (..., C, H, W) -> (..., classes)
        """A score for each class; softmax makes chances of them. Raises ValueError for more or fewer rows than seats."""
        rows = self.rows(picture, note)
        summary = (average if self.class_token is None else first)(rows, note=note)
        return say(note, "logits", self.head(summary))

    def rows(self, picture, note=None):  # (..., H, W) or (..., C, H, W) -> (..., patches and class token, d_model)
        """What comes out of the blocks."""
        check_still(self, note)
        sheets = picture.unsqueeze(-3) if self.channels == 1 else picture
        x = say(note, "stick", self.patch(cut(sheets, self.size, note)))
        x = x if self.class_token is None else in_front(self.class_token, x, note)
        if self.seats is not None:
            check_seats(self.seats, x)
            x = seat(x, self.seats, note)
        return self.stack(drop(x, self.dropout, self.training), None, note)

    def arrays(self):
        """patch, block1.…, head, class_token, seats, norm.…"""
        rows = {name: view for name in ("class_token", "seats") if (view := getattr(self, name)) is not None}
        return grid_arrays(self.patch, "patch") | rows | self.stack.arrays() | grid_arrays(self.head, "head")
