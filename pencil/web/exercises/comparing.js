// When a typed number is a right one: to its own last decimal, and what a cut, rounded or reordered one has in common
// with it. `numbers` are { paper, exact }, with further readings that are right as well in `also`.

import { PLACES, placesWritten } from "../engine/rounding.js"

export const MIN_FIGURES = 2 // significant digits that identify a number
export const CLEAR = 3 // significant digits that nothing else comes to by chance
// Relative and absolute tolerance for answers that may have been rounded in intermediate steps
export const [NEAR, NEARBY] = [0.005, 0.0015]
export const TENTH = 0.1 // a relative error above it is an omission, not rounding
const ROUNDED = 0.001 // relative tolerance for mistakes, in addition to NEARBY

// Whether a typed number is right: to its last decimal, with at least `enough` decimals unless fewer are exact. If the
// number was rounded to three decimals or four digits, 1/3.718 or 0.26896 is right for 0.269 too. Infinity is never
// right.
export function means({ value, places, figures }, number, enough = PLACES) {
  if (!Number.isFinite(number)) return false
  const off = Math.abs(value - number)
  const scale = Math.max(1, Math.abs(number))
  const written = placesWritten(number)
  const wasCut = number % 1 !== 0 && number === Number(number.toFixed(PLACES))
  if (off <= 1e-9 * scale || (wasCut && (places === null || places > written) && off <= half(written)))
    return true
  // 2.75 for 2.750: trailing zeros may be left out
  if (figures > 1 && places > 0 && places < written && off <= half(written)) return true
  if (places === null) return off <= 1e-6 * scale
  return places >= Math.min(enough, written) && rounds({ value, places }, number)
}

// Whether it is the number rounded or truncated to fewer decimals, but not to a bare whole number
export const cuts = (typed, number) =>
  Boolean(typed.places && (typed.value % 1 || (typed.figures > 2 && Math.abs(typed.value) > 1))) &&
  (rounds(typed, number) || cutsOff(typed, number))

// Whether it is the number, rounded to as many decimals as were typed
export const rounds = ({ value, places }, number) =>
  places !== null && Math.abs(value - number) <= half(places)

// Whether it is truncated: 0.90 for 0.905
function cutsOff({ value, places, figures }, number) {
  const left = Math.abs(number) - Math.abs(value)
  const isShorter = number % 1 && figures > 1 && places < placesWritten(number)
  return Boolean(isShorter) && value * number > 0 && left >= 0 && left < 10 ** -places * (1 - 1e-6) // 0.29 is no 0.3
}

// Half a unit of the last decimal, plus a tolerance for float noise
const half = (places) => 0.5 * 10 ** -places * (1 + 1e-9)

export const tracksAt = ({ paper, exact, also = [] }, k) => [paper[k], exact[k], ...also.map((numbers) => numbers[k])]
export const isMeant = (typed, numbers, k, places) =>
  tracksAt(numbers, k).some((number) => means(typed, number, places))
export const areMeant = (typed, numbers, places) =>
  typed.length === numbers.paper.length && typed.every((one, k) => isMeant(one, numbers, k, places))
// The indices at which another number was typed
export const offIn = (right, typed, places) => typed.flatMap((one, k) => (isMeant(one, right, k, places) ? [] : [k]))
export const uncutIn = (right, typed, off) => off.filter((k) => !tracksAt(right, k).some((x) => cuts(typed[k], x)))
export const isMadeAt = (off, numbers, typed, places) =>
  numbers.exact.length === typed.length && !offIn(numbers, typed, places).some((k) => off.includes(k))

// Whether it is the answer rounded to integers. A zero beside decimals was not rounded.
export function isRough(typed, { exact }) {
  if (typed.length !== exact.length || !typed.every((one, k) => rounds(one, exact[k]))) return false
  const whole = typed.filter((one, k) => one.places === 0 && !means(one, exact[k]))
  return whole.some(({ value }) => value) || (whole.length > 0 && !typed.some(({ places }) => places))
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

export const negated = (typed) => typed.map((one) => ({ ...one, value: -one.value }))
export const sum = (numbers) => numbers.reduce((all, x) => all + x, 0)
export const slices = (numbers, width) =>
  numbers.flatMap((_, k) => (k % width ? [] : [numbers.slice(k, k + width)]))
