"""A window of text as training examples: the prefixes, and the next character of each."""

from pencil.drawings.canvas import SMALL, WIDTH, Canvas

LEFT, FIRST, ROW = 4, 14, 12.5  # px: x; y of the first row; between rows
LETTER = 0.61 * SMALL  # px: width of a monospaced character
SHOWN = {" ": "␣", "\n": "↵"}


def window(text, title):  # str, caption -> Drawing
    """A row for each training example: the prefix, and its target in colour.

    The text is the window and one more character. Raises ValueError for fewer than two characters, or more than fit on a phone.
    """
    most = int((WIDTH - LEFT) / LETTER)
    if not 2 <= len(text) <= most:
        raise ValueError(f"a text of {len(text)} letters; 2 to {most} have room beside each other, the one after the window with them")
    canvas, shown = Canvas(None, title), [SHOWN.get(letter, letter) for letter in text]
    for seen in range(1, len(text)):
        if seen < 3:
            canvas.step(f"Question {seen}: what comes after “{''.join(shown[:seen])}”? Here “{shown[seen]}”.")
        elif seen == 3:
            canvas.step(f"And so on, each a letter longer, to question {len(text) - 1}. All are asked at once: what lies to the right is covered.")
        before = "".join(letter if letter == " " else sign for letter, sign in zip(text[:seen], shown, strict=False))
        canvas.typed(LEFT, FIRST + ROW * (seen - 1), before, shown[seen])
    return canvas.drawing(FIRST + ROW * (len(text) - 2) + 6)
