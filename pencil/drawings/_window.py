"""A window of text as all the questions that it asks: after each letter, what comes next?"""

from pencil.drawings.canvas import SMALL, WIDTH, Canvas

LEFT, FIRST, ROW = 4, 14, 12.5  # the left edge; the first row and from row to row
LETTER = 0.61 * SMALL  # the room that a letter of a typewriter takes
SHOWN = {" ": "␣", "\n": "↵"}


def window(text, title):  # str, caption -> Drawing
    """A row for each question: the letters that are seen, and in a colour the one that comes.

    The text is the window and the letter behind it. Raises ValueError for fewer than two letters, or more than a phone has room for.
    """
    most = int((WIDTH - LEFT) / LETTER)
    if not 2 <= len(text) <= most:
        raise ValueError(f"a text of {len(text)} letters; 2 to {most} have room beside each other, the one behind the window with them")
    canvas, shown = Canvas(None, title), [SHOWN.get(letter, letter) for letter in text]
    for seen in range(1, len(text)):
        if seen < 3:
            canvas.step(f"Question {seen}: what comes after “{''.join(shown[:seen])}”? Here “{shown[seen]}”.")
        elif seen == 3:
            canvas.step(f"And so on, each a letter longer, to question {len(text) - 1}. All are asked at once: what lies to the right is covered.")
        before = "".join(letter if letter == " " else sign for letter, sign in zip(text[:seen], shown, strict=False))
        canvas.typed(LEFT, FIRST + ROW * (seen - 1), before, shown[seen])
    return canvas.drawing(FIRST + ROW * (len(text) - 2) + 6)
