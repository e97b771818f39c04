// Change a number by dragging horizontally.

import { asGiven } from "../engine/rounding.js"
import { leastOf, readNumber } from "./reading.js"

const PIXELS = 12 // per unit, or with Shift per tenth

// Starts a drag on pointerdown; `from` is the number. Calls put(value) for every new number, and done(moved) when the
// pointer is released or cancelled, for example because the browser scrolls.
export function drag(element, { pointerId, clientX: start }, from, put, done) {
  let before = 0
  let moved = false
  element.setPointerCapture(pointerId)
  element.onpointermove = ({ clientX, shiftKey }) => {
    const by = Math.trunc((clientX - start) / PIXELS) * (shiftKey ? leastOf(element) : 1)
    if (by === before || from === undefined) return
    before = by
    moved = true
    put(from + by)
  }
  element.onlostpointercapture = () => {
    element.onpointermove = element.onlostpointercapture = null
    done(moved)
  }
}

// The same for an input field: calls changed() after every new number, and focuses the field at the end.
export function dragField(field, event, changed) {
  const put = (value) => {
    field.value = asGiven(value)
    changed()
  }
  drag(field, event, readNumber(field.value, field.dataset.count).value, put, () => {
    field.focus()
    field.select()
  })
}
