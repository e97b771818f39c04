// The runs of a page: their programs, and the numbers that a reader has put in the place of given ones.

import { EngineError, load } from "./engine.js"

export class Runs {
  #runs

  // data: what pencil.worked.export gave for each run
  constructor(data) {
    this.#runs = new Map(data.map((one) => [one.run, new Run(one)]))
  }

  get(run) { return this.#runs.get(run) }

  get all() { return [...this.#runs.values()] }

  // The runs that were given the same numbers under the same name: they change together.
  #alike(run, name) {
    const numbers = this.#runs.get(run)?.pencil.get(name)
    return numbers ? this.all.filter((one) => same(one.pencil.get(name), numbers)) : []
  }

  // The pencil numbers again.
  reset() { this.replace([]) }

  // [{ run, name, place, value }]: what differs from the pencil numbers; of runs that change together the first.
  get changes() { return this.all.flatMap((one) => one.changes.filter(({ name }) => this.#alike(one.name, name)[0] === one)) }

  // Takes such a list on top of what there is. What names nothing here is left out. Throws EngineError, and then nothing has changed.
  apply(changes) { this.#take(changes, "now") }

  // Takes it in the place of what there is, as from a link.
  replace(changes) { this.#take(changes, "pencil") }

  #take(changes, from) {
    const before = this.all.map(({ now }) => now)
    for (const one of this.all) one.now = copy(one[from])
    for (const { run, name, place, value } of changes) {
      for (const { now } of this.#alike(run, name)) now.get(name)[place] = value // an array of the engine's keeps its length
    }
    try {
      for (const one of this.all) one.run()
    } catch (wrong) {
      this.all.forEach((one, i) => {
        one.now = before[i]
        one.run()
      })
      throw wrong
    }
  }
}

// What is said of changes: how many, and what the first of them is called.
export const yours = (count, called, where = "") => (count === 1 ? `${called()} is yours, and all that follows from it.` : `${count} numbers${where} are yours, and all that follows from them.`)

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
  constructor(data) {
    this.data = data
    this.name = data.run
    this.sheet = load(data.program)
    const givens = data.program.steps.filter((step) => step.op === "given").map((step) => step.name)
    this.pencil = new Map(givens.map((name) => [name, Float64Array.from(this.sheet.values.get(name).exact)]))
    this.now = copy(this.pencil)
  }

  run() { this.sheet.run(Object.fromEntries(this.now)) }

  get changes() {
    return [...this.pencil].flatMap(([name, numbers]) =>
      [...this.now.get(name)].flatMap((value, place) => (value === numbers[place] ? [] : [{ run: this.name, name, place, value }])),
    )
  }
}

const copy = (numbers) => new Map([...numbers].map(([name, row]) => [name, row.slice()]))
const same = (a, b) => a !== undefined && a.length === b.length && a.every((x, i) => x === b[i])
