// Runs a program of pencil.trace again, with other givens: the same operations between arrays, both tracks at once.
// A program is what Trace.program() exports.

import { FORMATS } from "./formats.js"
import { EngineError, count, operation } from "./operations.js"
import { rounder, show } from "./rounding.js"

const TRACKS = ["exact", "paper"]
// What only moves or chooses numbers
const CARRYING = ["where", "gather", "take", "take_along_axis"]
// The operand that may not be written as zero, and why
const NEVER_ZERO = {
  divide: [1, "nothing can be divided by it"],
  log: [0, "it has no logarithm"],
  power: [0, "it has no power below 0"],
}
const MISTAKE = "wrong." // what a known mistake gives may be no number at all

// JSON has no infinity: there it is a word
export function toNumber(written) {
  if (typeof written === "number") return written
  return { Infinity: Infinity, "-Infinity": -Infinity }[written] ?? NaN
}

const REFUSALS = {
  onPaper: (lost) => `has no number on paper: ${lost}; use larger numbers, or stable_softmax`,
  none:
    "has no number: 0 was divided by 0, or a root or logarithm taken below 0; " +
    "change the last number back, or try another",
  tooLarge:
    "grew beyond all numbers: e to a large power, or a division by 0; " +
    "use smaller numbers or another divisor, or stable_softmax",
}

// ---- the sheet: a program with room for its numbers

// Makes a program ready to run. The program's own givens are run at once. Where no paper digits are shown,
// tracks = ["exact"] works these alone, in half the time; what is asked for on paper is then exact too.
export const load = (program, tracks = TRACKS) => new Sheet({ ...program, steps: unfolded(program.steps) }, tracks)

// A step may leave out its shape, which is then that of what it takes first, and a note what it stands right behind,
// as pencil/trace/program.py and shared.py of the book write it: `folded` and `counted_back`;
// below zero a place is counted from the step's own.
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
  #made = new Map() // of a value the places of its steps

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

  // {name: {exact, paper}} of the last run that went well, as a Map. The arrays are used again: copy what you keep.
  get values() {
    return this.#last.values
  }

  // Runs the program with other givens, {name: flat array}; what is left out is as it was recorded. Throws EngineError.
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

  // The numbers of a value in the last run: exact, on paper, or as a machine writes them in a format. Rounded to it is
  // what the pencil writes down, each given and each note; such a run is worked when it is first asked for.
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

  // What a value would be in the last run, had `others` stood in the place of the values `names`: {exact, paper}.
  // All are names of values. The arrays are used again: copy what you keep.
  substituted(target, names, others) {
    const bank = (this.#changed ??= this.#bank())
    const put = new Map(names.map((name, k) => [name, others[k]]))
    for (const i of this.#behind(target)) {
      const other = this.#last.values.get(put.get(this.#steps[i].name))
      bank.sources[i]?.set(this.#last.sources[i])
      for (const track of this.#tracks) {
        bank[track].fill[i]?.()
        if (other) bank[track].at[i].set(other[track])
      }
    }
    return bank.values.get(target)
  }

  // The steps that a value is made of, and its own, in their order: of a page's run mostly a small part
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

  // All arrays of a run; two banks take turns, so that a refused run spoils nothing
  #bank() {
    const sources = this.#starts.map((start) => start?.slice())
    const exact = this.#track(sources, null)
    const paper = this.#tracks.includes("paper") ? this.#track(sources, this.#round) : exact
    const named = this.#steps.flatMap(({ name }, i) =>
      name ? [[name, { exact: exact.at[i], paper: paper.at[i] }]] : [],
    )
    return { sources, exact, paper, values: new Map(named) }
  }

  // The array of every step, and the closure that fills it. round: (numbers, out), of what is noted, and given as well
  // where `givens` are rounded too
  #track(sources, round, givens = false) {
    const at = []
    const fill = []
    this.#steps.forEach((step, i) => {
      const args = (step.args ?? []).map((k) => at[k])
      const kernel = this.#kernels[i]
      const isRounded = round && !(givens && this.#places.has(i))
      const written = isRounded && (step.op === "given" ? givens && sources[i] : step.op === "note" && args[0])
      // An exact note changes nothing
      at[i] = kernel || written ? new Float64Array(count(step.shape)) : (sources[i] ?? args[0])
      if (kernel) fill[i] = () => kernel(args, at[i])
      else if (written) fill[i] = () => round(written, at[i])
    })
    return { at, fill }
  }

  #give(bank, given) {
    const unknown = Object.keys(given).find((name) => !this.#givens.has(name))
    if (unknown !== undefined)
      throw new EngineError(
        unknown,
        `the program has no given '${unknown}'; it has ${[...this.#givens.keys()].join(", ")}`,
      )
    for (const [name, i] of this.#givens) {
      const numbers = Object.hasOwn(given, name) ? given[name] : this.#starts[i]
      const into = bank.sources[i]
      const shape = this.#steps[i].shape
      if (numbers.length !== into.length)
        throw new EngineError(
          name,
          `given '${name}' has ${numbers.length} numbers; ` +
            `the program was recorded with ${into.length} (${shape.join(" × ")})`,
        )
      for (let k = 0; k < into.length; k++) into[k] = toNumber(numbers[k])
      if (into.some(Number.isNaN))
        throw new EngineError(name, `given '${name}' is not all numbers; give it numbers`)
    }
  }

  // The refusals of Trace.note, and those that a page needs besides
  #check(name, i, bank) {
    const exact = bank.exact.at[i]
    const paper = bank.paper.at[i]
    for (let k = 0; k < exact.length; k++) {
      const isFinite = Number.isFinite(exact[k])
      if (isFinite && Number.isFinite(paper[k])) continue
      const lost = isFinite && this.#lost(this.#steps[i].args[0], bank)
      if (lost) throw new EngineError(name, `'${name}' ${REFUSALS.onPaper(lost)}`)
      if (Number.isNaN(exact[k]) || Number.isNaN(paper[k])) throw new EngineError(name, `'${name}' ${REFUSALS.none}`)
      if (!isFinite && !this.#isMasked(bank, i, k)) throw new EngineError(name, `'${name}' ${REFUSALS.tooLarge}`)
    }
  }

  // What went wrong on paper alone, in a step or in one behind it, as far as what is written down;
  // undefined where only a mask fell otherwise
  #lost(i, bank) {
    const { name, op, args = [] } = this.#steps[i]
    const exact = bank.exact.at
    const paper = bank.paper.at
    if (name) return undefined
    const [which, because] = NEVER_ZERO[op] ?? []
    const divisor = args[which]
    if (because && paper[divisor].some((x, k) => x === 0 && exact[divisor][k] !== 0))
      return `${this.#called(divisor)} is written ${show(0)}, and ${because}`
    const began = args.every((k) => paper[k].every(Number.isFinite))
    const isLost = paper[i].some((x, k) => !Number.isFinite(x) && Number.isFinite(exact[i][k]))
    if (!CARRYING.includes(op) && began && isLost) return "it grew beyond all numbers"
    return args.map((k) => this.#lost(k, bank)).find(Boolean)
  }

  // By its name, also where it was only carried about
  #called(i) {
    const { name, op, args } = this.#steps[i]
    if (name) return `'${name}'`
    return op === "gather" && args.length === 1 ? this.#called(args[0]) : "what stands there"
  }

  // Whether an exact infinity is a mask's. Where infinite givens and constants are ±700 instead
  // (e to it is next to nothing and yet not 0), only a number that grew too large by itself stays infinite.
  #isMasked(bank, i, k) {
    const without = (this.#unmasked ??= this.#bank())
    // No further than the run itself has come
    for (; bank.capped <= i; bank.capped++) {
      without.sources[bank.capped]?.forEach((_, n, numbers) => {
        numbers[n] = cap(bank.sources[bank.capped][n])
      })
      without.exact.fill[bank.capped]?.()
    }
    return Number.isFinite(without.exact.at[i][k])
  }
}

// The steps whose numbers are looked up by: they say where, and are never rounded to a format
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

// For each step without a name the name that it is worked out for, so that a refusal can say it.
function towardsNames(steps) {
  const named = steps.map((step) => ({ ...step }))
  for (const step of named.slice().reverse())
    for (const k of step.args ?? []) named[k].towards = step.name ?? step.towards
  return named
}
