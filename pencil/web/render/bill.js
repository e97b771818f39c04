// The operation counts of a value, from the named values that it depends on, as pencil/trace/costs.py without fast
// memory.

import { operation } from "../engine/operations.js"

// Operations per number of the result
const EACH = {
  additions: ["add", "subtract"],
  multiplications: ["multiply"],
  divisions: ["divide"],
  functions: ["exp", "log", "sqrt", "sin", "cos", "tanh", "power"],
  comparisons: ["maximum", "minimum", "greater", "greater_equal", "less", "less_equal", "equal"],
}
const CURRENCIES = ["multiplications", "additions", "divisions", "functions", "comparisons"]

// -> { multiplications, additions, …, reads, writes }
export function billOf(named) {
  const bill = Object.fromEntries([...CURRENCIES, "reads", "writes"].map((word) => [word, 0]))
  const cells = new Map() // step: the id of each of its numbers; −1 for constants of the code
  let next = 0
  const fresh = ({ op, size }) => Float64Array.from({ length: size }, () => (op === "constant" ? -1 : next++))
  const of = (step) => cells.get(step) ?? cells.set(step, fresh(step)).get(step)
  for (const step of between(named)) {
    const places = step.args.map(of)
    if (step.op === "note") cells.set(step, places[0])
    else if (step.op === "gather") cells.set(step, moved(step, places))
    else {
      for (const [word, count] of cost(step)) bill[word] += count
      // Lookups read the selected rows only
      if (step.op.startsWith("take")) places[0] = moved(step, [places[0], numbersOf(step.args[1])])
      const numbers = new Set(places.flatMap((row) => [...row]))
      numbers.delete(-1)
      bill.reads += numbers.size
      bill.writes += step.size
    }
  }
  return bill
}

function moved(step, args) {
  const out = new Float64Array(step.size)
  operation(
    step,
    step.args.map(({ shape }) => shape),
  )(args, out)
  return out
}

const numbersOf = (step) => step.every("exact")

// The steps that a value depends on, in topological order
function between(named) {
  const steps = new Set()
  const visit = (step) => {
    if (steps.has(step) || (step.name && step !== named) || !step.args.length) return
    step.args.forEach(visit)
    steps.add(step)
  }
  visit(named)
  return steps
}

function cost({ op, size, shape, args: [a], axis }) {
  const inner = a.shape.at(-1)
  if (op === "matmul") return [["multiplications", size * inner], ["additions", size * (inner - 1)]]
  if (op === "sum") return [["additions", a.size - size]]
  if (op === "mean") return [["additions", a.size - size], ["divisions", size]]
  if (op === "max") return [["comparisons", a.size - size]]
  if (op === "cumsum") return [["additions", a.size - a.size / shape[axis[0]]]]
  const word = CURRENCIES.find((currency) => EACH[currency].includes(op))
  return word ? [[word, size]] : []
}

// "32 multiplications, 24 additions; 40 numbers read, 8 written"
export function said(bill) {
  const arithmetic = CURRENCIES.filter((word) => bill[word]).map(
    (word) => `${bill[word]} ${bill[word] === 1 ? word.slice(0, -1) : word}`,
  )
  return `${arithmetic.join(", ") || "nothing to compute"}; ${bill.reads} numbers read, ${bill.writes} written`
}
