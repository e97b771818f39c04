// Runs a program of pencil.trace again, with other givens: the same operations between arrays, both tracks at once.
// A program is what Trace.program() exports. There is no attention and no softmax here; those are in the program.

import { asGiven, rounder, show } from "./rounding.js"

export * from "./rounding.js"

// A run that is refused: `step` names the value that has no number, `message` says what to do.
export class EngineError extends Error {
  constructor(step, message) {
    super(message)
    this.name = "EngineError"
    this.step = step
  }
}

export const count = (shape) => shape.reduce((n, k) => n * k, 1)
const toNumber = (x) => (typeof x === "number" ? x : x === "Infinity" ? Infinity : x === "-Infinity" ? -Infinity : NaN)

// ---- operations: each becomes a closure (args, out) that knows where every number stands

const greatest = (x, y) => (x > y || Number.isNaN(x) ? x : y) // NaN wins, as in NumPy; of two zeros the second
const EACH = {
  add: (x, y) => x + y, subtract: (x, y) => x - y, multiply: (x, y) => x * y, divide: (x, y) => x / y, negative: (x) => -x,
  exp: Math.exp, log: Math.log, sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tanh: Math.tanh,
  maximum: greatest, minimum: (x, y) => (x < y || Number.isNaN(x) ? x : y),
  greater: (x, y) => +(x > y), greater_equal: (x, y) => +(x >= y), less: (x, y) => +(x < y), less_equal: (x, y) => +(x <= y), equal: (x, y) => +(x === y),
  where: (mask, x, y) => (mask !== 0 ? x : y), // NaN counts as true in NumPy
}

// Places in their order, written as counts and strides from the outermost in.
export const spread = (runs, start = 0) => runs.reduce((all, [size, by]) => all.flatMap((at) => Array.from({ length: size }, (_, k) => at + k * by)), [start])

// Where each number of an array of shape `to` stands in one of shape `from` that is broadcast to it.
function reach(from, to) {
  return Int32Array.from(spread(to.map((size, d) => {
    const own = d - to.length + from.length
    return [size, own < 0 || from[own] === 1 ? 0 : count(from.slice(own + 1))]
  })))
}

function each(f, step, shapes) {
  const [p, q, r] = shapes.map((shape) => reach(shape, step.shape))
  if (!q) return ([a], out) => { for (let i = 0; i < out.length; i++) out[i] = f(a[p[i]]) }
  if (!r) return ([a, b], out) => { for (let i = 0; i < out.length; i++) out[i] = f(a[p[i]], b[q[i]]) }
  return ([a, b, c], out) => { for (let i = 0; i < out.length; i++) out[i] = f(a[p[i]], b[q[i]], c[r[i]]) }
}

function fold(f, start, step, [shape]) {
  const to = reach(shape.map((size, d) => (step.axis.includes(d) ? 1 : size)), shape)
  return ([a], out) => {
    out.fill(start)
    for (let i = 0; i < to.length; i++) out[to[i]] = f(out[to[i]], a[i])
  }
}

function mean(step, shapes) {
  const sum = fold(EACH.add, 0, step, shapes), size = count(step.axis.map((d) => shapes[0][d]))
  return (args, out) => {
    sum(args, out)
    for (let i = 0; i < out.length; i++) out[i] /= size
  }
}

function matmul(step, [left, right]) {
  const batch = step.shape.slice(0, -2), [rows, columns] = step.shape.slice(-2), inner = left.at(-1)
  const starts = [left, right].map((shape) => reach(shape.slice(0, -2), batch).map((k) => k * count(shape.slice(-2))))
  const dot = (a, p, b, q) => {
    let sum = 0
    for (let k = 0; k < inner; k++) sum += a[p + k] * b[q + k * columns]
    return sum
  }
  return ([a, b], out) => {
    for (let h = 0, o = 0; h < starts[0].length; h++)
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++, o++) out[o] = dot(a, starts[0][h] + row * inner, b, starts[1][h] + column)
  }
}

function gather(step, shapes) {
  const places = shapes.flatMap((shape, k) => Array.from({ length: count(shape) }, (_, at) => [k, at])) // the arrays laid end to end
  const from = step.index.map((i) => places[i][0]), at = step.index.map((i) => places[i][1])
  return (args, out) => { for (let i = 0; i < out.length; i++) out[i] = args[from[i]][at[i]] }
}

function take(step, [[rows, ...row]]) {
  const width = count(row)
  return ([table, ids], out) => {
    for (const id of ids) {
      if (!(id >= 0 && id < rows && Number.isInteger(id)))
        throw new EngineError(step.towards, `id ${asGiven(id)} is none of the table's ${rows} rows (0 to ${rows - 1}); map rare words to unknown first`)
    }
    for (let i = 0; i < out.length; i++) out[i] = table[ids[(i - (i % width)) / width] * width + (i % width)]
  }
}

const WHOLE = { // operations that are more than one number at a time
  sum: (step, shapes) => fold(EACH.add, 0, step, shapes),
  max: (step, shapes) => fold(greatest, -Infinity, step, shapes),
  mean, matmul, gather, take,
}

// One step as a function of its operands' numbers: (args, out) fills out.
export function operation(step, shapes) {
  if (Object.hasOwn(EACH, step.op)) return each(EACH[step.op], step, shapes)
  if (Object.hasOwn(WHOLE, step.op)) return WHOLE[step.op](step, shapes)
  throw new EngineError(step.name ?? step.towards, `the engine knows no operation ${step.op}; build the page again with the engine of its own version`)
}

const TRACKS = ["exact", "paper"]
const MISTAKE = "wrong." // what a wrong turn of the kata gives may be no number at all

// ---- the sheet: a program with room for its numbers

// Makes a program ready to run. The program's own givens are run at once.
export const load = (program) => new Sheet(program)

class Sheet {
  #round; #steps; #kernels; #starts; #givens; #last; #spare; #unmasked

  constructor({ places, figures, steps }) {
    this.#round = rounder(places, figures)
    this.#steps = towardsNames(steps)
    this.#kernels = this.#steps.map((step) => (step.args && step.op !== "note" ? operation(step, step.args.map((k) => steps[k].shape)) : null))
    this.#starts = steps.map((step) => step.value && Float64Array.from(step.value, toNumber))
    this.#givens = new Map(steps.flatMap((step, i) => (step.op === "given" ? [[step.name, i]] : [])))
    this.#last = this.#bank()
    this.#spare = this.#bank()
    this.run()
  }

  // {name: {exact, paper}} of the last run that went well, as a Map. The arrays are used again: copy what you keep.
  get values() { return this.#last.values }

  // Runs the program with other givens, {name: flat array}; what is left out is as it was recorded. Throws EngineError.
  run(given = {}) {
    const bank = this.#spare
    bank.capped = 0
    this.#give(bank, given)
    this.#steps.forEach((step, i) => {
      for (const track of TRACKS) bank[track].fill[i]?.()
      if (step.op === "note" && !step.name.startsWith(MISTAKE)) this.#check(step.name, i, bank)
    })
    ;[this.#spare, this.#last] = [this.#last, bank]
    return bank.values
  }

  #bank() { // all arrays of a run; two banks take turns, so that a refused run spoils nothing
    const sources = this.#starts.map((start) => start?.slice())
    const exact = this.#track(sources, null), paper = this.#track(sources, this.#round)
    const named = this.#steps.flatMap(({ name }, i) => (name ? [[name, { exact: exact.at[i], paper: paper.at[i] }]] : []))
    return { sources, exact, paper, values: new Map(named) }
  }

  #track(sources, round) { // the array of every step, and the closure that fills it
    const at = [], fill = []
    this.#steps.forEach((step, i) => {
      const args = (step.args ?? []).map((k) => at[k]), kernel = this.#kernels[i]
      at[i] = sources[i] ?? (kernel || round ? new Float64Array(count(step.shape)) : args[0]) // an exact note changes nothing
      if (kernel) fill[i] = () => kernel(args, at[i])
      else if (!sources[i] && round) fill[i] = () => { for (let k = 0; k < at[i].length; k++) at[i][k] = round(args[0][k]) }
    })
    return { at, fill }
  }

  #give(bank, given) {
    const unknown = Object.keys(given).find((name) => !this.#givens.has(name))
    if (unknown !== undefined) throw new EngineError(unknown, `the program has no given '${unknown}'; it has ${[...this.#givens.keys()].join(", ")}`)
    for (const [name, i] of this.#givens) {
      const numbers = Object.hasOwn(given, name) ? given[name] : this.#starts[i], into = bank.sources[i], shape = this.#steps[i].shape
      if (numbers.length !== into.length)
        throw new EngineError(name, `given '${name}' has ${numbers.length} numbers; the program was recorded with ${into.length} (${shape.join(" × ")})`)
      for (let k = 0; k < into.length; k++) into[k] = toNumber(numbers[k])
      if (into.some(Number.isNaN)) throw new EngineError(name, `given '${name}' is not all numbers; give it numbers`)
    }
  }

  #check(name, i, bank) { // the refusals of Trace.note, and those that a page needs besides
    const exact = bank.exact.at[i], paper = bank.paper.at[i]
    for (let k = 0; k < exact.length; k++) {
      const isFinite = Number.isFinite(exact[k]), isNone = Number.isNaN(exact[k]) || Number.isNaN(paper[k])
      if (isFinite && Number.isFinite(paper[k])) continue
      if (!isNone && this.#isMasked(bank, i, k, isFinite ? "paper" : "exact")) continue
      if (isFinite)
        throw new EngineError(name, `'${name}' has no number on paper: what it divides by is written ${show(0)}; use larger numbers, or stable_softmax`)
      if (isNone)
        throw new EngineError(name, `'${name}' has no number: 0 was divided by 0, or a root or logarithm taken below 0; change the last number back, or try another`)
      throw new EngineError(name, `'${name}' grew beyond all numbers: e to a large power, or a division by 0; use smaller numbers or another divisor, or stable_softmax`)
    }
  }

  // Whether an infinity is a mask's. Where infinite givens and constants are ±700 instead (e to it is next to nothing
  // and yet not 0), only a number that grew too large by itself stays infinite.
  #isMasked(bank, i, k, track) {
    const without = (this.#unmasked ??= this.#bank())
    for (; bank.capped <= i; bank.capped++) { // no further than the run itself has come
      without.sources[bank.capped]?.forEach((_, n, numbers) => { numbers[n] = cap(bank.sources[bank.capped][n]) })
      for (const one of TRACKS) without[one].fill[bank.capped]?.()
    }
    return Number.isFinite(without[track].at[i][k])
  }
}

const cap = (x) => (Number.isFinite(x) ? x : Math.sign(x) * 700)

// For each step without a name the name that it is worked out for, so that a refusal can say it.
function towardsNames(steps) {
  const named = steps.map((step) => ({ ...step }))
  for (const step of named.slice().reverse()) for (const k of step.args ?? []) named[k].towards = step.name ?? step.towards
  return named
}
