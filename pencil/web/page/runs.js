// The runs of a page: their programs, and the changed inputs.

import { EngineError } from "../engine/operations.js"
import { load } from "../engine/program.js"

export class Runs {
  #runs

  // data: exported by pencil.worked.exporting for each run
  constructor(data) {
    this.#runs = new Map(data.map((one) => [one.run, new Run(one)]))
  }

  get(run) {
    return this.#runs.get(run)
  }

  get all() {
    return [...this.#runs.values()]
  }

  // The runs with the same initial numbers under the same name, which change together.
  #alike(run, name) {
    const numbers = this.#runs.get(run)?.pencil.get(name)
    return numbers ? this.all.filter((one) => same(one.pencil.get(name), numbers)) : []
  }

  // Restores the original numbers.
  reset() {
    this.replace([])
  }

  // [{ run, name, place, value }]: the changes; of runs that change together only the first is listed.
  get changes() {
    return this.all.flatMap((one) => one.changes.filter(({ name }) => this.#alike(one.name, name)[0] === one))
  }

  // Applies a list of changes to the present ones; unknown names are ignored. Throws EngineError, without any change.
  apply(changes) {
    this.#take(changes, "now")
  }

  // Replaces the present changes, for example by those of a link.
  replace(changes) {
    this.#take(changes, "pencil")
  }

  #take(changes, from) {
    const before = this.all.map(({ now }) => now)
    for (const one of this.all) one.now = copy(one[from])
    for (const { run, name, place, value } of changes) {
      // An invalid place is ignored: a typed array keeps its length
      for (const { now } of this.#alike(run, name)) now.get(name)[place] = value
    }
    const others = this.all.filter(({ now }, i) => [...now].some(([name, row]) => !same(row, before[i].get(name))))
    try {
      for (const one of others) one.run()
    } catch (wrong) {
      this.all.forEach((one, i) => {
        one.now = before[i]
      })
      for (const one of others) one.run()
      throw wrong
    }
  }
}

// A description of changes: how many, and the name of the first.
export const yours = (count, called, where = "") =>
  count === 1
    ? `${called()} is yours, and all that follows from it.`
    : `${count} numbers${where} are yours, and all that follows from them.`

// Runs an action. -> "", or the message of an EngineError.
export function tried(change) {
  try {
    change()
    return ""
  } catch (wrong) {
    if (!(wrong instanceof EngineError)) throw wrong
    return `${wrong.message[0].toUpperCase()}${wrong.message.slice(1)}.`
  }
}

// "'weights' has no number" -> "“share” has no number"; a value for which the page has no word stays without a name
const inWords = (message, labels = {}, givens) =>
  message.replace(/'([\w.]+)'/g, (_, name) => {
    if (labels[name]) return `“${labels[name]}”`
    return givens.has(name) ? "this number" : "one of the sums"
  })

class Run {
  #sheet
  #began
  #second // a preloaded second sheet
  #changedAt = new Map()

  constructor(data) {
    this.data = data
    this.name = data.run
    this.version = 0 // incremented at each change
    const givens = data.program.steps.filter((step) => step.op === "given")
    this.pencil = new Map(givens.map(({ name, value }) => [name, Float64Array.from(value, Number)]))
    this.now = copy(this.pencil)
  }

  // Loaded lazily: a page has many runs, and most are never opened.
  get sheet() {
    return (this.#sheet ??= load(this.data.program))
  }

  // The sheet with the original numbers
  get began() {
    return this.#began ?? this.sheet
  }

  // Prepare for the first change
  prepare() {
    if (this.#sheet) this.#second ??= load(this.data.program)
  }

  run() {
    const before = this.sheet.values
    this.#began ??= this.#second ?? load(this.data.program)
    try {
      this.sheet.run(Object.fromEntries(this.now))
    } catch (wrong) {
      if (wrong instanceof EngineError) wrong.message = inWords(wrong.message, this.data.labels, this.pencil)
      throw wrong
    }
    this.version++
    for (const [name, { exact, paper }] of this.sheet.values) {
      const was = before.get(name)
      if (!same(exact, was.exact) || !same(paper, was.paper)) this.#changedAt.set(name, this.version)
    }
  }

  // Whether one of these values has changed since this version
  isNewer(names, version) {
    if (version < this.version) for (const name of names) if (this.#changedAt.get(name) > version) return true
    return false
  }

  get changes() {
    return [...this.pencil].flatMap(([name, numbers]) =>
      [...this.now.get(name)].flatMap((value, place) =>
        value === numbers[place] ? [] : [{ run: this.name, name, place, value }],
      ),
    )
  }
}

const copy = (numbers) => new Map([...numbers].map(([name, row]) => [name, row.slice()]))
const same = (a, b) => a !== undefined && a.length === b.length && a.every((x, i) => x === b[i])
