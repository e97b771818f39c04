"""From a text generator to a chatbot: supervised fine-tuning, preferences, and rewards, as three stages of one model."""

from pencil.drawings.canvas import BLUE, QUIET, RED, WIDTH, Canvas

LANE, WIDE, HIGH = 66, 118, 34  # px: x of the model's centre; width and height of its box
LEFT, TALL, PITCH = 144, 94, 132  # px: left edge and height of what a stage shows; from one model to the next
TOKEN, PUSH = 28, 15  # px: height of a token; length of an arrow
MOST = 5  # tokens, or answers, that fit beside each other
STATES = ("base model", "+ SFT", "+ preferences", "+ rewards")


def training_stages(title, tokens, mask, better, worse, rewards):  # caption, texts, 0 or 1 for each, two texts, numbers -> Drawing
    """The model before and after each stage, and beside it what the stage raises (an arrow up) and lowers (an arrow down).

    - `tokens`, `mask`: a question and its answer; 1 for each token that counts
    - `better`, `worse`: two answers of which the first is preferred
    - `rewards`: of several answers, above 0 for a right one

    Raises ValueError unless there are one to five tokens and rewards and the mask is as long as the tokens.
    """
    if len(mask) != len(tokens) or not all(0 < len(told) <= MOST for told in (tokens, rewards)):
        raise ValueError(
            f"{len(tokens)} tokens, a mask of {len(mask)} and {len(rewards)} rewards: give each token its mask, and one to {MOST} of each"
        )
    canvas = Canvas(None, title)
    canvas.step("A language model continues any text. Every stage below trains the parameters of this one model; none adds a block.")
    _model(canvas, 0)
    canvas.step("Supervised fine-tuning: the tokens of a written answer become likelier. Those of the question do not count.")
    _stage(canvas, 1, "a written answer", [(token, 1 if counts else 0) for token, counts in zip(tokens, mask, strict=True)])
    canvas.step("Preferences: of two answers to one question the one that people chose becomes likelier than the other.")
    _stage(canvas, 2, "two answers, one preferred", [(better, 1), (worse, -1)])
    canvas.step("Rewards: the model answers several times, and a program checks. Right answers become likelier, wrong ones less likely.")
    _stage(canvas, 3, "answers that can be checked", [("right", 1) if reward > 0 else ("wrong", -1) for reward in rewards])
    return canvas.drawing(6 + 3 * PITCH + HIGH + 6)


def _model(canvas, k):
    top = 6 + PITCH * k
    canvas.box(LANE - WIDE / 2, top, WIDE, HIGH, BLUE, 0.08 + 0.09 * k)
    canvas.text(LANE, top + HIGH / 2 + 5, STATES[k], bold=True)


def _stage(canvas, k, shows, pushed):  # pushed: [(text, 1 for up, -1 for down, or 0)]
    top = 6 + PITCH * (k - 1) + HIGH
    canvas.line(LANE, top, LANE, top + PITCH - HIGH - 2)
    middle, upper = top + (PITCH - HIGH) / 2, top + (PITCH - HIGH - TALL) / 2
    canvas.box(LEFT, upper, WIDTH - LEFT - 2, TALL)
    canvas.line(LEFT, middle, LANE + 3, middle)
    canvas.text(LEFT + 10, upper + 17, shows, "start", quiet=True)
    pitch, low = (WIDTH - LEFT - 14) / len(pushed), upper + TALL - PUSH - 4 - TOKEN
    for place, (text, way) in enumerate(pushed):
        x, colour = LEFT + 6 + pitch * (place + 0.5), {1: BLUE, 0: QUIET, -1: RED}[way]
        canvas.box(x - pitch / 2 + 3, low, pitch - 6, TOKEN, colour, 0.16 if way else 0.04)
        canvas.text(x, low + TOKEN / 2 + 5, text, bold=bool(way), quiet=not way)
        if way > 0:
            canvas.line(x, low - 2, x, low - PUSH, BLUE, 2)
        elif way < 0:
            canvas.line(x, low + TOKEN + 2, x, low + TOKEN + PUSH, RED, 2)
    _model(canvas, k)
