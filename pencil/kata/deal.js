// Fresh numbers: a seed deals the sheet that pencil/kata/deal.py deals, by the same rules.

import { Dice } from "./dice.js"
import { EngineError, FIGURES, PLACES, load } from "../widgets/engine.js"
import { Graph, upTo } from "../widgets/graph.js"

const HIGHEST = 3, WHOLES = 7, MOST = 12 // a given number, from −3 to 3; a score
const SMALLEST_SHARE = 0.02, FROM_A_TIE = 1e-6, SHEETS = 10_007, TRIES = 100_000
const SCORES = ["scores", "scaled"], TAGS = ["query", "key", "value", "candidate"], VOTES = ["keep", "admit", "show"]

// data: what pencil.kata.sheet wrote; seed: a whole number. -> the engine's sheet with the numbers of that seed
export function deal(data, seed) {
  const dice = new Dice(seed), sheet = load(data.run.program), graph = new Graph(data.run, sheet), [first] = graph.names.keys()
  for (let k = 0; k < TRIES; k++) {
    if (!runs(sheet, throwFor(seed, data.givens, dice))) continue
    graph.find(first) // what was kept of the last throw is forgotten
    if (fits(graph)) return sheet
  }
  throw new RangeError(`seed ${seed} deals no sheet on ${data.topic} in ${TRIES} throws; take another`)
}

// The plain numbers bear the seed: read in base seven they leave the same remainder by SHEETS as it, so near seeds never deal one sheet.
function throwFor(seed, givens, dice) { // -> { name: numbers }
  const plain = Object.values(givens).reduce((sum, { size, how }) => sum + (how === "plain" ? size : 0), 0)
  let left = (seed % SHEETS) + SHEETS * dice.whole(0, Math.floor(WHOLES ** plain / SHEETS) - 1) // the digits that are still to be dealt
  const entry = (how) => {
    if (how !== "plain") return dial(how, dice)
    const digit = left % WHOLES
    left = Math.floor(left / WHOLES)
    return digit - HIGHEST
  }
  return Object.fromEntries(Object.entries(givens).map(([name, { size, how }]) => [name, Float64Array.from({ length: size }, () => entry(how))]))
}

function dial(how, dice) { // of a grid two of three dials are 0, and the others small
  if (how === "gain") return dice.whole(1, HIGHEST)
  if (how === "small") return dice.whole(-1, 1)
  return dice.whole(0, 2) ? 0 : dice.whole(-2, 2)
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

// Does every value keep the rules, exactly and on paper, before it is rounded?
function fits(graph) {
  for (const [name, step] of graph.names) {
    if (step.op === "given" || name.startsWith("wrong.")) continue
    const exact = graph.numbers(step, "exact"), paper = step.op === "note" ? graph.numbers(step.args[0], "paper") : exact
    if (!isGood(name, exact, step.shape) || !isGood(name, paper, step.shape)) return false
  }
  return true
}

function isGood(name, numbers, shape) {
  const last = name.split(".").at(-1), width = shape.at(-1) ?? 1
  const rows = upTo(numbers.length / width).map((r) => numbers.slice(r * width, (r + 1) * width))
  if (SCORES.includes(last) && numbers.some((x) => Math.abs(x) > MOST)) return false
  if (TAGS.includes(last) && rows.some((row) => row.every((x) => x === 0))) return false // a tag of noughts says nothing
  if (last === "value" && doCancel(rows)) return false // what cancels has one sum and average: 0
  if ((last === "weights" || VOTES.includes(last)) && numbers.some((x) => x < SMALLEST_SHARE || x > 1 - SMALLEST_SHARE)) return false
  if (last === "weights" && rows.every((row) => Math.max(...row) - Math.min(...row) <= SMALLEST_SHARE)) return false // all rows are even
  return !isNearTie(numbers)
}

const doCancel = (rows) => rows[0].every((_, k) => Math.abs(rows.reduce((sum, row) => sum + row[k], 0)) <= FROM_A_TIE)

// Is a number within a millionth of one that lies half-way between two written ones, or too long to write on a sheet?
function isNearTie(numbers) {
  return numbers.some((number) => {
    const x = Math.abs(number), scale = 10 ** (x < 1 ? PLACES : Math.min(PLACES, Math.max(0, FIGURES - 1 - Math.floor(Math.log10(x)))))
    return x >= 10 ** (FIGURES - 1) || Math.abs(((x * scale) % 1) - 0.5) <= FROM_A_TIE * scale
  })
}
