// Diagnoses of rows in which some numbers are right, and of weights that do not sum to one, if no known mistake
// explains them.

import { offIn, slices, sum } from "./comparing.js"
import { COUNTED, FACTORS, isPercent, isTimes } from "./unrecognised.js"

const FROM_WHOLE = 0.02 // maximum deviation of the sum of rounded weights from one

// A missing row, a duplicate number, or a single number with a wrong factor
export function inPart({ right, places }, typed) {
  const off = typed.length === right.exact.length ? offIn(right, typed, places) : []
  const good = typed.map((_, k) => k).filter((k) => !off.includes(k) && typed[k].value)
  if (!off.length || !good.length) return null
  if (off.every((k) => !typed[k].value)) return { kind: "not_zero", off }
  const twice = good.find((k) => isTold(typed[k]) && off.every((j) => typed[j].value === typed[k].value))
  if (twice !== undefined) return { kind: "twice", off, twice }
  const by = off.length === 1 && factorAt(right.exact[off[0]], typed[off[0]])
  return by ? { kind: "factor", by, off } : null
}

// Weights that are all equal, or do not sum to one
export function ofShares({ right, shares }, typed) {
  const { exact } = right
  const width = shares || exact.length
  if (typed.length !== exact.length || width < 2 || !areShares(exact, width)) return null
  if (isPercent(typed, exact)) return { kind: "percent" }
  const values = typed.map(({ value }) => value)
  const rows = slices(values, width)
  if (rows.every(isEven) && !slices(exact, width).every(isEven)) return { kind: "evenly" }
  const away = rows.map((row) => sum(row) - 1).find((x) => Math.abs(x) > FROM_WHOLE)
  return away ? { kind: "no_whole", isMore: away > 0 } : null
}

function areShares(numbers, width) {
  const areParts = numbers.every((x) => x >= 0) && numbers.some((x) => x % 1)
  return areParts && slices(numbers, width).every((row) => Math.abs(sum(row) - 1) <= FROM_WHOLE / 10)
}

function isEven(row) {
  const kept = row.filter((x) => x)
  return Math.abs(sum(row) - 1) <= FROM_WHOLE && new Set(kept).size === 1 && kept.length > 1
}

const isTold = ({ value }) => value % 1 !== 0 || Math.abs(value) >= COUNTED

function factorAt(number, typed) {
  const areWhole = number % 1 === 0 && typed.value % 1 === 0
  const isBeside = areWhole && Math.abs(typed.value - number) <= 1 // off by one
  if (!number || isBeside) return 0
  return FACTORS.find((by) => isTimes(typed, number, by) || isTimes(typed, number, 1 / by))
}
