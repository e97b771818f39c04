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

  // Puts a number in the place of a given one. Throws EngineError, and then nothing has changed.
  set(run, name, place, value) { this.apply([{ run, name, place, value }]) }

  // The pencil numbers again.
  reset() { this.#attempt(this.all, (one) => one.forget()) }

  // [{ run, name, place, value }]: what differs from the pencil numbers; of runs that change together the first.
  get changes() { return this.all.flatMap((one) => one.changes.filter(({ name }) => this.#alike(one.name, name)[0] === one)) }

  // Takes such a list on top of what there is. What names nothing here is left out; numbers that a run refuses leave all as it was.
  apply(changes) { this.#take(changes, () => {}) }

  // Takes it in the place of what there is, as from a link.
  replace(changes) { this.#take(changes, (one) => one.forget()) }

  #take(changes, prepare) {
    const known = changes.flatMap(({ run, name, place, value }) => this.#alike(run, name).map((one) => ({ one, name, place, value })))
    const fitting = known.filter(({ one, name, place }) => place < one.pencil.get(name).length)
    this.#attempt(this.all, (one) => {
      prepare(one)
      for (const change of fitting) if (change.one === one) one.put(change.name, change.place, change.value)
    })
  }

  #attempt(runs, change) {
    const before = runs.map((one) => one.kept)
    try {
      for (const one of runs) {
        change(one)
        one.run()
      }
    } catch (wrong) {
      runs.forEach((one, i) => one.restore(before[i]))
      throw wrong
    }
  }
}

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
    this.forget()
  }

  put(name, place, value) { this.now.get(name)[place] = value }

  forget() { this.now = new Map([...this.pencil].map(([name, numbers]) => [name, numbers.slice()])) }

  run() { this.sheet.run(Object.fromEntries(this.now)) }

  get kept() { return new Map([...this.now].map(([name, numbers]) => [name, numbers.slice()])) }

  restore(kept) {
    this.now = kept
    this.run()
  }

  get changes() {
    return [...this.pencil].flatMap(([name, numbers]) =>
      [...this.now.get(name)].flatMap((value, place) => (value === numbers[place] ? [] : [{ run: this.name, name, place, value }])),
    )
  }
}

const same = (a, b) => a !== undefined && a.length === b.length && a.every((x, i) => x === b[i])
