// Numbers without rounding, for a page whose reader asks for them: page/fractions.js fetches this script.

import { Exactly } from "./engine/exactly.js"
import { written } from "./engine/fractions.js"

// One number of a named value, as it is written by hand; "" where it is no fraction
window.pencilFractions = (program, given, name, place) => {
  const numbers = new Exactly(program, given).numbers(name)
  return numbers ? written(numbers[place]) : ""
}
