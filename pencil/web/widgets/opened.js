// A decoder on a text, independent of the page: the engine runs the program of pencil/widgets/writer_lab.py, and
// pattern scores are computed as in pencil/reference/interpretability.py.

import { upTo } from "../render/graph.js"

// Attention patterns: whether the pair of query t and key k belongs to it
const LOOKS = [
  (ids, t, k) => k === t - 1, // previous token
  (ids, t, k) => k === 0 && t > 0, // first token
  (ids, t, k) => k < t && ids[k] === ids[t], // same token
  (ids, t, k) => k > 0 && k < t && ids[k - 1] === ids[t], // induction
]

// The part of a text that the model reads: the last known letters, as many as it has positions.
// -> { letters: all letters of the text, read: whether each is read, strange: the unknown ones, early: the number of
// known letters before the first position }
export function reading(text, { vocabulary, positions }) {
  const letters = [...text]
  const known = letters.map((letter) => vocabulary.includes(letter))
  const early = Math.max(0, known.filter(Boolean).length - positions)
  let before = 0
  const read = known.map((isKnown) => isKnown && ++before > early)
  return { letters, read, strange: [...new Set(letters.filter((_, k) => !known[k]))], early }
}

// Runs the program. letters: known ones; gates: a factor for the output of each head. Throws EngineError
export function open({ vocabulary, positions, heads, program }, sheet, letters, gates) {
  const ids = letters.map((letter) => vocabulary.indexOf(letter))
  const values = sheet.run({
    gates,
    ids: [...ids, ...upTo(positions - ids.length).fill(0)], // padding: the mask is causal
    last: [ids.length - 1],
  })
  const kept = (name) => values.get(name).exact.slice() // a copy: the next run overwrites the arrays
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

  // The attention weights of query t in a head, for the keys up to itself
  row(head, t) {
    const start = t * this.positions
    return this.weights[head].subarray(start, start + t + 1)
  }

  // The score of a head for each pattern: the mean weight over the queries that have a key in it; null where none has
  scores(head) {
    return this.#scored((t) => this.row(head, t))
  }

  // The scores of uniform attention
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

  // The probabilities of the letter after position t, by the logit lens after `depth` blocks; by default after all
  probs(t, depth = this.lens.length - 1) {
    return this.lens[depth].subarray(t * this.size, (t + 1) * this.size)
  }

  // The loss of each letter but the first: −ln of its probability
  get losses() {
    return upTo(this.length - 1).map((t) => -Math.log(this.probs(t)[this.ids[t + 1]]))
  }

  // Their mean; null for a single letter
  get loss() {
    return this.length > 1 ? sum(this.losses) / (this.length - 1) : null
  }
}

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0)

// The indices of the highest numbers, the highest first
export const highest = (numbers, count) =>
  [...numbers.keys()].sort((i, j) => numbers[j] - numbers[i]).slice(0, count)
