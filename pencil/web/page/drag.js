// A number that is dragged: sideways for more or less.

import { asGiven } from "../engine/rounding.js"
import { readNumber } from "./reading.js"

const PIXELS = 12 // that a drag goes for one more, or with Shift for a tenth

// Begins where the pointer went down on an element that stands for the number `from`; put(value) is called after every
// new number, and done(moved) when it is let go, or taken away by the browser, as when a finger begins to scroll.
export function drag(element, { pointerId, clientX: start }, from, put, done) {
  let before = 0
  let moved = false
  element.setPointerCapture(pointerId)
  element.onpointermove = ({ clientX, shiftKey }) => {
    const by = Math.trunc((clientX - start) / PIXELS) * (shiftKey ? 0.1 : 1)
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

// The same for a field: changed() is called after every new number in it, and let go it takes the keyboard.
export function dragField(field, event, changed) {
  const put = (value) => {
    field.value = asGiven(value)
    changed()
  }
  drag(field, event, readNumber(field.value).value, put, () => {
    field.focus()
    field.select()
  })
}
