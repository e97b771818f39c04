// A machine opened at a text, without a page. The engine runs the program of pencil/widgets/writer_lab.py, and what is
// counted here is counted as in pencil/reference/interpretability.py.

import { upTo } from "../render/graph.js"

// What a head may look at: whether the letter at k is such a one for the letter at t
const LOOKS = [
  (ids, t, k) => k === t - 1, // previous token
  (ids, t, k) => k === 0 && t > 0, // first token
  (ids, t, k) => k < t && ids[k] === ids[t], // same token
  (ids, t, k) => k > 0 && k < t && ids[k - 1] === ids[t], // induction
]

// What the machine reads of a text: of the letters that it knows the last ones, as many as it has positions.
// -> { letters: all of the text, read: whether each is read, strange: those that it does not know, early: how many of
// its own stand too early }
export function reading(text, { vocabulary, positions }) {
  const letters = [...text]
  const known = letters.map((letter) => vocabulary.includes(letter))
  const early = Math.max(0, known.filter(Boolean).length - positions)
  let before = 0
  const read = known.map((isKnown) => isKnown && ++before > early)
  return { letters, read, strange: [...new Set(letters.filter((_, k) => !known[k]))], early }
}

// Runs the program on letters that it can read, with a number for each head that its output is multiplied by; throws
// EngineError
export function open({ vocabulary, positions, heads, program }, sheet, letters, gates) {
  const ids = letters.map((letter) => vocabulary.indexOf(letter))
  const values = sheet.run({
    gates,
    ids: [...ids, ...upTo(positions - ids.length).fill(0)], // no letter looks at those behind it
    last: [ids.length - 1],
  })
  const kept = (name) => values.get(name).exact.slice() // the next run writes where these stand
  const lens = program.steps.flatMap(({ name }) => (name?.startsWith("lens") ? [kept(name)] : []))
  const weights = Object.keys(heads).map(kept)
  return new Opened({ ids, weights, lens, positions, size: vocabulary.length })
}

class Opened {
  constructor(run) {
    Object.assign(this, run)
  }

  get length() {
    return this.ids.length
  }

  // The shares of a head that a letter gives: to each letter up to itself
  row(head, t) {
    const start = t * this.positions
    return this.weights[head].subarray(start, start + t + 1)
  }

  // How much a head gives to each kind of look, on average over the letters that have such a one; null where none has
  scores(head) {
    return this.#scored((t) => this.row(head, t))
  }

  // The same of somebody who looks at all letters so far alike
  get alike() {
    return this.#scored((t) => upTo(t + 1).fill(1 / (t + 1)))
  }

  #scored(rowOf) {
    return LOOKS.map((looks) => {
      const given = upTo(this.length).flatMap((t) => {
        const marked = [...rowOf(t)].filter((_, k) => looks(this.ids, t, k))
        return marked.length ? [sum(marked)] : []
      })
      return given.length ? sum(given) / given.length : null
    })
  }

  // The chances of what comes behind a letter, would the machine end behind so many blocks
  chances(t, depth = this.lens.length - 1) {
    return this.lens[depth].subarray(t * this.size, (t + 1) * this.size)
  }

  // How much each letter but the first is missed: minus the logarithm of its chance
  get misses() {
    return upTo(this.length - 1).map((t) => -Math.log(this.chances(t)[this.ids[t + 1]]))
  }

  // Their average; null of a single letter
  get miss() {
    return this.length > 1 ? sum(this.misses) / (this.length - 1) : null
  }
}

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0)

// The places of the highest numbers, the highest first
export const highest = (numbers, count) =>
  [...numbers.keys()].sort((i, j) => numbers[j] - numbers[i]).slice(0, count)
