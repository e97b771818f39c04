// Diagnoses of answers that are neither right nor a known mistake: too few digits, a wrong sign, another order, a
// common factor.

import { PLACES, placesWritten } from "../engine/rounding.js"
import {
  cuts,
  isMeant,
  isRough,
  means,
  MIN_FIGURES,
  NEAR,
  NEARBY,
  negated,
  offIn,
  rounds,
  sum,
  TENTH,
  tracksAt,
  uncutIn,
} from "./comparing.js"

const ALMOST = 0.03 // relative to the largest number, if nothing else is known
export const FACTORS = [2, 3, 4] // that are named
export const COUNTED = 10 // smaller numbers may be off by one for any reason

// An answer that is unexplained, or explained only by an earlier mistake; null if there is nothing to say
export function unknown(exercise, typed, isExplained = false) {
  const { right, places } = exercise
  const wanted = right.paper.length
  if (typed.length !== wanted) return null
  const off = offIn(right, typed, places)
  if (!uncutIn(right, typed, off).length) return cutShort(exercise, typed, off, isExplained)
  const sign = turned(exercise, typed)
  if (sign) return sign
  if (wanted > 1 && isReordered(typed, right)) return { kind: "another_order" }
  const kind = miswritten(exercise, typed, off)
  if (kind) return { kind, off, wanted }
  if (areNear(right, typed, off, (size) => NEAR * size + NEARBY)) return close(typed, off)
  if (isRough(typed, right)) return { kind: isAlone(typed, right) ? "all_to_one" : "too_rough" }
  return wanted > 1 && isMoved(factorOf(typed, right)) ? { kind: "point" } : null
}

// Whoever typed three decimals has carried them
const close = (typed, off) => ({
  kind: "close",
  off: off.length === typed.length ? [] : off,
  isCarried: off.every((k) => (typed[k].places ?? PLACES) >= PLACES),
})

// Truncated instead of rounded digits, or swapped digits
function miswritten({ right }, typed, off) {
  if (off.every((k) => tracksAt(right, k).some((x) => isCutOff(typed[k], x)))) return "cut_off"
  if (off.every((k) => tracksAt(right, k).some((x) => haveChangedPlaces(typed[k], x)))) return "digits_swapped"
  return ""
}

function isCutOff({ value, places }, number) {
  const written = Number.isFinite(number) ? placesWritten(number) : 0
  if (places !== written || written <= 0 || value * number <= 0) return false
  const left = Math.abs(number) - Math.abs(value)
  return left >= 0 && left < 10 ** -places * (1 - 1e-6)
}

function haveChangedPlaces({ value, places, figures }, number) {
  if (places === null || !Number.isFinite(number) || places < placesWritten(number)) return false
  if (figures < PLACES || value * number <= 0) return false
  const [digits, others] = [value, number].map((x) => [...String(Math.floor(Math.abs(x) * 10 ** places + 0.5))])
  const isSorted = [...digits].sort().join("") === [...others].sort().join("")
  return isSorted && digits.filter((digit, k) => digit !== others[k]).length === 2
}

// Whether all the weight was given to one, although another has a considerable share
function isAlone(typed, { exact }) {
  const isLeft = typed.some(({ value }, k) => !value && exact[k] >= TENTH)
  const kept = typed.filter(({ value }) => value)
  return isLeft && kept.length === 1 && kept[0].value === 1 && Math.abs(sum(exact) - 1) <= NEARBY
}

// Whether the numbers differ from the right ones by the decimal point, by percent, or by a common factor
export function related({ right }, typed) {
  const wanted = right.paper.length
  if (typed.length !== wanted) return null
  return wanted === 1 ? relatedOne(typed[0], right.exact[0]) : inProportion(typed, right)
}

// If nothing else is known: that it is close, or how many numbers are right, and which to look at first
export function notYet({ right, places }, typed) {
  const wanted = right.paper.length
  const off = offIn(right, typed, places)
  const most = ALMOST * Math.max(...right.exact.map(Math.abs))
  if (areNear(right, typed, off, (size) => Math.min(most, TENTH * size))) return close(typed, off)
  return { kind: "not_yet", wanted, good: wanted - off.length, first: uncutIn(right, typed, off)[0] }
}

function cutShort({ right, mistakes }, typed, off, isExplained) {
  const areCut = ({ exact }) =>
    typed.length === exact.length && typed.every((one, k) => means(one, exact[k]) || cuts(one, exact[k]))
  const isClear =
    !isExplained &&
    off.every((k) => typed[k].figures >= MIN_FIGURES && tracksAt(right, k).some((x) => rounds(typed[k], x))) &&
    !mistakes.some(areCut)
  const isPlain = off.every((k) => placesWritten(right.exact[k]) === PLACES)
  return { verdict: "short", kind: "short", isClear, isPlain }
}

// If the numbers are right except for their signs; else null
export function turned({ right, places }, typed) {
  const off = typed.length === right.paper.length ? offIn(right, typed, places) : []
  const others = negated(typed)
  const isTurnedAt = (k) => others[k].value && tracksAt(right, k).some((x) => means(others[k], x))
  return off.length && off.every(isTurnedAt) ? { kind: "sign", off, wanted: typed.length } : null
}

// A single number that is neither right, nor near, nor a known mistake
function relatedOne(typed, number) {
  if (isPercent([typed], [number])) return { kind: "percent" }
  const moved = [10, 100, 1000].flatMap((by) => [number * by, number / by])
  const isMoved = (x) => means(typed, x)
  // integers are not rounded
  if ((number % 1 && moved.some(isMoved)) || (Math.abs(number) >= 100 && moved.includes(typed.value)))
    return { kind: "point" }
  if (![0, 1, -1].includes(number) && means(typed, 1 / number)) return { kind: "upside_down" }
  if (number % 1 === 0 && number >= COUNTED && Math.abs(typed.value - number) === 1)
    return { kind: "off_by_one", off: [] }
  const isClear = number % 1 || typed.value % 1 ? typed.figures >= MIN_FIGURES : Math.abs(number) >= 100
  const by = FACTORS.find((by) => isClear && (isTimes(typed, number, by) || isTimes(typed, number, 1 / by)))
  return by ? { kind: "factor", by } : null
}

// Numbers that are all off by the same factor, or by the same amount
function inProportion(typed, { exact }) {
  if (isPercent(typed, exact)) return { kind: "percent" }
  const factor = factorOf(typed, { exact })
  if (factor) {
    const isOne = (x) => Math.abs(x - 1) <= NEAR
    return { kind: "same_factor", by: FACTORS.find((by) => isOne(factor / by) || isOne(factor * by)) }
  }
  const aways = typed.map(({ value }, k) => value - exact[k])
  if (aways.length > 2 && Math.abs(aways[0]) > NEARBY && Math.max(...aways) - Math.min(...aways) <= NEARBY)
    return { kind: "same_amount" }
  const off = aways.flatMap((away, k) => (away ? [k] : []))
  const isByOne = off.length > 0 && Math.abs(aways[off[0]]) === 1
  return isByOne && off.every((k) => aways[k] === aways[off[0]] && exact[k] >= COUNTED)
    ? { kind: "off_by_one", off }
    : null
}

// Whether these are the numbers in percent, to at least two digits
export function isPercent(typed, numbers) {
  const isHundredth = (one, number) => {
    const part = { ...one, value: one.value / 100, places: one.places === null ? null : one.places + 2 }
    return means(part, number) || rounds(part, number)
  }
  const isTold = numbers.some((number) => number % 1) && typed.some(({ figures }) => figures >= MIN_FIGURES)
  return isTold && typed.every((one, k) => isHundredth(one, numbers[k]))
}

export const isTimes = (typed, number, by) =>
  means(typed, number * by) && (typed.value % 1 !== 0 || (number * by) % 1 === 0)

// The common factor by which all numbers are off; 0 if there is none, or too little evidence
function factorOf(typed, { exact }) {
  const [largest] = exact.map((_, k) => k).sort((j, k) => Math.abs(exact[k]) - Math.abs(exact[j]))
  const factor = exact[largest] ? typed[largest].value / exact[largest] : 1
  const tells = new Set(exact).size > 1 && exact.filter((number) => number).length > 1
  const isFactor = typed.every(({ value }, k) => Math.abs(value - factor * exact[k]) <= NEARBY)
  return tells && Math.abs(factor - 1) > ALMOST && isFactor ? factor : 0
}

const isMoved = (factor) => [-3, -2, -1, 1, 2, 3].some((k) => Math.abs(factor * 10 ** k - 1) <= NEAR) // a power of ten

// Integers are not rounded, so being near one is no evidence, unless the pencil's number is none
const areNear = ({ paper, exact }, typed, off, within) =>
  off.every((k) => {
    const { value } = typed[k]
    const isRounded = (paper[k] % 1 || exact[k] % 1) && value % 1
    return isRounded && Math.abs(value - exact[k]) <= within(Math.abs(exact[k]))
  })

// Whether the typed numbers are a permutation of the right ones
function isReordered(typed, right) {
  const left = right.exact.map((_, k) => k)
  return typed.every((one) => {
    const at = left.findIndex((k) => isMeant(one, right, k))
    return at >= 0 && left.splice(at, 1).length === 1
  })
}
