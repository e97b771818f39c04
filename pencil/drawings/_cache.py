"""A KV cache as a table: the cached keys and values, those of a new token, and the attention of the new token."""

from pencil.drawings.canvas import AMBER, BLUE, QUIET, Canvas

MOST_SLOTS, SLOT = 4, 47
KEY, VALUE = 4, 208  # px: x of keys and of values; the words are above the keys
SHARE, BAR = 320, 68  # px: x of the weights above the values; length of a bar for a weight of 1
TOP, HEAD, TALL, PITCH = 24, 18, 26, 52  # of the rows


def cache(worked, scope, title):  # Worked of one step with a cache, its scope, caption -> Drawing
    """The cached rows of each earlier word, those of the new word, and its attention to all of them.

    The run names query, keys, values, scores, weights and context in the scope; keys and values are labelled with the words, of which the
    new one is the last. Raises ValueError for rows of more than four numbers.
    """
    keys = worked.trace.find(f"{scope}.keys")
    words, slots = keys.words[0], keys.exact.shape[-1]
    if slots > MOST_SLOTS:
        raise ValueError(f"{scope}.keys has rows of {slots} numbers; up to {MOST_SLOTS} have room beside each other")
    canvas = Canvas(worked, title)
    key, value, query = (_called(canvas, scope, name) for name in ("key", "value", "query"))
    middle = VALUE + worked.trace.find(f"{scope}.values").exact.shape[-1] * SLOT / 2
    for x, name in ((KEY + slots * SLOT / 2, key), (max(middle, VALUE + 36), value)):
        canvas.text(x, 16, name, quiet=True)
    *kept, new = words
    for k, word in enumerate(kept):
        canvas.step(f"“{word}” has been worked: its {key} and {value} are kept.")
        _pair(canvas, scope, k, word, QUIET)
    canvas.step(f"“{new}” comes and makes its own three. Its {key} and {value} go below the others.")
    _pair(canvas, scope, len(kept), new, BLUE)
    foot = TOP + PITCH * len(words)
    canvas.text(KEY + 2, foot + 20, query, "start", quiet=True)
    canvas.slots(KEY, foot + 26, f"{new}.{scope}.query", SLOT, TALL, colour=AMBER)
    canvas.step(f"Its {query} meets each {key}; softmax makes shares of the scores: ", [f"{new}.{scope}.weights"], ".")
    lane = VALUE - 8
    canvas.wire([(KEY + slots * SLOT, foot + 39), (lane, foot + 39), (lane, TOP + HEAD / 2)], AMBER)
    for k, _ in enumerate(words):
        _share(canvas, TOP + PITCH * k, scope, f"{new}.{scope}.weights[{k}]")
    canvas.step(f"The shares mix each {value}: ", [f"{new}.{scope}.context"], f". The {query} is not kept: nobody needs it again.")
    canvas.line(middle, foot - PITCH + HEAD + TALL + 3, middle, foot + 44, BLUE)
    canvas.text(middle + 8, foot + 40, _called(canvas, scope, "context"), "start", quiet=True)
    canvas.slots(VALUE, foot + 46, f"{new}.{scope}.context", SLOT, TALL, colour=BLUE)
    return canvas.drawing(foot + 74)


def _called(canvas, scope, name):  # the label, without the scope
    return canvas.called(f"{scope}.{name}").rpartition(".")[2]


def _pair(canvas, scope, k, word, colour):
    y = TOP + PITCH * k
    canvas.text(KEY + 2, y + 13, word, "start", bold=True)
    for left, name in ((KEY, "keys"), (VALUE, "values")):
        canvas.slots(left, y + HEAD, f"{scope}.{name}[{k}]", SLOT, TALL, colour=colour)


def _share(canvas, y, scope, reference):
    canvas.text(VALUE + 2, y + 13, _called(canvas, scope, "weights"), "start", quiet=True)
    canvas.number(SHARE, y + 13, reference, "end")
    canvas.bar(SHARE + 8, y + 5, BAR, 8, reference)
