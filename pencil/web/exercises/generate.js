// Generates the inputs of a worksheet from a seed, by the same rules as pencil/exercises/generation.py.

import { EngineError } from "../engine/operations.js"
import { load } from "../engine/program.js"
import { Mulberry32 } from "../engine/random.js"
import { FIGURES, PLACES } from "../engine/rounding.js"
import { Graph, upTo } from "../render/graph.js"

const HIGHEST = 3 // inputs are integers from −3 to 3:
const WHOLES = 7 // their number
const MOST = 12 // maximum score
const SMALLEST_WEIGHT = 0.02
const SMALLEST_SLOPE = 0.005
const FROM_A_TIE = 1e-6
const APART = 0.01 // maximum difference between paper and exact values
const SHEETS = 10_007
const TRIES = 100_000
const SCORES = ["scores", "scaled"]
const PROJECTIONS = ["query", "key", "value", "candidate"]
const GATES = ["forget_gate", "input_gate", "output_gate", "prob"]
// Two ways to compute a gradient, which must give the same digits on paper
const ALIKE = { error: "grad.logit", short_way: "grad.scaled" }

// data: exported by pencil.exercises.worksheet; seed: an integer.
// Yields null for each draw that breaks a rule, and then the engine's sheet with the inputs of that seed, or returns a
// sentence where none keeps the rules
export function* draws(data, seed) {
  const rng = new Mulberry32(seed)
  const sheet = load(data.run.program)
  const graph = new Graph(data.run, sheet)
  const [first] = graph.names.keys()
  for (let k = 0; k < TRIES; k++) {
    if (runs(sheet, givensOf(seed, data.givens, rng))) {
      graph.find(first) // drops cached values of the previous draw
      if (isValid(graph)) return yield sheet
    }
    yield null
  }
  return `Seed ${seed} deals no sheet. Take another.`
}

// The inputs encode the seed: read as digits in base seven, they are congruent to it modulo SHEETS, so that nearby
// seeds have different worksheets.
// -> { name: numbers }
function givensOf(seed, givens, rng) {
  const plain = Object.values(givens).reduce((sum, { size, how }) => sum + (how === "plain" ? size : 0), 0)
  // The remaining digits of the encoding
  let left = (seed % SHEETS) + SHEETS * rng.randint(0, Math.floor(WHOLES ** plain / SHEETS) - 1)
  const entry = (how) => {
    if (how !== "plain") return drawn(how, rng)
    const digit = left % WHOLES
    left = Math.floor(left / WHOLES)
    return digit - HIGHEST
  }
  const dealt = Object.entries(givens).map(([name, { size, how }]) => {
    const numbers = Float64Array.from({ length: size }, () => entry(how))
    return [name, numbers]
  })
  return Object.fromEntries(dealt)
}

// Weight matrices have two of three entries 0, and small others
function drawn(how, rng) {
  if (how === "gain") return rng.randint(1, HIGHEST)
  if (how === "small") return rng.randint(-1, 1)
  if (how === "full") return (1 - 2 * rng.randint(0, 1)) * rng.randint(1, 2)
  if (how === "truth") return rng.randint(0, 1)
  return rng.randint(0, 2) ? 0 : rng.randint(-2, 2)
}

function runs(sheet, given) {
  try {
    sheet.run(given)
    return true
  } catch (refused) {
    if (refused instanceof EngineError) return false
    throw refused
  }
}

// Whether all values keep the rules, exactly, on paper, and before rounding
function isValid(graph) {
  for (const [name, step] of graph.names) {
    if (step.op === "given" || name.startsWith("wrong.")) continue
    const exact = graph.numbers(step, "exact")
    const paper = step.op === "note" ? graph.numbers(step.args[0], "paper") : exact
    if (!isGood(name, exact, step.shape) || !isGood(name, paper, step.shape)) return false
    const written = graph.numbers(step, "paper")
    if (!exact.every((x, k) => isNear(x, written[k])) || !isAlike(graph, name, written)) return false
  }
  return true
}

const isNear = (exact, paper) =>
  Math.abs(exact - paper) <= Math.max(APART, (APART / 10) * Math.abs(exact)) + FROM_A_TIE

function isAlike(graph, name, written) {
  if (!graph.names.has(ALIKE[name])) return true
  const other = graph.numbers(graph.names.get(ALIKE[name]), "paper")
  return written.every((x, k) => x === other[k])
}

function isGood(name, numbers, shape) {
  const last = name.split(".").at(-1)
  const width = shape.at(-1) ?? 1
  const rows = upTo(numbers.length / width).map((r) => numbers.slice(r * width, (r + 1) * width))
  if (name.startsWith("grad.")) return isGoodSlope(name, numbers, rows)
  if (SCORES.includes(last) && numbers.some((x) => Math.abs(x) > MOST)) return false
  if (last === "scores" && rows.some((row) => Math.abs(sum(row)) <= FROM_A_TIE)) return false
  // Rows of zeros are uninformative
  if (PROJECTIONS.includes(last) && rows.some((row) => row.every((x) => x === 0))) return false
  if (last === "value" && doCancel(rows)) return false // the sum and the mean would both be 0
  if (
    (last === "weights" || GATES.includes(last)) &&
    numbers.some((x) => x < SMALLEST_WEIGHT || x > 1 - SMALLEST_WEIGHT)
  )
    return false
  if (last === "weights" && rows.every((row) => Math.max(...row) - Math.min(...row) <= SMALLEST_WEIGHT))
    return false // all rows are uniform
  return !isNearTie(numbers)
}

const sum = (row) => row.reduce((total, x) => total + x, 0)

function isGoodSlope(name, numbers, rows) {
  if (numbers.some((x) => Math.abs(x) <= SMALLEST_SLOPE)) return false
  if (name === "grad.weights" && rows.some((row) => Math.abs(sum(row)) <= SMALLEST_SLOPE)) return false
  return !isNearTie(numbers)
}

const doCancel = (rows) =>
  rows[0].every((_, k) => Math.abs(sum(rows.map((row) => row[k]))) <= FROM_A_TIE)

// Whether a number is within a millionth of a rounding tie, or too long to write
function isNearTie(numbers) {
  return numbers.some((number) => {
    const size = Math.abs(number)
    const figuresLeft = FIGURES - 1 - Math.floor(Math.log10(size))
    const scale = 10 ** (size < 1 ? PLACES : Math.min(PLACES, Math.max(0, figuresLeft)))
    return size >= 10 ** (FIGURES - 1) || Math.abs(((size * scale) % 1) - 0.5) <= FROM_A_TIE * scale
  })
}
