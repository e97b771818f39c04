// Runs a program in exact arithmetic, like trace.fractions() in Python. It is bundled separately, see fractions.js
// beside page.js.

import { FRACTIONS, NoFraction, parse, placeOf, read } from "./fractions.js"
import { EngineError, count, operation } from "./operations.js"
import { toNumber, unfolded } from "./program.js"

export class Exactly {
  #steps
  #given
  #done = [] // results of steps, computed lazily

  // given: a Map from names of inputs to changed numbers; all others are as recorded
  constructor({ steps }, given = new Map()) {
    this.#steps = unfolded(steps)
    this.#given = given
  }

  // The exact numbers of a named value, as fractions and logarithms; null if they are irrational, as √2. Computes only
  // the steps that it depends on.
  numbers(name) {
    try {
      const behind = this.#behind(name)
      for (const i of behind) this.#done[i] ??= this.#work(i)
      return this.#done[behind.at(-1)]
    } catch (none) {
      if (none instanceof NoFraction || none instanceof EngineError) return null
      throw none
    }
  }

  #behind(name) {
    const found = new Set([this.#steps.findIndex((step) => step.name === name)])
    for (let i = Math.max(...found); i >= 0; i--)
      if (found.has(i)) for (const k of this.#steps[i].args ?? []) found.add(k)
    return [...found].sort((i, j) => i - j)
  }

  #work(i) {
    const step = this.#steps[i]
    if (!step.args) return this.#read(step)
    const operands = step.args.map((k) => this.#done[k])
    if (step.op === "note") return operands[0]
    if (step.op.startsWith("take")) operands[1] = operands[1].map(placeOf)
    const out = new Array(count(step.shape))
    const shapes = step.args.map((k) => this.#steps[k].shape)
    operation(step, shapes, FRACTIONS)(operands, out)
    return out
  }

  // An input recorded as a fraction is exact unless it has been changed
  #read({ name, value, exactly }) {
    const recorded = Float64Array.from(value, toNumber)
    const now = this.#given.get(name) ?? recorded
    return Array.from(now, (x, k) => (exactly && x === recorded[k] ? parse(exactly[k]) : read(x)))
  }
}
