// The graph of a program with the numbers of the engine's last run, and the resolution of references
// `[word.]name[index, …]`, where an index is a word or a number from 0, as in pencil/trace/names.py.

import { count, operation } from "../engine/operations.js"
import { unfolded } from "../engine/program.js"

export const upTo = (n) => Array.from({ length: n }, (_, k) => k)

// An index with another place on one axis; −1 is the last axis
export const put = (index, axis, place) => index.map((k, i) => (i === (axis + index.length) % index.length ? place : k))
export const everyOf = (ranges) =>
  ranges.reduce((all, range) => all.flatMap((at) => range.map((k) => [...at, k])), [[]])
export const flat = (shape, at) => at.reduce((place, k, axis) => place * shape[axis] + k, 0)
export const positions = ({ array, index }) =>
  everyOf(index.map((k, axis) => (k === null ? upTo(array.shape[axis]) : [k])))

// A step as an array: the words along its axes (or null), its name, and its numbers.
class Step {
  #graph

  constructor(step, { args, axes, of }, graph) {
    const { shape, value } = step
    Object.assign(this, step, {
      args,
      axes,
      of,
      size: count(shape),
      ndim: shape.length,
      value: value && Float64Array.from(value, Number),
    })
    this.#graph = graph
  }

  // The labels of an axis as they were given, or null
  labels(axis) {
    return this.axes[axis]?.map((word) => this.#graph.texts.get(word) ?? word)
  }

  every(track) {
    return this.#graph.numbers(this, track)
  }

  number(track, at) {
    return this.#graph.numbers(this, track)[flat(this.shape, at)]
  }
}

export class Graph {
  #sheet
  #kept
  #read = null

  // data: exported by pencil.worked.exporting; sheet: the engine's
  constructor({ program, words, axes, of }, sheet) {
    const steps = unfolded(program.steps)
    const named = (all, name) => (name && Object.hasOwn(all, name) ? all[name] : null)
    const made = []
    for (const step of steps) {
      const more = {
        args: (step.args ?? []).map((k) => made[k]),
        axes: named(axes, step.name)?.map((k) => words[k] ?? null) ?? step.shape.map(() => null),
        of: named(of, step.name) ?? [],
      }
      made.push(new Step(step, more, this))
    }
    this.#sheet = sheet
    this.texts = new Map(program.texts)
    this.words = new Set(steps.flatMap((step) => step.words ?? []))
    this.names = new Map(made.filter((step) => step.name).map((step) => [step.name, step]))
  }

  // The result of act(), and the names of the values that it has read.
  reading(act) {
    const read = new Set()
    this.#read = read
    try {
      return [act(), read]
    } finally {
      this.#read = null
    }
  }

  // Unnamed values are computed on demand, and cached until the next lookup.
  numbers(step, track) {
    if (step.name) {
      this.#read?.add(step.name)
      return this.#sheet.numbers(step.name, track)
    }
    if (step.value) return step.value
    const kept = (this.#kept[track] ??= new Map())
    if (!kept.has(step)) {
      const out = new Float64Array(step.size)
      const shapes = step.args.map((arg) => arg.shape)
      const operands = step.args.map((arg) => this.numbers(arg, track))
      step.work ??= operation(step, shapes)
      step.work(operands, out)
      kept.set(step, out)
    }
    return kept.get(step)
  }

  // -> Value. Throws a RangeError for an unknown reference.
  find(reference) {
    this.#kept = {}
    const [, head, inside] =
      /^([\p{L}\p{N}_.]+)(?:\[([^\]]*)\])?$/u.exec(reference.trim()) ?? nothing(reference)
    const [array, words] = this.#split(head) ?? nothing(reference)
    const { ndim, shape, axes, of } = array
    const index = shape.map(() => null)
    const rows = upTo(ndim).filter((axis) => this.words.has(axes[axis]?.[0])) // a leading word cannot refer to columns
    for (const word of words.filter((word) => !of.includes(word))) {
      const axis = of.length ? undefined : rows.shift()
      if (!axes[axis]?.includes(word)) nothing(reference)
      index[axis] = axes[axis].indexOf(word)
    }
    const keys = inside ? inside.split(",").map((key) => key.trim()) : []
    const free = upTo(ndim).filter((axis) => index[axis] === null)
    if (keys.length > free.length) nothing(reference)
    keys.forEach((key, k) => {
      if (key !== ":" || axes[free[k]]?.includes(key))
        index[free[k]] = placeOf(array, free[k], key) ?? nothing(reference)
    })
    // A trailing axis of size one is dropped
    if (index.at(-1) === null && shape.at(-1) === 1 && !axes.at(-1)) index[ndim - 1] = 0
    return new Value(array, index)
  }

  // "nolan.head1.scores" -> [the array head1.scores, ["nolan"]]
  #split(head) {
    const words = []
    for (let dot; !this.names.has(head); head = head.slice(dot + 1)) {
      dot = head.indexOf(".")
      if (dot < 0 || !this.words.has(head.slice(0, dot))) return null
      words.push(head.slice(0, dot))
    }
    return [this.names.get(head), words]
  }
}

function nothing(reference) {
  throw new RangeError(`${reference} names nothing in this run; write name, word.name or word.name[index]`)
}

function placeOf({ axes, shape }, axis, key) {
  if (axes[axis]?.includes(key)) return axes[axis].indexOf(key)
  return /^\d+$/.test(key) && Number(key) < shape[axis] ? Number(key) : null
}

// A named value, or a part of it: `index` has an entry for each axis, null for all.
class Value {
  constructor(array, index) {
    Object.assign(this, { array, index, name: array.name, ndim: index.filter((k) => k === null).length })
  }

  get exact() {
    return this.on("exact")
  }

  get paper() {
    return this.on("paper")
  }

  // The flat index of a single number
  get place() {
    return flat(this.array.shape, this.index)
  }

  at(index) {
    return new Value(this.array, index)
  }

  // The numbers on a track, or in a format
  on(track) {
    const numbers = positions(this).map((at) => this.array.number(track, at))
    return this.ndim ? numbers : numbers[0]
  }
}
