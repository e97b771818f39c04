// Claims: conditions on values, such as "nolan.weights[ended] > 0.9". The grammar is in pencil/checker/claims.py.

import { roundHalfUp } from "../engine/rounding.js"

const SIGNS = {
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  "≥": (a, b) => a >= b,
  "≤": (a, b) => a <= b,
  "=": (a, b) => a === b,
  "≠": (a, b) => a !== b,
  "≈": (a, b) => Math.abs(a - b) <= Math.abs(b) / 10,
}
const MEMBER = { "∈": true, "∉": false }
const JOINED = { "·": (a, b) => a * b, "/": (a, b) => a / b, "+": (a, b) => a + b, "−": (a, b) => a - b }
const each = (act) => (row) => row.map(act)
const FUNCTIONS = {
  max: (row) => [Math.max(...row)],
  min: (row) => [Math.min(...row)],
  sum: (row) => [row.reduce(JOINED["+"])],
  abs: each(Math.abs),
  sign: each(Math.sign),
  "√": each(Math.sqrt),
  twice: each((x) => 2 * x),
  half: each((x) => x / 2),
  third: each((x) => x / 3),
  quarter: each((x) => x / 4),
  tenth: each((x) => x / 10),
}
const ORDERS = { ascending: SIGNS["≤"], descending: SIGNS["≥"] }

const WORDS = [...Object.keys(FUNCTIONS).filter((name) => name !== "√"), ...Object.keys(ORDERS), "all", "none", "exact"]
const LETTER = "[\\p{L}\\p{N}_√]"
const TOKEN = new RegExp( // one of the words is a reference where no term follows it: `half > 0.1`
  `\\s*(?:(?<word>√|and(?!${LETTER})|(?:${WORDS.join("|")})(?=\\s+(?:(?!and(?!${LETTER}))${LETTER}|−\\d)))` +
    `|(?<sign>[${Object.keys({ ...SIGNS, ...MEMBER }).join("")}])|(?<number>\\d+(?:\\.\\d+)?(?![\\p{L}\\p{N}_:]))` +
    `|(?<joint>[${Object.keys(JOINED).join("")}])` +
    "|(?<reference>(?:\\d\\d[a-z]?:)?[\\p{L}_][\\p{L}\\p{N}_.]*(?:\\[[^\\]]*\\])?))\\s*",
  "uy",
)

// Claims: struck out while their condition is false. One of several runs is bound to each of them, and written with
// the numbers of its own run, so that it is put again wherever they change; figures, which never change, bind nothing.
export function claim(element, find) {
  const { references, holds } = readClaim(element.dataset.when)
  const found = new Map(references.map((reference) => [reference, find(reference)]))
  const runs = new Set([...found.values()].filter(Boolean).map(({ run }) => run))
  const put = (written) => element.toggleAttribute("data-untrue", written.startsWith("false"))
  return [...runs].map((run) => {
    const write = (worked, other) => {
      const own = []
      const isSo = holds((reference, track) => {
        const whose = found.get(reference)
        const value = (whose.run === run ? worked : other(whose.run)).find(whose.reference)[track]
        if (whose.run === run && runs.size > 1) own.push(value)
        return value
      })
      return [isSo, ...own].join(" ")
    }
    return { run, write, put }
  })
}

// Parses a claim -> its references, and holds(valueOf), where valueOf(reference, track) returns a number or a row
export function readClaim(text) {
  const tokens = tokenize(text)
  const take = (kind, known) => {
    const [first] = tokens
    return first?.kind === kind && (!known || first.text in known) ? tokens.shift().text : undefined
  }
  const comparisons = []
  do comparisons.push(readComparison(take))
  while (take("word", { and: true }))
  const terms = comparisons.flatMap(({ sides }) => sides.flatMap((side) => side.terms))
  const references = terms.map(({ reference }) => reference).filter(Boolean)
  return { references, holds: (valueOf) => comparisons.map((one) => isSo(one, valueOf)).every(Boolean) }
}

function tokenize(text) {
  const tokens = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const [kind, said] = Object.entries(found.groups).find(([, said]) => said !== undefined)
    tokens.push({ kind, text: said })
  }
  return tokens
}

function readComparison(take) {
  const quantifier = take("word", { all: true, none: true, ...ORDERS }) ?? ""
  const [sides, signs] = [[readSide(take)], []]
  for (let sign = take("sign"); sign; sign = take("sign")) {
    signs.push(sign)
    sides.push(readSide(take))
  }
  return { quantifier, sides, signs }
}

function readSide(take) {
  const [first, joint] = [readTerm(take), take("joint")]
  return joint ? { joint, terms: [first, readTerm(take)] } : { terms: [first] }
}

function readTerm(take) {
  const functions = []
  for (let name = take("word", FUNCTIONS); name; name = take("word", FUNCTIONS)) functions.unshift(name)
  const track = take("word", { exact: true }) ?? "paper"
  const minus = take("joint", { "−": true })
  const number = take("number")
  if (number) return { functions, number: minus ? -number : Number(number) }
  return { functions, track, reference: take("reference") }
}

function isSo({ quantifier, sides, signs }, valueOf) {
  const rows = sides.map((side) => written(side, valueOf))
  if (quantifier in ORDERS) return rows[0].every((x, k) => k === 0 || ORDERS[quantifier](rows[0][k - 1], x))
  const steps = signs.map((sign, k) => compared(rows[k], rows[k + 1], sign))
  if (quantifier === "none") return !steps.some((step) => step.some(Boolean))
  return steps.every((step, k) => (signs[k] === "≠" && !quantifier ? step.some(Boolean) : step.every(Boolean)))
}

function compared(left, right, sign) {
  return sign in MEMBER ? left.map((x) => right.includes(x) === MEMBER[sign]) : paired(left, right, SIGNS[sign])
}

// The numbers of a side, rounded
function written({ joint, terms }, valueOf) {
  const [first, second] = terms.map(({ functions, number, track, reference }) => {
    const row = numbersOf(number ?? valueOf(reference, track))
    return functions.reduce((now, name) => FUNCTIONS[name](now), row)
  })
  return (second ? paired(first, second, JOINED[joint]) : first).map((x) => roundHalfUp(x))
}

const numbersOf = (x) => (x.length ? [...x] : [x])

// Elementwise, with broadcasting of numbers
const paired = (a, b, act) =>
  (a.length > b.length ? a : b).map((_, k) => act(a[a.length > 1 ? k : 0], b[b.length > 1 ? k : 0]))
