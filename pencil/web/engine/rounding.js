// Rounding and formatting by the rule of pencil/rounding.py: three decimals and at most four significant digits, half
// away from zero, never minus zero. A number is settled first (rounded to 12 digits), so that 0.9995 is a tie.

export const PLACES = 3
export const FIGURES = 4
export const MINUS = "−"
export const HUGE = 1e9 // from here on numbers are not rounded
const LONGEST = 1e15 // from here on scientific notation is used
const TEN = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`)) // 10 ** n may be inexact; literals are exact

// Round a nonnegative number half to even, like NumPy's rint: floats from ROOM on have no decimals.
const ROOM = 2 ** 52
export const wholeOf = (size) => (size < ROOM ? size + ROOM - ROOM : size)

const signed = (x, size) => (x < 0 ? 0 - size : size) // 0 - 0 is 0: no minus zero

// The settled magnitude of a number as text: 12 significant digits, at most ten decimals. toFixed and toPrecision use
// the exact binary value, and round ties up.
const settled = (size) => (size < 10 ? size.toFixed(10) : size.toPrecision(12))

// The settled number as a float.
export function settle(x) {
  if (!Number.isFinite(x)) throw new RangeError(`${x} cannot settle; only finite numbers have digits`)
  return signed(x, Number(settled(Math.abs(x))))
}

// Whether a number is an integer up to float noise.
export const isWhole = (x) => Number.isFinite(x) && Number.isInteger(settle(x))

// For each number of decimals, the magnitude from which on it would exceed the significant digits: 3 decimals below 10.
const limitsOf = (places, figures) =>
  Array.from({ length: places + 1 }, (_, p) => (figures === null ? Infinity : Number(`1e${figures - p}`)))

function placesFor(size, limits) {
  let p = limits.length - 1
  while (p > 0 && size >= limits[p]) p--
  return p
}

// How many decimals a number is written with.
export const placesWritten = (x) => placesFor(Math.abs(x), limitsOf(PLACES, FIGURES))

// "0.9995000000", 3 -> 1. Exact, because it uses integers below 2 ** 53 and a single division.
function cut(text, places) {
  const [whole, decimals = ""] = text.split(".")
  if (decimals.length <= places) return Number(text)
  const unit = TEN[decimals.length - places]
  const n = Number(whole + decimals) + unit / 2
  return (n - (n % unit)) / unit / TEN[places]
}

function roundSlowly(x, limits) {
  if (!Number.isFinite(x)) return x
  const text = settled(Math.abs(x))
  const size = Number(text)
  return signed(x, size >= HUGE ? size : cut(text, placesFor(size, limits)))
}

// Returns the function that rounds a number to its paper value; create it once for many numbers.
//
// Settling as text is needed near ties only. It moves a number by at most 5e-11, or by 5e-12 of itself; below a million
// units of at most six decimals this is 5e-5 units, and the error of the product is far smaller. So a number that is
// further than 1e-3 units from a tie is rounded in the same direction, settled or not.
export function rounder(places = PLACES, figures = FIGURES) {
  const limits = limitsOf(places, figures)
  return (x) => {
    const size = Math.abs(x)
    const p = placesFor(size, limits)
    const units = size * TEN[p]
    if (p <= 6 && units < 1e6) {
      const below = Math.floor(units)
      const rest = units - below
      if (rest < 0.499) return signed(x, below / TEN[p])
      if (rest > 0.501) return signed(x, (below + 1) / TEN[p])
    }
    return roundSlowly(x, limits)
  }
}

const byTheRule = rounder()

// The paper value of a number.
export function roundHalfUp(x, { places = PLACES, figures = FIGURES } = {}) {
  return places === PLACES && figures === FIGURES ? byTheRule(x) : rounder(places, figures)(x)
}

// The digits of a number as the book writes them; with `whole`, 8 instead of 8.000.
export function show(x, { places = PLACES, figures = FIGURES, whole = false } = {}) {
  if (Number.isNaN(x)) return "NaN"
  const rounded = roundHalfUp(x, { places, figures })
  const size = Math.abs(rounded)
  const minus = rounded < 0 ? MINUS : ""
  if (size === Infinity) return `${minus}∞`
  if (size >= HUGE) return asGiven(rounded)
  if (whole && Number.isInteger(size)) return minus + size.toFixed(0)
  return minus + size.toFixed(placesFor(size, limitsOf(places, figures)))
}

const bare = (decimals) => decimals.replace(/\.?0+$/, "") // without trailing zeros

// An input with as many digits as it has: 0.5, 1.414, 8.
export function asGiven(x) {
  if (!Number.isFinite(x)) return show(x)
  const value = settle(x)
  const size = Math.abs(value)
  const minus = value < 0 ? MINUS : ""
  if (size < LONGEST) return minus + (Number.isInteger(size) ? size.toFixed(0) : bare(settled(size)))
  const [mantissa, power] = settled(size).split("e+")
  return `${minus}${bare(mantissa)}e${power}`
}
