"""Patchify: an image is cut into patches, and each is flattened into a row."""

from math import isqrt

from pencil.drawings.canvas import AMBER, BLUE, WIDTH, Canvas

LEFT, TOP, SIDE = 6, 12, 30  # px: position of the image; side of a pixel
CUT, GAP = 206, 14  # px: x of the patches; gap between them
NAME, FLAT = 100, 206  # px: end of a row's name; x of its numbers
MOST = 5  # maximum width of the image in pixels, and of a row in numbers
LINES = (BLUE, AMBER)  # colours of the rows of pixels in a patch, alternating


def patches(worked, title, image="image", patch="patch"):  # Worked of `patchify`, caption, the names of its two values -> Drawing
    """The image, its patches, and each patch flattened into a row.

    Raises ValueError for an image or rows too large for a phone, and for rows that are not square patches of the image.
    """
    canvas = Canvas(worked, title)
    (high, wide), (count, slots) = canvas.value(image).shape, canvas.value(patch).shape
    size = isqrt(slots)
    if size * size != slots or high % size or wide % size or count * slots != high * wide or max(high, wide, slots) > MOST:
        raise ValueError(f"{image} is {high} × {wide}, {patch} is {count} × {slots}; a picture of at most {MOST} × {MOST} and its square patches fit")
    canvas.step("The picture, as pixels.")
    for y in range(high):
        for x in range(wide):
            canvas.pixel(LEFT + SIDE * x, TOP + SIDE * y, SIDE, f"{image}[{y}, {x}]")
    canvas.step(f"It is cut into {count} patches, read as a page is read.")
    middle = TOP + SIDE * high / 2
    canvas.line(LEFT + SIDE * wide + 14, middle, CUT - 14, middle)
    for k in range(count):
        _square(canvas, k, wide // size, size, patch)
    below = TOP + SIDE * high + GAP * (high // size) + 24
    for k in range(count):
        canvas.step(f"Patch {k + 1} laid flat, line after line: ", [f"{patch}[{k}]"], ".")
        y = below + (SIDE + 8) * k
        canvas.text(NAME, y + 20, f"patch {k + 1}", "end")
        canvas.line(NAME + 12, y + SIDE / 2, FLAT - 8, y + SIDE / 2)
        for i in range(slots):
            canvas.pixel(FLAT + SIDE * i, y, SIDE, f"{patch}[{k}, {i}]", LINES[i // size % 2])
    return canvas.drawing(below + (SIDE + 8) * count, WIDTH)


def _square(canvas, k, across, size, patch):
    left, top = CUT + (SIDE * size + GAP) * (k % across), TOP + (SIDE * size + GAP) * (k // across)
    for i in range(size * size):
        canvas.pixel(left + SIDE * (i % size), top + SIDE * (i // size), SIDE, f"{patch}[{k}, {i}]", LINES[i // size % 2])
    canvas.text(left + SIDE * size + 4, top + 10, str(k + 1), "start", quiet=True)
