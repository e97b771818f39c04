// Messages for rows in which some numbers are right, and for weights that do not sum to one, if no known mistake
// explains them. The same as pencil/exercises/some_right.py.

import { slices } from "./miscounted.js"
import { COUNTED, FACTORS, inNumbers, isPercent, isTimes, offIn, PER_CENT, say, sum } from "./unrecognised.js"

const FROM_WHOLE = 0.02 // maximum deviation of the sum of rounded weights from one
const TOO_OFTEN = "Was something multiplied or divided once too often, or not at all?"

// A missing row, a duplicate number, or a single number with a wrong factor
export function inPart({ right, places }, typed) {
  const off = typed.length === right.exact.length ? offIn(right, typed, places) : []
  const good = typed.map((_, k) => k).filter((k) => !off.includes(k) && typed[k].value)
  if (!off.length || !good.length) return null
  if (off.every((k) => !typed[k].value)) {
    const lines = off.length === 1 ? "that line" : "those lines"
    return say("wrong", `${inNumbers(off)} it is not zero. Work ${lines} as well.`)
  }
  const twice = good.find((k) => isTold(typed[k]) && off.every((j) => typed[j].value === typed[k].value))
  if (twice !== undefined)
    return say(
      "wrong",
      `${inNumbers(off)} you have number ${twice + 1} once more. Each number has a line of its own.`,
    )
  return off.length === 1 ? byFactor(right.exact[off[0]], typed[off[0]], off[0]) : null
}

// Weights that are all equal, or do not sum to one
export function ofShares({ right, shares }, typed) {
  const { exact } = right
  const width = shares || exact.length
  if (typed.length !== exact.length || width < 2 || !areShares(exact, width)) return null
  if (isPercent(typed, exact)) return say("wrong", PER_CENT)
  const values = typed.map(({ value }) => value)
  const rows = slices(values, width)
  const areEven = rows.every(isEven) && !slices(exact, width).every(isEven)
  if (areEven) return say("wrong", "You shared out evenly. Each has a share of its own.")
  const away = rows.map((row) => sum(row) - 1).find((x) => Math.abs(x) > FROM_WHOLE)
  return away ? say("wrong", `Shares make one whole. These add up to ${away > 0 ? "more" : "less"}.`) : null
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

function byFactor(number, typed, k) {
  const areWhole = number % 1 === 0 && typed.value % 1 === 0
  const isBeside = areWhole && Math.abs(typed.value - number) <= 1 // off by one
  const by = FACTORS.find(([by]) => isTimes(typed, number, by) || isTimes(typed, number, 1 / by))
  if (!by || !number || isBeside) return null
  return say("wrong", `In number ${k + 1} you are off by a factor of ${by[1]}. ${TOO_OFTEN}`)
}
