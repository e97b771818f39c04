// The runs of a page: their programs, and the numbers that a reader has put in the place of given ones.

import { EngineError } from "../engine/operations.js"
import { load } from "../engine/program.js"

export class Runs {
  #runs

  // data: what pencil.worked.exporting gave for each run
  constructor(data) {
    this.#runs = new Map(data.map((one) => [one.run, new Run(one)]))
  }

  get(run) {
    return this.#runs.get(run)
  }

  get all() {
    return [...this.#runs.values()]
  }

  // The runs that were given the same numbers under the same name: they change together.
  #alike(run, name) {
    const numbers = this.#runs.get(run)?.pencil.get(name)
    return numbers ? this.all.filter((one) => same(one.pencil.get(name), numbers)) : []
  }

  // The pencil numbers again.
  reset() {
    this.replace([])
  }

  // [{ run, name, place, value }]: what differs from the pencil numbers; of runs that change together the first.
  get changes() {
    return this.all.flatMap((one) => one.changes.filter(({ name }) => this.#alike(one.name, name)[0] === one))
  }

  // Takes such a list on top of what there is. What names nothing here is left out. Throws EngineError, and then
  // nothing has changed.
  apply(changes) {
    this.#take(changes, "now")
  }

  // Takes it in the place of what there is, as from a link.
  replace(changes) {
    this.#take(changes, "pencil")
  }

  #take(changes, from) {
    const before = this.all.map(({ now }) => now)
    for (const one of this.all) one.now = copy(one[from])
    for (const { run, name, place, value } of changes) {
      // A place that there is not stays empty: an array of the engine's keeps its length
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

// What is said of changes: how many, and what the first of them is called.
export const yours = (count, called, where = "") =>
  count === 1
    ? `${called()} is yours, and all that follows from it.`
    : `${count} numbers${where} are yours, and all that follows from them.`

// Does it. -> "", or why a run refused it.
export function tried(change) {
  try {
    change()
    return ""
  } catch (wrong) {
    if (!(wrong instanceof EngineError)) throw wrong
    return `${wrong.message[0].toUpperCase()}${wrong.message.slice(1)}.`
  }
}

class Run {
  #sheet
  #began
  #second // a sheet in waiting
  #changedAt = new Map()

  constructor(data) {
    this.data = data
    this.name = data.run
    this.version = 0 // how often it was run with other numbers
    const givens = data.program.steps.filter((step) => step.op === "given")
    this.pencil = new Map(givens.map(({ name, value }) => [name, Float64Array.from(value, Number)]))
    this.now = copy(this.pencil)
  }

  // Loaded when it is first asked for: a page has many runs, and most are never opened.
  get sheet() {
    return (this.#sheet ??= load(this.data.program))
  }

  // The sheet as it was before any change
  get began() {
    return this.#began ?? this.sheet
  }

  // What the first change needs, before it comes
  prepare() {
    if (this.#sheet) this.#second ??= load(this.data.program)
  }

  run() {
    const before = this.sheet.values
    this.#began ??= this.#second ?? load(this.data.program)
    this.sheet.run(Object.fromEntries(this.now))
    this.version++
    for (const [name, { exact, paper }] of this.sheet.values) {
      const was = before.get(name)
      if (!same(exact, was.exact) || !same(paper, was.paper)) this.#changedAt.set(name, this.version)
    }
  }

  // Whether one of these values is another since that version
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
