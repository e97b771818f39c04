"""Rounds of speculative decoding on one text: what is drafted, which drafts are accepted, and what the writer adds."""

from pencil.drawings.canvas import AMBER, QUIET, RED, SMALL, WIDTH, Canvas

GREEN = "var(--will, #2f6b4f)"
TOKEN, TALL, BAND, TOP = 22, 28, 66, 26  # px: width and height of a token's box; height of a round; y of the first
TEXT, DRAFTS, EDGE = 20, 158, WIDTH - 10  # px: x of the text, of the drafts, and of the line on which the text goes into the next round
CROSS = 6  # px: its side
SHOWN, MOST = 16, 6  # letters of the text that are shown; drafts of a round


def drafted(rounds, title):  # [(text, drafts, how many are accepted, what the writer adds)], caption -> Drawing
    """A line for each round: the text so far, its drafts in boxes, and the token that the writer adds.

    Accepted drafts are green, the first rejected one is red with a cross, those after it are struck out. Raises ValueError for more than six drafts
    of one letter each.
    """
    if any(len(drafts) > MOST or {*map(len, drafts)} != {1} for _, drafts, *_ in rounds):
        raise ValueError(f"the drafts are {[drafts for _, drafts, *_ in rounds]}; give up to {MOST} single letters a round")
    canvas = Canvas(None, title)
    for x, said in ((TEXT, "the text so far"), (DRAFTS, "drafts"), (DRAFTS + TOKEN * MOST + 30, "the writer")):
        canvas.text(x, 14, said, "start", quiet=True)
    for k, (text, drafts, n_accepted, added) in enumerate(rounds):
        _round(canvas, text, drafts, n_accepted, added, TOP + BAND * k, last=k == len(rounds) - 1)
    return canvas.drawing(TOP + BAND * len(rounds) - (BAND - TALL) + 4)


def _round(canvas, text, drafts, n_accepted, added, y, last):
    canvas.step(f"The draft model goes on from “{_shown(text[-SHOWN:])}”, and drafts “{_shown(''.join(drafts))}”.")
    canvas.typed(TEXT, y + 19, ("…" if len(text) > SHOWN else "") + _shown(text[-SHOWN:]))
    places = [DRAFTS + (TOKEN + 2) * k for k in range(len(drafts))]
    for x, draft in zip(places, drafts, strict=True):
        canvas.box(x, y, TOKEN, TALL, QUIET, 0.05)
        canvas.text(x + TOKEN / 2, y + 19, _shown(draft))
    canvas.step(f"One pass of the writer checks them all. {_verdict(drafts, n_accepted)}, and the writer adds “{_shown(added)}”.")
    for k, x in enumerate(places):
        if k < n_accepted:
            canvas.box(x, y, TOKEN, TALL, GREEN, 0.3)
        elif k == n_accepted:
            canvas.box(x, y, TOKEN, TALL, RED, 0.3)
            for rise in (CROSS, 0):  # in the corner, so that the letter can be read
                canvas.line(x + TOKEN - 3 - CROSS, y + 3 + rise, x + TOKEN - 3, y + 3 + CROSS - rise, RED, 2, head=False)
        else:
            canvas.line(x + 3, y + TALL - 4, x + TOKEN - 3, y + 4, QUIET, 2, head=False)
    adds = DRAFTS + TOKEN * MOST + 46
    canvas.line(places[-1] + TOKEN + 3, y + TALL / 2, adds - 3, y + TALL / 2, QUIET)
    canvas.box(adds, y, TOKEN, TALL, AMBER, 0.3)
    canvas.text(adds + TOKEN / 2, y + 19, _shown(added), bold=True)
    if not last:  # the text, longer now, goes into the next round
        half = y + TALL + (BAND - TALL) / 2
        way = [
            (adds + TOKEN + 2, y + TALL / 2),
            (EDGE, y + TALL / 2),
            (EDGE, half),
            (8, half),
            (8, y + BAND + TALL / 2),
            (TEXT - 3, y + BAND + TALL / 2),
        ]
        canvas.wire(way)
        canvas.text(WIDTH / 2, half - 4, f"{n_accepted + 1} more in the text", size=SMALL, quiet=True)


def _verdict(drafts, n_accepted):
    if n_accepted == len(drafts):
        return "All are accepted"
    begins = f"It accepts “{_shown(''.join(drafts[:n_accepted]))}”, and rejects" if n_accepted else "It rejects"
    return f"{begins} “{_shown(drafts[n_accepted])}”{'; those after it go too' if n_accepted < len(drafts) - 1 else ''}"


def _shown(text):  # a space is seen
    return text.replace(" ", "␣")
