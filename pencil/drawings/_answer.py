"""A question and its answer in one row of tokens: the loss of each token, and the mask of those that count."""

from pencil.drawings.canvas import BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint

LEFT, TOP, TALL, BOX = 8, 16, 66, 30  # px: left edge; top of the bars; height of a bar for a loss of two; height of a token
MOST = 7


def answer(worked, title, tokens, token_loss="token_loss", mask="mask", loss="loss"):  # Worked, caption, list of str, names -> Drawing
    """The tokens side by side, with a bar for the loss above each but the first, faint where it is masked.

    The run names the losses of the tokens, the mask and the mean loss, as `pencil.reference.masked_cross_entropy` does; `tokens` includes
    the first one, which has no loss. Raises ValueError unless there is one token more than losses, and for more than seven.
    """
    count = len(worked.trace.find(token_loss).exact)
    if len(tokens) != count + 1 or len(tokens) > MOST:
        raise ValueError(f"{len(tokens)} tokens and {count} losses; give one token more than losses, and {MOST} at most")
    canvas, pitch, base = Canvas(worked, title), (WIDTH - 2 * LEFT) / len(tokens), TOP + TALL
    canvas.step("One row of tokens, the question first. Each token after the first is predicted from those before it.")
    for k, token in enumerate(tokens):
        canvas.box(LEFT + pitch * k + 3, base + 24, pitch - 6, BOX)
        canvas.text(LEFT + pitch * (k + 0.5), base + 44, token, bold=True)
    canvas.step(f"Above each its {canvas.called(token_loss)}: ", [token_loss], ".")
    for k in range(count):
        x, one = LEFT + pitch * (k + 1.5), f"{token_loss}[{k}]"
        top = Paint("y2", one, base, -TALL / 2, 0, 2.2)
        canvas.line(x, base, x, top, QUIET, 14, head=False)
        canvas.number(x, base + 17, one)
    canvas.step(f"The {canvas.called(mask)} ", [mask], " says which of them count: a one does, a zero does not.")
    for k in range(count):
        x = LEFT + pitch * (k + 1) + 3
        canvas.box(x, base + 24, pitch - 6, BOX, BLUE, Paint("fill-opacity", f"{mask}[{k}]", 0, 0.3), border=False)
        canvas.number(x + pitch / 2 - 3, base + 72, f"{mask}[{k}]", colour=BLUE)
    canvas.text(LEFT, base + 72, canvas.called(mask), "start", quiet=True)
    canvas.step(f"Their mean is the {canvas.called(loss)}: ", [loss], ".")
    canvas.said(LEFT, base + 96, [f"{canvas.called(loss)} ", [loss], ", the mean of those that count"])
    return canvas.drawing(base + 106)
