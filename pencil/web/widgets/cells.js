// The cells of a lab, in which inputs are typed.

import { readNumber, setInvalid } from "../page/reading.js"

const warning = (cell) => cell.closest(".pencil-part").querySelector(".wrong")

export const read = ({ value, dataset }) => readNumber(value, dataset.count)

// The change of an input: { name, place, value }
export const placed = ({ dataset: { name, place } }, value) => ({ name, place: Number(place), value })

// Shows an error message; "" for none.
export function warn(cell, message) {
  setInvalid(cell, message)
  warning(cell).textContent = message
}

// When a cell is left or Enter is pressed: what is refused leaves the number as it was, by enter([change])
export function settle(cell, enter) {
  const { textContent } = warning(cell)
  if (textContent) enter([placed(cell, cell.before)])
  else cell.before = read(cell).value
  warning(cell).textContent = textContent
}
