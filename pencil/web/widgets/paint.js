// An image to draw in cells: a stroke follows the pointer, and draws or erases depending on its first cell. Arrow keys
// move between cells, Space toggles one, and numbers can be typed.

import { html } from "../render/element.js"
import { upTo } from "../render/graph.js"
import { readNumber } from "../page/reading.js"

const PIXELS = 8 // distance between the sampled points of a stroke
const inkOf = (cell) => readNumber(cell.value).value ?? 0
const inked = (cell) => (inkOf(cell) > 0 ? "0" : "1") // toggled
const cellAt = (target) => target?.closest(".pencil-ink")

// A cell; one is in the Tab order, and arrow keys move from it.
export const ink = (field, place) =>
  html`<input class="pencil-ink" ${field} tabindex="${place ? -1 : 0}" maxlength="40"
autocomplete="off" spellcheck="false">`

export function shade(cell) {
  cell.style.setProperty("--v", inkOf(cell))
}

// box: the element with the cells, which may be replaced later, and a button that clears them; changed(cells, value) is
// called with the cells to change
export function paintable(box, changed) {
  let stroke = null
  let last // the previous point of the stroke
  const put = (cells, value) => {
    const others = cells.filter((cell) => box.contains(cell) && cell.value !== value)
    if (others.length) changed(others, value)
  }
  const on = {
    pointerdown({ target, button, pointerId, clientX, clientY }) {
      const cell = cellAt(target)
      if (!cell || button) return
      cell.setPointerCapture(pointerId)
      stroke = inked(cell)
      last = [clientX, clientY]
      put([cell], stroke)
    },
    // Interpolate, since a fast stroke crosses several cells between two events
    pointermove({ clientX, clientY }) {
      if (stroke === null) return
      const [x, y] = last
      const pieces = Math.ceil(Math.hypot(clientX - x, clientY - y) / PIXELS)
      const way = upTo(pieces).map((k) => [
        x + ((clientX - x) * (k + 1)) / pieces,
        y + ((clientY - y) * (k + 1)) / pieces,
      ])
      last = [clientX, clientY]
      put(
        way.map((point) => cellAt(document.elementFromPoint(...point))),
        stroke,
      )
    },
    lostpointercapture() {
      stroke = null
    },
    // Prevent a caret, and the keyboard on a phone
    mousedown(event) {
      if (cellAt(event.target)) event.preventDefault()
    },
    click({ target }) {
      if (target.closest("[data-clear]")) put([...box.querySelectorAll(".pencil-ink")], "0")
    },
    keydown(event) {
      const cell = cellAt(event.target)
      const row = cell?.closest("tr")
      if (!cell || event.altKey || event.ctrlKey || event.metaKey) return
      const [down, right] =
        { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key] ?? []
      const next =
        row.parentElement.rows[row.sectionRowIndex + down]?.cells[
          cell.parentElement.cellIndex + right
        ]?.querySelector(".pencil-ink")
      if (event.key === " ") put([cell], inked(cell))
      else if (down === undefined) return
      else if (next) {
        cell.tabIndex = -1
        next.tabIndex = 0
        next.focus()
        next.select()
      }
      event.preventDefault()
    },
  }
  for (const [type, act] of Object.entries(on)) box.addEventListener(type, act)
}
