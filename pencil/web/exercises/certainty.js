// The certainty of a diagnosis: a single short number may agree with a mistake by chance.

import { means, MIN_FIGURES, offIn } from "./comparing.js"

// Kinds of which there are many, so that a number agrees with one of them easily
const MANY = ["slip", "product", "left_out", "unfinished", "value", "given", "beside"]

// Whether a guess rests on numbers that are a single one, possibly repeated, with few digits
export function isThin({ mistakes: [mistake] = [] }, { right, places }, typed) {
  if (!mistake || (mistake.certainty !== "guess" && !mistake.distance)) return false
  const isWhole = typed.length === right.exact.length
  const wrong = isWhole ? offIn(right, typed, places) : typed.map((_, k) => k)
  const figures = new Map(wrong.map((k) => [Math.abs(typed[k].value), typed[k].figures]).filter(([size]) => size))
  if (figures.size > 1) return false
  const isExactly = wrong.every((k) => k >= mistake.exact.length || means(typed[k], mistake.exact[k]))
  const most = isExactly && !MANY.includes(mistake.kind) ? MIN_FIGURES : MIN_FIGURES + 1
  return [...figures.values()].reduce((sum, count) => sum + count, 0) <= most
}
