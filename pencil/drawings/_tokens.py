"""Tokenization: a text, its tokens, ids and embeddings; and the merges of byte pair encoding."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, RED, WIDTH, Canvas
from pencil.drawings.paint import Paint
from pencil.reference import pair_counts, train_bpe

TEAL, DARK = "var(--exact, #0b655d)", "var(--graphite, #2b2d31)"
COLOURS = (BLUE, RED, AMBER, TEAL, DARK)  # of the distinct tokens, cyclically
CHIP, TALL = 0.16, 24  # opacity and height (px) of a chip
MOST, LETTERS = 7, 6  # tokens, and rows of a table, that fit on a phone; characters that fit into one
LINE, ROOM = 18, 62  # px: between the numbers of a row that is written vertically; between the rows fetched and the table
LETTER, GAP, STAGE = 18, 9, 56  # px: width of a character's chip; between words; between merges


def tokens(worked, text, title):  # Worked, the text, caption -> Drawing
    """A text, its tokens, their ids, and the embedding of each id.

    The run names `ids`, labelled with the tokens, and `embedding`, the rows of a table at those ids; id 0 is padding.
    If it names `table` as well, the table is drawn below, with a line to each row that is fetched.
    Raises ValueError for more than seven ids or rows of the table, and for a token of more than six characters.
    """
    words, ids = worked.trace.find("ids").words[0], worked.trace.find("ids").exact.astype(int).tolist()
    canvas, pitch, read = Canvas(worked, title), (WIDTH - 4) / len(words), [i for i in ids if i]
    colours = [COLOURS[list(dict.fromkeys(read)).index(i) % len(COLOURS)] if i else QUIET for i in ids]  # equal ids have equal colours
    said = [_bare(word) if i else "" for word, i in zip(words, ids, strict=True)]
    if len(words) > MOST or max(map(len, said)) > LETTERS:
        raise ValueError(f"{len(words)} slots, a word of {max(map(len, said))} letters; {MOST} words of {LETTERS} letters fit on a phone")
    slots = [(2 + pitch * (k + 0.5), word, colours[k]) for k, word in enumerate(words)]
    canvas.step(f"A text: {text}")
    canvas.text(WIDTH / 2, 22, text, size=16)
    canvas.step(f"It is cut into {len(read)} tokens: small letters, and no marks.")
    for (x, _, colour), word in zip(slots, said, strict=True):
        _chip(canvas, x - pitch / 2 + 2, 40, pitch - 4, word, colour)
    canvas.step("Each token has an id, and an empty slot has one as well: " if 0 in ids else "Each token has an id: ", ["ids"], ".")
    for x, word, colour in slots:
        canvas.line(x, 68, x, 86, colour)
        canvas.number(x, 104, f"{word}.ids", size=15, colour=colour)
    foot = 150 + LINE * canvas.value(f"{words[0]}.embedding").size
    below = _tabled(canvas, dict(zip(ids, colours, strict=True)), foot + ROOM) if "table" in worked.trace.names else 0
    _fetched(canvas, slots, pitch, below and foot)
    return canvas.drawing(height=below or foot)


def _tabled(canvas, colours, top):  # draws the table, a column for each id -> y of its foot
    table = canvas.worked.trace.find("table")
    rows, width = table.exact.shape
    if rows > MOST:
        raise ValueError(f"a table of {rows} rows; {MOST} fit on a phone")
    pitch, foot = (WIDTH - 4) / rows, top + 12 + LINE * width
    canvas.step("The table has a row for each id.")
    for k in range(rows):
        x = 2 + pitch * (k + 0.5)
        _row(canvas, x, top, pitch, [f"table[{k}, {slot}]" for slot in range(width)], colours.get(k, QUIET))
        canvas.text(x, foot + 18, str(k), size=15, colour=colours.get(k, QUIET))
        if table.words[0]:
            canvas.text(x, foot + 35, table.words[0][k], quiet=True)
    return foot + 42


def _fetched(canvas, slots, pitch, foot):  # draws the embedding of each id, with a line from the table if that stands below `foot`
    canvas.step("Each id fetches its row of the table.")
    for x, word, colour in slots:
        canvas.line(x, 112, x, 130, colour)
        width = canvas.value(f"{word}.embedding").size
        _row(canvas, x, 134, pitch, [f"{word}.embedding[{slot}]" for slot in range(width)], colour)
        if foot:
            rows = len(canvas.value("table"))
            column = (WIDTH - 4) / rows
            canvas.line(Paint("x1", f"{word}.ids", 2 + column / 2, column, 0, rows - 1), foot + ROOM - 2, x, foot, colour)


def _row(canvas, x, y, pitch, references, colour):  # a row of numbers, written vertically
    canvas.box(x - pitch / 2 + 2, y, pitch - 4, 12 + LINE * len(references), colour)
    for slot, reference in enumerate(references):
        canvas.number(x, y + 19 + LINE * slot, reference, size=14)


def merges(words, title):  # words, caption -> Drawing
    """The merges of BPE, from characters to whole words: a line for each merge, with the new piece in colour.

    Raises ValueError for words that are too wide for a phone.
    """
    width = LETTER * sum(map(len, words)) + GAP * (len(words) - 1)
    if width > WIDTH:
        raise ValueError(f"{sum(map(len, words))} letters in {len(words)} words take {width} pixels; {WIDTH} fit on a phone")
    canvas, learned = Canvas(None, title), train_bpe(words, num_merges=sum(map(len, words))).merges
    for stage in range(len(learned) + 1):
        made, top = learned[:stage], STAGE * stage
        if not made:
            canvas.step("Begin with letters.")
            said = "letters"
        else:
            first, second = made[-1]
            count = pair_counts(words, merges=made[:-1])[made[-1]]
            often = "once" if count == 1 else f"{count} times"
            said = f"{first} + {second}, {often}"
            canvas.step(f"{first} and {second} stand side by side {often}, and join.")
        canvas.text((WIDTH - width) / 2, top + 16, said, "start", quiet=True)
        _line(canvas, words, made, top + 23, (WIDTH - width) / 2)
    return canvas.drawing(height=STAGE * (len(learned) + 1) - 4)


def _line(canvas, words, made, y, x):  # all words as pieces
    pieces = train_bpe(words, num_merges=len(made))
    colours = {"".join(pair): COLOURS[k % len(COLOURS)] for k, pair in enumerate(made)}
    for word in words:
        for piece in pieces.tokenize(word):
            _chip(canvas, x, y, LETTER * len(piece) - 2, piece, colours.get(piece, QUIET))
            x += LETTER * len(piece)
        x += GAP


def _chip(canvas, x, y, width, word, colour):
    canvas.box(x, y, width, TALL, colour, CHIP if colour != QUIET else 0.05)
    canvas.text(x + width / 2, y + 17, word)


def _bare(word):  # without the number that tells repeated words apart
    return word.rstrip("0123456789")
