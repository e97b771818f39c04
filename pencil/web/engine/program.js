// Replays a program of pencil.trace (the result of Trace.program()) with other inputs, on both tracks at once.

import { FORMATS } from "./formats.js"
import { outside } from "./limits.js"
import { EngineError, count, operation } from "./operations.js"
import { HUGE, rounder, show } from "./rounding.js"

const TRACKS = ["exact", "paper"]
// Operations that only move or select numbers
const CARRYING = ["where", "gather", "take", "take_along_axis"]
// The operand that must not be zero, and why
const NEVER_ZERO = {
  divide: [1, "nothing can be divided by it"],
  log: [0, "it has no logarithm"],
  power: [0, "it has no power below 0"],
}
const MISTAKE = "wrong." // prefix of values for known mistakes, which may be undefined

// JSON has no infinity, so it is stored as a string
export function toNumber(written) {
  if (typeof written === "number") return written
  return { Infinity: Infinity, "-Infinity": -Infinity }[written] ?? NaN
}

const REFUSALS = {
  lost: (where, because) => `has no number${where}: ${because}; use larger numbers`,
  none:
    "has no number: 0 was divided by 0, or a root or logarithm taken below 0; " +
    "change the last number back, or try another",
  tooLarge: "grew beyond all numbers; use smaller numbers",
  exp: "needs e to a power above 709, a number of more than 300 digits; use smaller numbers",
}

// ---- the sheet: a program with memory for its numbers

// Prepares a program, and runs it with its own inputs. If no paper values are needed, tracks = ["exact"] takes half the
// time; paper values are then the exact ones.
export const load = (program, tracks = TRACKS) => new Sheet({ ...program, steps: unfolded(program.steps) }, tracks)

// Undoes the compression by `folded` of pencil/trace/program.py and `counted_back` of shared.py: a step without a shape
// has that of its first operand, a note without operands that of the previous step, and negative operands are relative.
export function unfolded(steps) {
  const whole = []
  for (const [i, step] of steps.entries()) {
    const args = (step.op === "note" ? (step.args ?? [-1]) : step.args)?.map((k) => (k < 0 ? i + k : k))
    whole.push({ ...step, ...(args && { args }), shape: step.shape ?? whole[args[0]].shape })
  }
  return whole
}

class Sheet {
  #round
  #tracks
  #steps
  #places
  #kernels
  #starts
  #givens
  #last
  #spare
  #unmasked
  #changed
  #inFormats = new Map()
  #made = new Map() // name: indices of the steps that it depends on

  constructor({ places, figures, steps }, tracks) {
    const round = rounder(places, figures)
    this.#round = (numbers, out) => {
      for (let k = 0; k < out.length; k++) out[k] = round(numbers[k])
    }
    this.#tracks = tracks
    this.#steps = towardsNames(steps)
    this.#places = placesIn(steps)
    this.#kernels = this.#steps.map((step) => {
      if (!step.args || step.op === "note") return null
      const shapes = step.args.map((k) => steps[k].shape)
      return operation(step, shapes)
    })
    this.#starts = steps.map((step) => step.value && Float64Array.from(step.value, toNumber))
    this.#givens = new Map(steps.flatMap((step, i) => (step.op === "given" ? [[step.name, i]] : [])))
    this.#last = this.#bank()
    this.#spare = this.#bank()
    this.run()
  }

  // {name: {exact, paper}} of the last successful run, as a Map. The arrays are reused by later runs.
  get values() {
    return this.#last.values
  }

  // Runs the program with other inputs, {name: flat array}; all others are as recorded. Throws EngineError.
  run(given = {}) {
    const bank = this.#spare
    bank.capped = 0
    this.#give(bank, given)
    this.#steps.forEach((step, i) => {
      for (const track of this.#tracks) bank[track].fill[i]?.()
      if (step.op === "note" && !step.name.startsWith(MISTAKE)) this.#check(step.name, i, bank)
    })
    ;[this.#spare, this.#last] = [this.#last, bank]
    this.#inFormats.clear()
    return bank.values
  }

  // The numbers of a value in the last run: exact, on paper, or in a format, in which all inputs and notes are rounded
  // to the format; such a run is computed on demand.
  numbers(name, track) {
    if (TRACKS.includes(track)) return this.#last.values.get(name)[track]
    if (!this.#inFormats.has(track)) {
      const run = this.#track(this.#last.sources, FORMATS[track], true)
      for (const work of run.fill) work?.()
      const named = this.#steps.flatMap((step, i) => (step.name ? [[step.name, run.at[i]]] : []))
      this.#inFormats.set(track, new Map(named))
    }
    return this.#inFormats.get(track).get(name)
  }

  // What a value would be in the last run if the values `names` were replaced by the values `others`: {exact, paper}.
  // The arrays are reused by later calls.
  substituted(target, names, others) {
    const from = (other) => (array, track) => array.set(this.#last.values.get(other)[track])
    const puts = names.map((name, k) => [name, from(others[k])])
    return this.#recomputed(target, new Map(puts))
  }

  // What it would be if these numbers had been written into values before it: { name: [[index, number]] }
  written(target, entries) {
    const from = (numbers) => (array) => numbers.forEach(([k, number]) => (array[k] = number))
    const puts = Object.entries(entries).map(([name, numbers]) => [name, from(numbers)])
    return this.#recomputed(target, new Map(puts))
  }

  #recomputed(target, puts) {
    const bank = (this.#changed ??= this.#bank())
    for (const i of this.#behind(target)) {
      const put = puts.get(this.#steps[i].name)
      bank.sources[i]?.set(this.#last.sources[i])
      for (const track of this.#tracks) {
        bank[track].fill[i]?.()
        put?.(bank[track].at[i], track)
      }
    }
    return bank.values.get(target)
  }

  // The indices of the steps that a value depends on, and its own
  #behind(target) {
    const known = this.#made.get(target)
    if (known) return known
    const found = new Set([this.#steps.findIndex(({ name }) => name === target)])
    for (let i = Math.max(...found); i >= 0; i--)
      if (found.has(i)) for (const k of this.#steps[i].args ?? []) found.add(k)
    const behind = [...found].sort((i, j) => i - j)
    this.#made.set(target, behind)
    return behind
  }

  // The arrays of a run; there are two sets, so that a failed run keeps the previous one intact
  #bank() {
    const sources = this.#starts.map((start) => start?.slice())
    const exact = this.#track(sources, null)
    const paper = this.#tracks.includes("paper") ? this.#track(sources, this.#round) : exact
    const named = this.#steps.flatMap(({ name }, i) =>
      name ? [[name, { exact: exact.at[i], paper: paper.at[i] }]] : [],
    )
    return { sources, exact, paper, values: new Map(named) }
  }

  // The array of every step, and the closure that fills it. round: (numbers, out), applied to notes, and to inputs if
  // `givens` is set
  #track(sources, round, givens = false) {
    const at = []
    const fill = []
    this.#steps.forEach((step, i) => {
      const args = (step.args ?? []).map((k) => at[k])
      const kernel = this.#kernels[i]
      const isRounded = round && !(givens && this.#places.has(i))
      const written = isRounded && (step.op === "given" ? givens && sources[i] : step.op === "note" && args[0])
      // Exact notes are not rounded
      at[i] = kernel || written ? new Float64Array(count(step.shape)) : (sources[i] ?? args[0])
      if (kernel) fill[i] = () => kernel(args, at[i])
      else if (written) fill[i] = () => round(written, at[i])
    })
    return { at, fill }
  }

  #give(bank, given) {
    const unknown = Object.keys(given).find((name) => !this.#givens.has(name))
    if (unknown !== undefined) throw new EngineError(unknown, `the program has no given '${unknown}'`)
    for (const [name, i] of this.#givens) {
      const numbers = Object.hasOwn(given, name) ? given[name] : this.#starts[i]
      const into = bank.sources[i]
      if (numbers.length !== into.length)
        throw new EngineError(
          name,
          `given '${name}' has ${numbers.length} numbers; the program was recorded with ${into.length}`,
        )
      for (let k = 0; k < into.length; k++) into[k] = toNumber(numbers[k])
      if (into.some(Number.isNaN))
        throw new EngineError(name, `given '${name}' is not all numbers; give it numbers`)
      const step = this.#steps[i]
      const problem = outside(step, into, bank.sources[this.#givens.get(step.divides)]?.[0])
      if (problem) throw new EngineError(name, problem)
    }
  }

  // The errors of Trace.note, and additional ones for pages
  #check(name, i, bank) {
    const exact = bank.exact.at[i]
    const paper = bank.paper.at[i]
    const refuse = (why) => {
      throw new EngineError(name, `'${name}' ${why}`)
    }
    for (let k = 0; k < exact.length; k++) {
      const isFinite = Number.isFinite(exact[k])
      if (isFinite && Number.isFinite(paper[k])) continue
      const lost = isFinite && this.#lost(this.#steps[i].args[0], bank)
      if (lost) refuse(REFUSALS.lost(" on paper", lost))
      const isGrown = !isFinite && !this.#isMasked(bank, i, k)
      if (isGrown || Number.isNaN(exact[k]) || Number.isNaN(paper[k]))
        refuse(isGrown ? this.#grown(i, bank) : REFUSALS.none)
    }
  }

  // What went wrong in the first step that is not finite, apart from masks, of a step and those that it depends on
  #grown(i, bank) {
    const { op, args = [] } = this.#steps[i]
    const from = args.find((k) => !this.#unmasked.exact.at[k].every(Number.isFinite))
    if (from !== undefined) return this.#grown(from, bank)
    if (bank.exact.at[i].some(Number.isNaN)) return REFUSALS.none
    const zero = this.#zero(i, "0, or next to nothing", (k) => bank.exact.at[k].some((x) => Math.abs(x) * HUGE < 1))
    return zero ? REFUSALS.lost("", zero) : op === "exp" ? REFUSALS.exp : REFUSALS.tooLarge
  }

  // Which operand of a step must not be zero, and is by isZero(its index); undefined or false if none is
  #zero(i, written, isZero) {
    const { op, args = [] } = this.#steps[i]
    const [which, because] = NEVER_ZERO[op] ?? []
    return because && isZero(args[which]) && `${this.#called(args[which])} is ${written}, and ${because}`
  }

  // What is undefined on paper only, in a step or in one that depends on it up to the next note; undefined if the only
  // difference is a mask
  #lost(i, bank) {
    const { name, op, args = [] } = this.#steps[i]
    const exact = bank.exact.at
    const paper = bank.paper.at
    if (name) return undefined
    const isZero = (divisor) => paper[divisor].some((x, k) => x === 0 && exact[divisor][k] !== 0)
    const zero = this.#zero(i, `written ${show(0)}`, isZero)
    if (zero) return zero
    const began = args.every((k) => paper[k].every(Number.isFinite))
    const isLost = paper[i].some((x, k) => !Number.isFinite(x) && Number.isFinite(exact[i][k]))
    if (!CARRYING.includes(op) && began && isLost) return "it grew beyond all numbers"
    return args.map((k) => this.#lost(k, bank)).find(Boolean)
  }

  // By name, also if it was only moved
  #called(i) {
    const { name, op, args } = this.#steps[i]
    if (name) return `'${name}'`
    return op === "gather" && args.length === 1 ? this.#called(args[0]) : "what stands there"
  }

  // Whether an exact infinity comes from a mask: with ±700 instead of infinite inputs and constants (for which e^x is
  // tiny but not 0), only overflows are still infinite.
  #isMasked(bank, i, k) {
    const without = (this.#unmasked ??= this.#bank())
    // Up to the failed step
    for (; bank.capped <= i; bank.capped++) {
      without.sources[bank.capped]?.forEach((_, n, numbers) => {
        numbers[n] = cap(bank.sources[bank.capped][n])
      })
      without.exact.fill[bank.capped]?.()
    }
    return Number.isFinite(without.exact.at[i][k])
  }
}

// The steps that are used as indices, which are never rounded to a format
function placesIn(steps) {
  const found = new Set()
  for (let i = steps.length - 1; i >= 0; i--) {
    const { op, args } = steps[i]
    if (op.startsWith("take")) found.add(args[1])
    else if (found.has(i) && ["note", "gather"].includes(op)) for (const k of args) found.add(k)
  }
  return found
}

const cap = (x) => (Number.isFinite(x) ? x : Math.sign(x) * 700)

// For each step without a name, the named value that it is computed for, for error messages.
function towardsNames(steps) {
  const named = steps.map((step) => ({ ...step }))
  for (const step of named.slice().reverse())
    for (const k of step.args ?? []) named[k].towards = step.name ?? step.towards
  return named
}
