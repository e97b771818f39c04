// Draws by lot, and their tally: given numbers are drawn anew, and a given row counts where it fell.

import { Mulberry32 } from "../engine/random.js"

const SEED = 1
const LOTS = 1000 // numbers of three places, from 0 to 0.999; as in pencil/widgets/drawn_lab.py

export class Draws {
  #lots = new Mulberry32(SEED)

  // So many times. runs: those of a lab, whose only one is `run`; throws EngineError
  draw(times, { show, draw: [outcome, tally] }, { run, runs }) {
    for (let n = 0; n < times; n++) {
      const places = [...run.now.get(show).keys()]
      const lot = () => this.#lots.randint(0, LOTS - 1) / LOTS
      runs.apply(places.map((place) => ({ run: "", name: show, place, value: lot() })))
      const place = run.sheet.values.get(outcome).paper.indexOf(1)
      runs.apply([{ run: "", name: tally, place, value: run.now.get(tally)[place] + 1 }])
    }
  }
}

// The part that is drawn by lot, among those that a lab shows
export const drawn = (parts) => parts.find(({ draw }) => draw)

// Changes, and the tally begun anew where they are of other numbers than those of the draw: it counts draws from the
// shares as they were.
export function tallied(changes, parts, { now }) {
  const { show, draw: [, tally] = [] } = drawn(parts) ?? {}
  if (!tally || changes.every(({ name }) => [show, tally].includes(name))) return changes
  return [...changes, ...[...now.get(tally).keys()].map((place) => ({ name: tally, place, value: 0 }))]
}
