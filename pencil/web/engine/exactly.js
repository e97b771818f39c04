// A program worked again without any rounding, as trace.fractions() of Python. It is a script of its own: see
// fractions.js beside page.js.

import { FRACTIONS, NoFraction, parse, placeOf, read } from "./fractions.js"
import { EngineError, count, operation } from "./operations.js"
import { toNumber, unfolded } from "./program.js"

export class Exactly {
  #steps
  #given
  #done = [] // of each step, once it is asked for

  // given: a Map of the numbers of each given, which a reader may have changed; what is left out is as it was recorded
  constructor({ steps }, given = new Map()) {
    this.#steps = unfolded(steps)
    this.#given = given
  }

  // The numbers of a named value: fractions and logarithms; null where there are none, as behind √2. Only what it
  // needs is worked.
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

  // What was given as a fraction is that, until a reader gives another number
  #read({ name, value, exactly }) {
    const recorded = Float64Array.from(value, toNumber)
    const now = this.#given.get(name) ?? recorded
    return Array.from(now, (x, k) => (exactly && x === recorded[k] ? parse(exactly[k]) : read(x)))
  }
}
