"""A computation graph with values (forward) and gradients (backward)."""

from dataclasses import dataclass

from pencil.drawings.canvas import BLUE, RED, WIDTH, Canvas
from pencil.note import GRAD
from pencil.trace.array import ancestors
from pencil.trace.names import positions
from pencil.worked.fragments import join
from pencil.worked.origin import made_of

NAME, ROW, GAP, SAID = 19, 22, 26, 40  # px: height of a name; of a row of numbers; between layers without labels; with labels
TALL = NAME + 2 * ROW  # px: height of a value with its gradient
WIDEST = 64  # px: maximum width of a slot
EDGE, LANE = 34, 9  # px: the margin for arrows that pass over layers; between two of them


def graph(worked, references, title, moves=None):  # Worked of a run and its `backward`, names of rows and numbers -> Drawing
    """Values in topological order, layer below layer, each with its gradient.

    - `references`: the rows and numbers to draw
    - `moves`: {name of a value: (label of its computation, label of the factor of its gradient)}

    There is an arrow from a value to each one that is computed from it without another of these values in between. One that passes
    over a layer, as a residual connection does, goes round on the right. Gradients that the run does not name are left out.
    """
    canvas, moves = Canvas(worked, title), moves or {}
    nodes = {reference: worked.trace.find(reference) for reference in references}
    behind = _behind(nodes)
    layers = _layers(nodes, behind)
    told = [*(moves.get(nodes[layer[0]].array.name, ("", "")) for layer in layers), ("", "")]  # no gradient comes back to the last layer
    boxes = _boxes(canvas, layers, behind, SAID if moves else GAP)
    for k, layer in enumerate(layers):
        sources = [source for source in nodes if any(source in behind[reference] for reference in layer)]
        made = [f" from {' and '.join(map(canvas.label, sources))}{_by(told[k][0])}."] if sources else ["."]
        canvas.step(*([] if sources else ["Begin with "]), *_told(canvas, {reference: reference for reference in layer}), *made)
        for reference in layer:
            boxes[reference].numbers(canvas, NAME, reference, BLUE)
            canvas.text(boxes[reference].x, boxes[reference].y + 14, canvas.label(reference), quiet=True)
            for source in behind[reference]:
                _arrow(canvas, boxes[source], boxes[reference], BLUE)
        _say(canvas, layers, k, boxes, told[k][0], -1, BLUE)
    explained = False
    for k, layer in reversed([*enumerate(layers)]):
        slopes = [reference for reference in layer if f"{GRAD}.{nodes[reference].array.name}" in worked.trace.names]
        if slopes:
            why = "" if explained else f": how much the {canvas.label(layers[-1][0])} changes per unit of it"
            grads = {reference: _grad_of(reference, nodes[reference].array.name) for reference in slopes}
            canvas.step(f"Back{_by(told[k + 1][1])}. The gradient of ", *_told(canvas, grads, "is ", " and of "), f"{why}.")
            explained = True
        for reference in slopes:
            boxes[reference].numbers(canvas, NAME + ROW, grads[reference], RED)
            for target in (target for target in nodes if reference in behind[target]):
                _arrow(canvas, boxes[target], boxes[reference], RED)
        if slopes:
            _say(canvas, layers, k + 1, boxes, told[k + 1][1], 1, RED)
    return canvas.drawing(height=max(box.y for box in boxes.values()) + TALL + 2)


def _told(canvas, numbers, verb="", between=" and "):  # {reference: text about it} -> the words of a step, with the numbers
    return join([[f"{canvas.label(reference)} {verb}", [told]] for reference, told in numbers.items()], between)


def _by(move):
    return f" ({move})" if move else ""


def _say(canvas, layers, k, boxes, move, side, colour):  # the label between two layers: forward on the left, backward on the right
    if not move:
        return
    own = [boxes[reference] for reference in layers[k]]
    x, y = sum(box.x for box in own) / len(own), own[0].y
    if len(layers[k]) > 1:  # between the columns
        canvas.text(x, y - SAID / 2 + 4 + 8 * side, move, colour=colour)
    elif len(layers[k - 1]) > 1:  # beside the name, below the arrows
        canvas.text(x + 48 * side, y + 14, move, "start" if side > 0 else "end", colour=colour)
    else:
        canvas.text(x + 16 * side, y - SAID / 2 + 4, move, "start" if side > 0 else "end", colour=colour)


def _behind(nodes):  # -> {reference: the nodes that it is computed from directly}
    owner = {(value.array.id, at): reference for reference, value in nodes.items() for at in positions(value)}
    return {reference: _sources(value, owner) for reference, value in nodes.items()}


def _sources(value, owner):
    found, seen = [], set()
    look = [number for at in positions(value) for number in made_of(value.array, at)]
    while look:
        array, at = look.pop()
        if (array.id, at) in owner:
            found.append(owner[array.id, at])
        elif (array.id, at) not in seen:
            seen.add((array.id, at))
            look += made_of(array, at)
    return sorted(set(found), key=list(owner.values()).index)


def _layers(nodes, behind):
    depth = {}
    for array in ancestors([value.array for value in nodes.values()]):
        rows = [reference for reference, value in nodes.items() if value.array is array]
        if rows:
            depth |= dict.fromkeys(rows, 1 + max((depth[source] for row in rows for source in behind[row]), default=-1))
    return [[reference for reference in nodes if depth[reference] == k] for k in range(1 + max(depth.values()))]


@dataclass(frozen=True)
class _Box:  # a value and its gradient: x of its middle and y of its top, the layer, the width of a slot, how many
    x: float
    y: float
    layer: int
    slot: float
    count: int

    @property
    def right(self):
        return self.x + self.slot * self.count / 2

    def numbers(self, canvas, below, reference, colour):
        canvas.slots(2 * self.x - self.right, self.y + below, reference, self.slot, ROW, colour=colour)


def _boxes(canvas, layers, behind, gap):  # -> {reference: _Box}; where an arrow passes over a layer, there is a margin on the right
    depth = {reference: k for k, layer in enumerate(layers) for reference in layer}
    width = WIDTH - EDGE * any(depth[reference] - depth[source] > 1 for reference in depth for source in behind[reference])
    found = {}
    for row, layer in enumerate(layers):
        for k, reference in enumerate(layer):
            count = canvas.value(reference).size
            slot = min(WIDEST, (width / len(layer) - 6) / count)
            found[reference] = _Box(width * (k + 0.5) / len(layer), (TALL + gap) * row, row, slot, count)
    return found


def _arrow(canvas, start, end, colour):  # between two boxes: forward blue and on the left, back red and on the right
    back = colour == RED
    if abs(end.layer - start.layer) > 1:  # round the layers between them
        lane, middle = WIDTH - LANE * (1 if back else 2), NAME + ROW * (1.5 if back else 0.5)
        canvas.wire([(start.right + 2, start.y + middle), (lane, start.y + middle), (lane, end.y + middle), (end.right + 3, end.y + middle)], colour)
        return
    aside = 5 if back else -5
    edges = (start.y, end.y + TALL) if back else (start.y + TALL, end.y)
    canvas.line(start.x + aside, edges[0] + (-2 if back else 2), end.x + aside, edges[1] + (3 if back else -3), colour)


def _grad_of(reference, name):  # nolan.context -> nolan.grad.context
    return f"{reference.removesuffix(name)}{GRAD}.{name}"
