// Exact numbers, as in pencil/trace/rationals.py: fractions of BigInts, and logarithms of fractions (the exponents for
// which e^x is rational). They are a number type for `operation` of operations.js.

import { MINUS, asGiven } from "./rounding.js"

// Thrown if a result is irrational; the message says what it is.
export class NoFraction extends Error {}

function refuse(said) {
  throw new NoFraction(said)
}

// A fraction is { over, under }, a logarithm { of } with the fraction of which it is the logarithm. ln 0 is −∞, as in a
// mask.
const isLog = (x) => x.of !== undefined
const isZero = (x) => x.over === 0n
const isBelow = (x) => x.over < 0n

function fraction(over, under = 1n) {
  if (under === 0n) refuse("a division by 0")
  let [greatest, rest] = [over, under]
  while (rest) [greatest, rest] = [rest, greatest % rest]
  if (greatest < 0n !== under < 0n) greatest = -greatest // the denominator is positive
  return { over: over / greatest, under: under / greatest }
}

const LONGEST = 14_000n // maximum number of bits of a power, as in rationals.py: longer ones would freeze the page
const SETTLED = 12 // significant digits to which rounding.js settles a number
const bits = (k) => (k < 0n ? -k : k).toString(2).length

const ZERO = fraction(0n)
const ONE = fraction(1n)
const NO_CHANCE = { of: ZERO }
const isMasked = (x) => isLog(x) && isZero(x.of)

const times = (x, y) => fraction(x.over * y.over, x.under * y.under)
const ratio = (x, y) => fraction(x.over * y.under, x.under * y.over)
const isSame = (x, y) => x.over === y.over && x.under === y.under

export function written(x) {
  if (isMasked(x)) return `${MINUS}∞`
  if (isLog(x)) return x.of.under > 1n ? `ln(${written(x.of)})` : `ln ${written(x.of)}`
  return `${x.over}${x.under > 1n ? `/${x.under}` : ""}`.replace("-", MINUS)
}

function logOf(x) {
  if (isBelow(x)) refuse(`ln of ${written(x)}, which is below 0`)
  return isSame(x, ONE) ? ZERO : { of: x }
}

function asLog(x) {
  if (isLog(x)) return x
  return isZero(x) ? { of: ONE } : refuse(`a logarithm beside ${written(x)}, which is none`)
}

// ---- the operations

function add(x, y) {
  if (!isLog(x) && !isLog(y)) return fraction(x.over * y.under + y.over * x.under, x.under * y.under)
  if (isMasked(x) || isMasked(y)) return NO_CHANCE
  return logOf(times(asLog(x).of, asLog(y).of))
}

function negative(x) {
  if (!isLog(x)) return fraction(-x.over, x.under)
  return isMasked(x) ? refuse("an infinity above all numbers") : { of: ratio(ONE, x.of) }
}

function subtract(x, y) {
  if (!isLog(x) && !isLog(y)) return add(x, negative(y))
  if (isMasked(x) && !isEqual(x, y)) return x
  return add(asLog(x), negative(asLog(y)))
}

function multiply(x, y) {
  if (isLog(x) && isLog(y)) refuse(`${written(x)} times ${written(y)}`)
  if (isLog(y)) return multiply(y, x)
  if (!isLog(x)) return times(x, y)
  if (!isMasked(x)) return logOf(power(x.of, y))
  return isZero(y) || isBelow(y) ? refuse("an infinity times 0, or below 0") : x
}

function divide(x, y) {
  if (isLog(y)) refuse(`${written(x)} divided by ${written(y)}`)
  return isLog(x) ? multiply(x, ratio(ONE, y)) : ratio(x, y)
}

function exp(x) {
  if (isLog(x)) return x.of
  return isZero(x) ? ONE : refuse(`e^${written(x)}, which is irrational`)
}

// A fraction to an integer power, or to a fraction if the root is rational
function power(x, y) {
  if (isLog(x) && !isLog(y) && (isZero(y) || isSame(y, ONE))) return isZero(y) ? ONE : x
  if (isLog(x) || isLog(y) || (isZero(x) && isBelow(y))) refuse(`${written(x)} to the power of ${written(y)}`)
  const base = y.under > 1n ? root(x, y.under) : x
  const size = isBelow(y) ? -y.over : y.over
  if (size * BigInt(Math.max(bits(base.over), bits(base.under)) - 1) > LONGEST)
    refuse(`${written(x)} to the power of ${written(y)}, which has too many digits`)
  const raised = fraction(base.over ** size, base.under ** size)
  return isBelow(y) ? ratio(ONE, raised) : raised
}

function root(x, n) {
  const parts = isBelow(x) ? [] : [x.over, x.under].map((k) => wholeRoot(k, n))
  if (parts.length < 2 || parts.includes(null)) refuse(n === 2n ? `√${written(x)}` : `a root of ${written(x)}`)
  return fraction(...parts)
}

// The integer root by bisection; null if there is none
function wholeRoot(k, n) {
  const length = BigInt(bits(k))
  if (n >= length) return k < 2n ? k : null // 2 ** n is greater than k
  let [low, high] = [0n, 1n << (length / n + 1n)]
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle ** n > k) high = middle - 1n
    else low = middle
  }
  return low ** n === k ? low : null
}

// sin, cos and tanh of any fraction but 0 are irrational
const onlyOfZero = (name, atZero) => (x) =>
  isZero(x) ? atZero : refuse(`${name} of ${written(x)}, which is irrational`)

function tanh(x) {
  if (!isLog(x)) return onlyOfZero("tanh", ZERO)(x)
  const square = times(x.of, x.of)
  return ratio(add(square, fraction(-1n)), add(square, ONE))
}

// Round half to even
function rint(x) {
  if (isLog(x)) refuse(`${written(x)}, rounded`)
  if (isBelow(x)) return negative(rint(negative(x)))
  const twice = 2n * x.over + x.under
  const whole = twice / (2n * x.under)
  return fraction(twice % (2n * x.under) ? whole : whole - (whole & 1n))
}

const isEqual = (x, y) => isLog(x) === isLog(y) && (isLog(x) ? isSame(x.of, y.of) : isSame(x, y))

function isLess(x, y) {
  if (isMasked(x)) return !isEqual(x, y)
  if (isLog(x)) return isLess(x.of, asLog(y).of)
  return isLog(y) ? !isLess(y, x) : x.over * y.under < y.over * x.under
}

const yes = (is) => (is ? ONE : ZERO)

const EACH = {
  add,
  subtract,
  multiply,
  divide,
  negative,
  exp,
  log: (x) => (isLog(x) ? refuse(`ln of ${written(x)}`) : logOf(x)),
  sqrt: (x) => (isLog(x) ? refuse(`√ of ${written(x)}`) : root(x, 2n)),
  sin: onlyOfZero("sin", ZERO),
  cos: onlyOfZero("cos", ONE),
  tanh,
  absolute: (x) => (isLess(x, ZERO) ? negative(x) : x),
  rint,
  power,
  maximum: (x, y) => (isLess(x, y) ? y : x),
  minimum: (x, y) => (isLess(y, x) ? y : x),
  greater: (x, y) => yes(isLess(y, x)),
  greater_equal: (x, y) => yes(!isLess(x, y)),
  less: (x, y) => yes(isLess(x, y)),
  less_equal: (x, y) => yes(!isLess(y, x)),
  equal: (x, y) => yes(isEqual(x, y)),
  where: (mask, x, y) => (isZero(mask) ? y : x),
}

// ---- conversion

const figures = (x) => x.toExponential().split("e")[0].replace(/\D/g, "").length

// A float to the fraction that it stands for: 0.1 is 1/10
export function read(x) {
  if (x === -Infinity) return NO_CHANCE
  if (x === Infinity) refuse("an infinity above all numbers")
  if (Number.isInteger(x)) return fraction(BigInt(x))
  const digits = asGiven(x).replace(MINUS, "-")
  const why = figures(x) > SETTLED ? "whose digits have no end" : "which goes on past the tenth decimal"
  if (Number(digits) !== x) refuse(`${x}, ${why}`)
  const decimals = digits.split(".")[1]
  return fraction(BigInt(digits.replace(".", "")), 10n ** BigInt(decimals.length))
}

// Parses what `written` writes: 14/3, −2, ln 3, ln(4/3), −∞
export function parse(text) {
  if (text.includes("∞")) return NO_CHANCE
  const [above, below = "1"] = text.replace(MINUS, "-").replace(/ln|[() ]/g, "").split("/").map(BigInt)
  return text.startsWith("ln") ? { of: fraction(above, BigInt(below)) } : fraction(above, BigInt(below))
}

// A number that is used as an index
export const placeOf = (x) => (isLog(x) ? NaN : Number(x.over) / Number(x.under))

export const FRACTIONS = {
  each: EACH,
  zero: ZERO,
  least: NO_CHANCE,
  of: (n) => fraction(BigInt(n)),
  order: (x, y) => (isLess(x, y) ? -1 : isLess(y, x) ? 1 : 0),
}
