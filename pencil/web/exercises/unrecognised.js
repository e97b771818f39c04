// Messages for answers that are neither right nor a known mistake: too few digits, a wrong sign, another order.
// The same as pencil/exercises/unrecognised.py.

import { PLACES, placesWritten } from "../engine/rounding.js"
import { cuts, means, rounds } from "./answers.js"

// Relative and absolute tolerance for answers that may have been rounded in intermediate steps
const [NEAR, NEARBY] = [0.005, 0.0015]
const ALMOST = 0.03 // relative to the largest number, if nothing else is known
const ROUNDED = 0.001 // relative tolerance for mistakes, in addition to NEARBY
export const PARTS_KEY = "parts" // key for sums that were not added up, or rows that were
export const MIN_FIGURES = 2 // significant digits that identify a number
export const PER_CENT = "Is this per cent? Then write the sign behind it, or divide by a hundred."
const ONCE_TOO_OFTEN = ": something was multiplied or divided once too often, or not at all."
export const FACTORS = [[2, "two"], [3, "three"], [4, "four"]] // factors to name in messages
export const COUNTED = 10 // smaller numbers may be off by one for any reason
const TENTH = 0.1 // a relative error above it is an omission, not rounding
const TOO_ROUGH = "Whole numbers are too rough here. Carry three decimals."
const ALONE = "You gave everything to one. Another has a share as well. Carry three decimals."
const ROUND = "Round at the end of each line, and carry on with what you wrote."
const POINT = "The digits are right. Count the zeros, and look where the point stands."

export const say = (verdict, message, wrong = "") => ({ verdict, message, wrong, read: true })
export const isMeant = (typed, { paper, exact }, k, places) =>
  means(typed, paper[k], places) || means(typed, exact[k], places)
export const areMeant = (typed, numbers, places) =>
  typed.length === numbers.paper.length && typed.every((one, k) => isMeant(one, numbers, k, places))
const areCut = (typed, { exact }) =>
  typed.length === exact.length && typed.every((one, k) => means(one, exact[k]) || cuts(one, exact[k]))

// Whether it is the answer rounded to integers. A zero beside decimals was not rounded.
export function isRough(typed, { exact }) {
  if (typed.length !== exact.length || !typed.every((one, k) => rounds(one, exact[k]))) return false
  const whole = typed.filter((one, k) => one.places === 0 && !means(one, exact[k]))
  return whole.some(({ value }) => value) || (whole.length > 0 && !typed.some(({ places }) => places))
}

// The message for an answer that is unexplained, or explained only by an earlier mistake;
// null if there is nothing to say
export function unknown(exercise, typed, isExplained = false) {
  const { right, places } = exercise
  const wanted = right.paper.length
  if (typed.length !== wanted) return null
  const off = offIn(right, typed, places)
  if (!uncutIn(right, typed, off).length) return cutShort(exercise, typed, off, isExplained)
  const signs = turned(exercise, typed)
  if (signs) return say("wrong", signs)
  if (wanted > 1 && isReordered(typed, right)) return say("wrong", "The numbers stand in another order.")
  const written = miswritten(exercise, typed, off)
  if (written) return say("wrong", written)
  if (areNear(right, typed, off, (size) => NEAR * size + NEARBY)) return close(typed, off)
  if (isRough(typed, right)) return say("wrong", isAlone(typed, right) ? ALONE : TOO_ROUGH)
  return wanted > 1 && isMoved(factorOf(typed, right)) ? say("wrong", POINT) : null
}

// Whoever typed three decimals has carried them
function close(typed, off) {
  const where = off.length === typed.length ? "Close." : `${inNumbers(off)} you are close.`
  const carry = off.every((k) => (typed[k].places ?? PLACES) >= PLACES) ? "" : "Carry three decimals. "
  return say("wrong", `${where} Was a number rounded too soon? ${carry}${ROUND}`)
}

// Truncated instead of rounded digits, or swapped digits
function miswritten({ right }, typed, off) {
  const where = typed.length > 1 ? ` in ${numbered(off)}` : ""
  if (off.every((k) => bothAt(right, k).some((x) => isCutOff(typed[k], x))))
    return `You cut the digits off${where}. Round: the first digit that is left out says whether to round up.`
  if (off.every((k) => bothAt(right, k).some((x) => haveChangedPlaces(typed[k], x))))
    return `Two digits have changed places${where}. Look at what you wrote down.`
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
  const said = wanted === 1 ? relatedOne(typed[0], right.exact[0]) : inProportion(typed, right)
  return said ? say("wrong", said) : null
}

// The fallback message: that it is close, or how many numbers are right, and which to look at first
export function notYet({ right, places }, typed) {
  const wanted = right.paper.length
  const off = offIn(right, typed, places)
  const most = ALMOST * Math.max(...right.exact.map(Math.abs))
  if (areNear(right, typed, off, (size) => Math.min(most, TENTH * size))) return close(typed, off)
  if (wanted === 1) return say("wrong", "Not yet.")
  const good = wanted - off.length
  const first = uncutIn(right, typed, off)[0] + 1
  if (good > 1 && off.length === 1)
    return say("wrong", `Not yet: number ${first} alone differs. Work its line once more.`)
  const also = good ? ` ${good} of ${wanted} are right.` : ""
  return say("wrong", `Not yet: number ${first} is the first that differs.${also}`)
}

export const offIn = (right, typed, places) => typed.flatMap((one, k) => (isMeant(one, right, k, places) ? [] : [k]))
const bothAt = (right, k) => [right.paper[k], right.exact[k]]
const uncutIn = (right, typed, off) => off.filter((k) => !bothAt(right, k).some((x) => cuts(typed[k], x)))

function cutShort({ right, wrong }, typed, off, isExplained) {
  const isClear =
    !isExplained &&
    off.every((k) => typed[k].figures >= MIN_FIGURES && bothAt(right, k).some((x) => rounds(typed[k], x))) &&
    !Object.values(wrong).some(([numbers]) => areCut(typed, numbers))
  const isPlain = off.every((k) => placesWritten(right.exact[k]) === PLACES)
  const enough = isPlain ? "three decimals" : "four figures"
  return say("short", `${isClear ? "So far, so good" : "Too short to tell"}. Write ${enough}.`)
}

// A message if the numbers are right except for their signs; else ""
export function turned({ right, places }, typed) {
  const off = typed.length === right.paper.length ? offIn(right, typed, places) : []
  const isTurnedAt = (k) => {
    const other = { ...typed[k], value: -typed[k].value }
    return other.value && bothAt(right, k).some((x) => means(other, x))
  }
  const where = typed.length > 1 && off.length ? ` of ${numbered(off)}` : ""
  return off.length && off.every(isTurnedAt) ? `Look at the sign${where}.` : ""
}

// Whether these are the numbers, rounded to at least two digits or with errors of intermediate rounding
export const isNearly = (typed, { exact }) =>
  typed.length === exact.length &&
  typed.some(({ value, figures }) => value % 1 && figures >= MIN_FIGURES) &&
  typed.every((one, k) => means(one, exact[k]) || isCut(one, exact[k]) || isRounded(one, exact[k]))
const isCut = (typed, number) => Math.max(typed.figures, typed.places ?? 0) >= MIN_FIGURES && cuts(typed, number)
const isRounded = ({ value, places }, number) =>
  places >= PLACES && number % 1 !== 0 && Math.abs(value - number) <= roundedBy(Math.abs(number))
const roundedBy = (size) => ROUNDED * size + Math.min(NEARBY, TENTH * size)

// A single number that is neither right, nor near, nor a known mistake
function relatedOne(typed, number) {
  if (isPercent([typed], [number])) return PER_CENT
  const moved = [10, 100, 1000].flatMap((by) => [number * by, number / by])
  const isMoved = (x) => means(typed, x)
  // integers are not rounded
  if ((number % 1 && moved.some(isMoved)) || (Math.abs(number) >= 100 && moved.includes(typed.value))) return POINT
  if (![0, 1, -1].includes(number) && means(typed, 1 / number))
    return "The fraction is upside down: this is one divided by the answer."
  if (number % 1 === 0 && number >= COUNTED && Math.abs(typed.value - number) === 1)
    return "You are off by one. Was the first or the last counted twice, or left out?"
  const isClear = number % 1 || typed.value % 1 ? typed.figures >= MIN_FIGURES : Math.abs(number) >= 100
  const isBy = ([by]) => isClear && (isTimes(typed, number, by) || isTimes(typed, number, 1 / by))
  const known = FACTORS.find(isBy)
  return known ? `You are off by a factor of ${known[1]}${ONCE_TOO_OFTEN}` : ""
}

// Numbers that are all off by the same factor, or by the same amount
function inProportion(typed, { exact }) {
  if (isPercent(typed, exact)) return PER_CENT
  const factor = factorOf(typed, { exact })
  if (factor) {
    const isOne = (x) => Math.abs(x - 1) <= NEAR
    const known = FACTORS.find(([by]) => isOne(factor / by) || isOne(factor * by))
    return `Every number is off by the same factor${known ? `, ${known[1]}` : ""}${ONCE_TOO_OFTEN}`
  }
  const aways = typed.map(({ value }, k) => value - exact[k])
  if (aways.length > 2 && Math.abs(aways[0]) > NEARBY && Math.max(...aways) - Math.min(...aways) <= NEARBY)
    return "Every number is off by the same amount: something was added to all of them, or taken off."
  const off = aways.flatMap((away, k) => (away ? [k] : []))
  const isByOne = off.length > 0 && Math.abs(aways[off[0]]) === 1
  return isByOne && off.every((k) => aways[k] === aways[off[0]] && exact[k] >= COUNTED)
    ? `${inNumbers(off)}: you are off by one. Is something counted twice, or left out?`
    : ""
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

export const sum = (numbers) => numbers.reduce((all, x) => all + x, 0)

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

// [0, 2] -> "In numbers 1 and 3"
export const inNumbers = (off) => `In ${numbered(off)}`

// [0, 2] -> "numbers 1 and 3"
export function numbered(off) {
  const called = off.map((k) => k + 1)
  const last = called.pop()
  return called.length ? `numbers ${called.join(", ")} and ${last}` : `number ${last}`
}

// Whether the typed numbers are a permutation of the right ones
function isReordered(typed, right) {
  const left = right.exact.map((_, k) => k)
  return typed.every((one) => {
    const at = left.findIndex((k) => isMeant(one, right, k))
    return at >= 0 && left.splice(at, 1).length === 1
  })
}
