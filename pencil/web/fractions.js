// Exact arithmetic, a separate bundle that page/fractions.js loads on demand.

import { Exactly } from "./engine/exactly.js"
import { written } from "./engine/fractions.js"

// A number of a named value as a fraction or logarithm; "" if it is irrational
window.pencilFractions = (program, given, name, place) => {
  const numbers = new Exactly(program, given).numbers(name)
  return numbers ? written(numbers[place]) : ""
}
