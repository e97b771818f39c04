// Claims: conditions on values, such as "nolan.weights[ended] > 0.9". The grammar is in pencil/checker/claims.py.

import { roundHalfUp } from "../engine/rounding.js"

const COMPARED = {
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  "≥": (a, b) => a >= b,
  "≤": (a, b) => a <= b,
  "=": (a, b) => a === b,
}
const JOINED = { "·": (a, b) => a * b, "/": (a, b) => a / b, "+": (a, b) => a + b, "−": (a, b) => a - b }
const APPLIED = {
  max: (row) => [Math.max(...row)],
  min: (row) => [Math.min(...row)],
  "√": (row) => row.map(Math.sqrt),
}

// Claims: struck out while their condition is false
export function claim(element, find) {
  const { references, holds } = readClaim(element.dataset.when)
  const { run } = find(references[0])
  const write = (worked) => String(holds((reference) => worked.find(find(reference).reference).paper))
  const put = (isSo) => element.toggleAttribute("data-untrue", isSo === "false")
  return { run, write, put }
}

// Parses a claim -> its references, and holds(valueOf), where valueOf(reference) returns a number or a row
export function readClaim(text) {
  const comparisons = text.split(" and ").map((one) => {
    const [left, sign, right] = one.split(/ ([><≥≤=≠]) /)
    return { sign, sides: [readSide(left), readSide(right)] }
  })
  const terms = comparisons.flatMap(({ sides }) => sides.flatMap((side) => side.terms))
  const references = terms.map(({ leaf }) => leaf).filter((leaf) => !isNumber(leaf))
  return { references, holds: (valueOf) => comparisons.every((one) => isSo(one, valueOf)) }
}

const isNumber = (leaf) => /^\d/.test(leaf)

function readSide(text) {
  const [first, sign, second] = text.split(/ ([·/+−]) /)
  return { sign, terms: [first, second].filter(Boolean).map(readTerm) }
}

function readTerm(text) {
  const [, name, leaf] = /^(?:(max|min|√) ?)?(.+)$/.exec(text)
  return { name, leaf }
}

function isSo({ sign, sides }, valueOf) {
  const [left, right] = sides.map((side) => written(side, valueOf))
  const both = (compare) => paired(left, right, compare)
  return sign === "≠" ? !both(COMPARED["="]).every(Boolean) : both(COMPARED[sign]).every(Boolean)
}

// The paper value of a side
function written({ sign, terms }, valueOf) {
  const [first, second] = terms.map(({ name, leaf }) => {
    const row = numbersOf(isNumber(leaf) ? Number(leaf) : valueOf(leaf))
    return name ? APPLIED[name](row) : row
  })
  return (second ? paired(first, second, JOINED[sign]) : first).map((x) => roundHalfUp(x))
}

const numbersOf = (x) => (x.length ? [...x] : [x])

// Elementwise, with broadcasting of numbers
const paired = (a, b, act) =>
  (a.length > b.length ? a : b).map((_, k) => act(a[a.length > 1 ? k : 0], b[b.length > 1 ? k : 0]))
