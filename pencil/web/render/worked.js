// Writes any value of a run as worked lines with the engine's current numbers, with exactly the same text as
// pencil/worked/lines.py.

import { FORMATS } from "../engine/formats.js"
import { asGiven, show } from "../engine/rounding.js"
import { billOf, said } from "./bill.js"
import { exactDigits, isText, join, lineOf, plain, row } from "./fragments.js"
import { Graph, flat, positions, put, upTo } from "./graph.js"
import { LEAVES, YES_OR_NO, behind, isWeight, pairs, source, unravel } from "./origin.js"
import { Writer, rows } from "./writer.js"

export class Worked {
  #data
  #graph
  #writer

  // data: exported by pencil.worked.exporting; sheet: the engine's, loaded with data.program. Lines show the sheet's
  // last run.
  constructor(data, sheet) {
    this.#data = data
    this.run = data.run
    this.#graph = new Graph(data, sheet)
    this.#writer = new Writer(data, this.#graph.words)
  }

  // The value of a reference: { name, exact, paper, … }, with its flat index `place` if it is a single number. Throws a
  // RangeError.
  find(reference) {
    return this.#graph.find(reference)
  }

  // The result of act(this), and the names of the values that it has read.
  reading(act) {
    return this.#graph.reading(() => act(this))
  }

  // Written numbers: { text, reference, cut, track }.
  numbers(reference) {
    const value = this.find(reference)
    return positions(value).map((at) => this.#writer.number(value.array, at))
  }

  // One number in each format: [[format, digits], …]
  inFormats(reference) {
    const { array, index } = this.find(reference)
    return Object.keys(FORMATS).map((track) => [track, this.#on(track).number(array, index).text])
  }

  #on(track) {
    return new Writer({ ...this.#data, track }, this.#graph.words)
  }

  // The operation counts of a value; "" for an input
  bill(reference) {
    const { array } = this.find(reference)
    return array.op === "given" ? "" : `${this.#writer.called(array)}, all of it: ${said(billOf(array))}.`
  }

  // The first number, in program order, whose digits on a track differ from the exact ones: { name, place, exact, here
  // }, or undefined
  firstChange(track) {
    const { places, figures } = this.#data.program
    const digits = (x) => show(x, { places, figures })
    for (const [name, array] of this.#graph.names) {
      const [exact, here] = ["exact", track].map((one) => array.every(one))
      const place = exact.findIndex((x, k) => digits(x) !== digits(here[k]))
      if (place >= 0) return { name, place, exact: digits(exact[place]), here: digits(here[place]) }
    }
    return undefined
  }

  // The tooltip of a number: { exact, more, labelled }.
  described(reference) {
    const { array, index } = this.find(reference)
    return this.#writer.described(array, index)
  }

  row(reference) {
    return plain(this.#writer.literal(this.find(reference)))
  }

  lines(reference, by) {
    return this.#lines(this.find(reference), by).map(plain)
  }

  html(reference, by) {
    return this.#lines(this.find(reference), by).map(lineOf)
  }

  // The sum with and without the intermediate step
  sums(reference) {
    const value = this.find(reference)
    const both = [this.#chain(value, false), this.#chain(value)].filter((sides) => sides.length > 1)
    return [...new Set(both.map((sides) => plain(join(sides, " = "))))]
  }

  // The line of one number. For a number that was only moved, the line has its origin.
  #behind(value) {
    const [array, at] = source(behind(value.array), value.index)
    const made = this.#writer.sum(array, at)[0].filter((f) => !isText(f))
    const [first] = made
    const wasMoved = value.array.op !== "given" && made.length === 1 && this.#chain(value).length === 1
    if (!wasMoved || YES_OR_NO.includes(array.op)) return this.#line(value)
    return [this.#label(value), " = ", this.#label(this.find(this.#local(first.reference))), " = ", first]
  }

  // The reference within the run
  #local(reference) {
    return reference.slice(this.run ? this.run.length + 1 : 0)
  }

  // The label of a single number as in its lines: nolan.WANT number 1, WANT grid row 1, number 3.
  named(name, place) {
    const { array } = this.find(name)
    return this.#writer.say(array, unravel(place, array.shape))
  }

  // The contents of the card of a number, a row or a matrix.
  opened(reference) {
    const value = this.find(reference)
    const given = value.array.op === "given"
    const lines = value.ndim ? this.#lines(value, "row") : [this.#behind(value)]
    const text = this.row(reference)
    return {
      name: this.#label(value),
      exact: this.#exactly(value),
      isCut: [value.exact].flat().some((x) => exactDigits(x) !== asGiven(x)),
      given,
      text,
      isRounded: plain(this.#on("exact").literal(value)) !== text, // on the way to it
      html: lines.map(lineOf),
    }
  }

  // The exact digits of a number, a row or a matrix
  #exactly(value) {
    if (value.ndim === 0) return exactDigits(value.exact)
    return `[${rows(value)
      .map((part) => this.#exactly(part))
      .join(", ")}]`
  }

  // The flat indices of a value in its array.
  places(reference) {
    const value = this.find(reference)
    return positions(value).map((at) => flat(value.array.shape, at))
  }

  // [sum, step, result]; only [result] if there is no sum
  #chain(value, step = true) {
    const body = behind(value.array)
    const result = this.#writer.literal(value)
    if (value.ndim > 1 || this.#isSaid(value)) return [result]
    const sides =
      value.ndim === 1
        ? [this.#writer.rowSum(body, positions(value))]
        : [this.#writer.sum(body, value.index)[0], step ? this.#writer.step(body, value.index) : null]
    // A sum of a single term is trivial
    return [...sides.filter((side) => side && plain(side) !== plain(result)), result]
  }

  // Inputs, moved and masked numbers have no computation
  #isSaid(value) {
    return [...LEAVES, ...YES_OR_NO].includes(
      source(
        behind(value.array),
        value.index.map((k) => k ?? 0),
      )[0].op,
    )
  }

  #line(value) {
    const chain = this.#chain(value)
    const sides = chain.slice(0, -1)
    const result = chain.at(-1)
    if (!sides.length) return [this.#label(value), " = ", ...result]
    const left = value.ndim === 0 ? this.#dotted(value) : null
    return [...(left ?? [this.#label(value)]), " = ", ...join(sides, " = "), equals(chain), ...result]
  }

  #lines(value, by) {
    if (value.ndim === 0) return [this.#line(value)]
    if (value.ndim > 1) return rows(value).flatMap((part) => this.#lines(part, by))
    const column = value.array.shape.at(-1) === 1
    const chain = this.#chain(value).length > 1 // a column has one number a word: a line for each
    if (this.#isSaid(value) || by === "row" || (!by && chain && !column)) return [this.#line(value)]
    const singles = positions(value).map((at) => this.#line(value.at(at)))
    return singles.length > 1
      ? [...singles, [this.#label(value), " = ", ...this.#writer.literal(value)]]
      : singles
  }

  // nolan.WANT · ended.HAVE, or: WANT grid row 1 [1, 0, 0, 0] · nolan.stick
  #dotted(value) {
    const [array, at] = source(behind(value.array), value.index)
    if (array.op !== "matmul") return null
    const both = pairs(array, at)
    const left = both.map(([x]) => source(...x))
    const right = both.map(([, y]) => source(...y))
    if (!(isWholeRow(left) && isWholeRow(right))) return null
    const [[a, pa]] = left
    const [[b, pb]] = right
    if (!isWeight(a)) return [`${this.#owned(a, pa)} · ${this.#owned(b, pb)}`]
    const weights = upTo(a.shape[1]).map((k) => this.#writer.number(a, [pa[0], k]))
    return [`${this.#writer.called(a)} row ${pa[0] + 1} `, ...row(weights), ` · ${this.#owned(b, pb)}`]
  }

  // nolan.share[ended]
  #label({ array, index }) {
    return this.#writer.say(array, index)
  }

  // nolan.WANT: the label of a number's row
  #owned(array, at) {
    return this.#writer.say(array, put(at, -1, null))
  }
}

// A named row, from its first number to its last: only then does its name stand for it
function isWholeRow(numbers) {
  const [array, at] = numbers[0]
  if (!(array.name && array.ndim && array.shape.at(-1) === numbers.length)) return false
  return numbers.every(([a, p], k) => a === array && `${p}` === `${put(at, -1, k)}`)
}

// ≈ where a number was cut for show
const equals = (chain) => (chain.flat().some((f) => f.cut) ? " ≈ " : " = ")
