"""Maximum path length: T steps through the states of an RNN, or one step of attention (Vaswani et al. 2017, section 4)."""

from itertools import pairwise

from pencil.drawings.canvas import BLUE, WIDTH, Canvas

MOST = 5  # words that fit on a phone
WIDE, HIGH, FADES = 58, 26, 0.62  # px: size of a box; factor of the first word's opacity at each step
WORDS, WALK, LOOK = 84, 44, 198  # px: y of the RNN's words, of its states, and of attention's words


def path_lengths(title, words=("not", "a", "bit", "…", "good")):  # caption, words of a text -> Drawing
    """The path from the first word to the last in both. Raises ValueError unless there are 2 to 5 words."""
    if not 1 < len(words) <= MOST:
        raise ValueError(f"{len(words)} words in {list(words)}: 2 to {MOST} fit beside each other on a phone")
    canvas, pitch = Canvas(None, title), WIDTH / len(words)
    places = [pitch * (k + 0.5) for k in range(len(words))]
    canvas.step(f"An RNN: what “{words[0]}” says goes from state to state and fades on the way; each word waits for the one before it.")
    canvas.text(6, 16, "RNN: many steps, each waits for the one before", "start", bold=True)
    for k, (x, word) in enumerate(zip(places, words, strict=True)):
        canvas.box(x - WIDE / 2, WALK - HIGH / 2, WIDE, HIGH, BLUE, opacity=0.5 * FADES**k)
        canvas.text(x, WALK + 4.5, "state")
        canvas.text(x, WORDS, word)
        canvas.line(x, WORDS - 12, x, WALK + HIGH / 2 + 2)
    for here, there in pairwise(places):
        canvas.line(here + WIDE / 2, WALK, there - WIDE / 2 - 1, WALK, BLUE)
    canvas.step(f"Attention: “{words[-1]}” looks straight at “{words[0]}”, and at every other word, in one step.")
    canvas.text(6, WORDS + 42, "attention: one step, nobody waits", "start", bold=True)
    for k, (x, word) in enumerate(zip(places, words, strict=True)):
        canvas.text(x, LOOK, word)
        if x != places[-1]:
            start, foot, high = places[-1] + 6 - 4 * k, LOOK - 14, LOOK - 28 - 0.16 * (places[-1] - x)
            canvas.curve([(start, foot), (start, high), (x, high), (x, foot)], BLUE, 1.2 if k else 2.4, head=True)
    return canvas.drawing(LOOK + 8)
