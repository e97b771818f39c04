"""GRPO: a group of answers, their rewards, and the advantage of each over the mean of the group."""

from pencil.drawings.canvas import BLUE, QUIET, WIDTH, Canvas
from pencil.drawings.paint import Paint

NAME, REWARD, MIDDLE, REACH = 12, 128, 258, 48  # px: x of the words, the rewards, and the zero line; length of an advantage of 1
TOP, PITCH, FAR = 46, 30, 2.2  # px: y of the first row; between rows; the largest advantage that fits
MOST = 8


def group(worked, title, rewards="rewards", mean="mean", advantage="advantage"):  # Worked of `grpo_advantages`, caption, names -> Drawing
    """A row for each answer: its reward, and its advantage as an arrow, to the right if it is positive.

    The run names the rewards, labelled with words, their mean and the advantages, as `pencil.reference.grpo_advantages` does. Raises
    ValueError unless the rewards are a row of one to eight labelled numbers.
    """
    value = worked.trace.find(rewards)
    words = value.words[-1] if len(value.exact.shape) == 1 else ()
    if not words or len(words) > MOST:
        raise ValueError(f"{rewards} has the shape {value.exact.shape} and the words {list(words or ())}; a group is a row of 1 to {MOST} with words")
    canvas, foot = Canvas(worked, title), TOP + PITCH * len(words)
    canvas.text(REWARD, 18, canvas.called(rewards), quiet=True)
    canvas.step(f"Each answer has its {canvas.called(rewards)}: ", [rewards], ".")
    for k, word in enumerate(words):
        canvas.text(NAME, TOP + PITCH * k + 5, word, "start")
        canvas.number(REWARD, TOP + PITCH * k + 5, f"{rewards}[{k}]")
    canvas.step(f"The {canvas.called(mean)} of the group is ", [mean], ": the line in the middle.")
    canvas.line(MIDDLE, 26, MIDDLE, foot - 8, QUIET, head=False)
    canvas.said(MIDDLE - 34, 18, [f"{canvas.called(mean)} ", [mean]])
    canvas.step(f"To the right what did better, to the left what did worse: the {canvas.called(advantage)} ", [advantage], ".")
    for k in range(len(words)):
        one, y = f"{advantage}[{k}]", TOP + PITCH * k
        tip = Paint("x2", one, MIDDLE, REACH, -FAR, FAR)
        canvas.line(MIDDLE, y, tip, y, BLUE, 2.2)
        canvas.number(WIDTH - 26, y + 5, one)
    canvas.text(WIDTH - 40, 18, canvas.called(advantage), quiet=True)
    return canvas.drawing(foot)
