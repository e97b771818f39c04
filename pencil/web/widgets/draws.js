// Random numbers and their tally: sampled inputs, and an input row that counts the outcomes.

import { Mulberry32 } from "../engine/random.js"

const SEED = 1
const LEVELS = 1000 // a draw is one of 0, 0.001, …, 0.999; as in pencil/widgets/drawn_lab.py

export class Draws {
  #random = new Mulberry32(SEED)

  // Samples `times` times. runs: the Runs of a lab with the single run `run`; throws EngineError
  draw(times, { show, draw: [outcome, tally] }, { run, runs }) {
    for (let n = 0; n < times; n++) {
      const places = [...run.now.get(show).keys()]
      const next = () => this.#random.randint(0, LEVELS - 1) / LEVELS
      runs.apply(places.map((place) => ({ run: "", name: show, place, value: next() })))
      const place = run.sheet.values.get(outcome).paper.indexOf(1)
      runs.apply([{ run: "", name: tally, place, value: run.now.get(tally)[place] + 1 }])
    }
  }
}

// The part with random numbers, if any
export const drawn = (parts) => parts.find(({ draw }) => draw)

// Changes, with the tally reset if they affect the probabilities.
export function tallied(changes, parts, { now }) {
  const { show, draw: [, tally] = [] } = drawn(parts) ?? {}
  if (!tally || changes.every(({ name }) => [show, tally].includes(name))) return changes
  return [...changes, ...[...now.get(tally).keys()].map((place) => ({ name: tally, place, value: 0 }))]
}
