// The digits of a number, its reference, and its sum. As pencil/worked/writer.py.

import { MINUS, asGiven, isWhole, settle, show } from "../engine/rounding.js"
import {
  ATOM,
  NEGATIVE,
  POWER,
  PRODUCT,
  SUM,
  call,
  constantDigits,
  exactDigits,
  hasMore,
  join,
  numberIn,
  plain,
  plus,
  row,
  wrap,
} from "./fragments.js"
import { flat, positions, put, upTo } from "./graph.js"
import { LEAVES, YES_OR_NO, behind, operands, pairs, soFar, source, summands } from "./origin.js"

const KINDS = { 1: "number", 2: "row" } // names of parts along an axis without words, by number of remaining axes
const SIGNS = { add: " + ", subtract: ` ${MINUS} `, multiply: "·", divide: " / " }

export class Writer {
  #kept = new Map()

  constructor({ program, whole, track, run, labels }, words) {
    const { places, figures } = program
    Object.assign(this, {
      places,
      figures,
      whole,
      track,
      run,
      words,
      labels: new Map(Object.entries(labels)),
    })
  }

  called(array) {
    return this.labels.get(array.name) ?? array.name
  }

  value(array, at) {
    return array.number(this.track, at)
  }

  // -> a number fragment, or the digits of a constant
  number(array, at) {
    const exact = array.number("exact", at)
    if (array.op === "constant") return constantDigits(exact)
    const paper = array.number("paper", at)
    const here = array.number(this.track, at)
    const before = behind(array).number("paper", at)
    const numbers = this.#kept.get(array) ?? this.#kept.set(array, []).get(array)
    const kept = (numbers[flat(array.shape, at)] ??= { reference: this.reference(array, at) })
    // Cached, since a number occurs in many lines
    const now = { exact, paper, here, before }
    if (kept.number && Object.keys(now).every((key) => Object.is(kept[key], now[key]))) return kept.number
    Object.assign(kept, now)
    kept.number = this.#written(array, kept)
    return kept.number
  }

  #written(array, { reference, exact, paper, here, before }) {
    // An integer on both tracks, and on paper before rounding
    const whole = this.whole && isWhole(exact) && isWhole(before)
    const digits = (x) =>
      array.op === "given" && x === exact
        ? asGiven(x)
        : show(x, { places: this.places, figures: this.figures, whole })
    const text = digits(here)
    if (this.track === "paper") return { text, reference, cut: false, track: "" }
    // The exact value has more digits
    const cut = Number.isFinite(here) && settle(here) !== settle(numberIn(text))
    return { text, reference, cut, track: text === digits(paper) ? "" : this.track }
  }

  // The tooltip of a written number: its exact digits, whether they differ, and its reference in the page's words, or
  // "" if these are its names.
  described(array, at) {
    const number = this.number(array, at)
    const exact = exactDigits(array.number("exact", at))
    const run = this.run ? `${this.run}.` : ""
    const said = this.say(array, at)
    const labelled = this.called(array) === array.name && !said.includes(" ") ? "" : run + said
    return { exact, more: hasMore(number.text, exact), labelled }
  }

  // The label of a value or of a part of it, counted from 1: nolan.share[ended], nolan.NEW number 2, dials row 1
  say(array, at) {
    const fixed = upTo(array.ndim).filter((axis) => at[axis] !== null)
    const worded = fixed.filter((axis) => array.axes[axis])
    const [first, ...words] = [...array.of, ...worded.map((axis) => array.axes[axis][at[axis]])]
    const counted = fixed
      .filter((axis) => !array.axes[axis] && array.shape[axis] > 1)
      .map((axis) => `${KINDS[array.ndim - axis] ?? "table"} ${at[axis] + 1}`)
    return (
      (first === undefined ? "" : `${first}.`) +
      this.called(array) +
      (words.length ? `[${words.join(", ")}]` : "") +
      (counted.length ? ` ${counted.join(", ")}` : "")
    )
  }

  reference(array, at) {
    const worded = array.axes.map((words, axis) => words?.[at[axis]])
    const owner = array.of.length
      ? -1
      : worded.findIndex((word) => word !== undefined && this.words.has(word))
    const last = array.ndim - 1
    let inside = upTo(array.ndim).filter((axis) => axis !== owner)
    // A trailing axis of size one is dropped
    if (inside.length === 1 && inside[0] === last && array.shape[last] === 1 && !array.axes[last]) inside = []
    const words = owner < 0 ? array.of.filter((word) => this.words.has(word)) : [worded[owner]]
    const front = [...(this.run ? [this.run] : []), ...words, array.name]
    const index = inside.map((axis) => worded[axis] ?? at[axis])
    return front.join(".") + (index.length ? `[${index.join(", ")}]` : "")
  }

  // -> [fragments, precedence]
  sum(...from) {
    const [array, at] = source(...from)
    const { op } = array
    if (LEAVES.includes(op)) {
      const number = this.number(array, at)
      const text = plain([number])
      return [[number], text.startsWith(MINUS) ? NEGATIVE : text.startsWith("√") ? POWER : ATOM]
    }
    if (YES_OR_NO.includes(op)) return [[asGiven(this.value(array, at))], ATOM]
    if (op === "matmul") {
      const products = pairs(array, at).map(([x, y]) => this.#product(this.sum(...x), this.sum(...y)))
      return [join(products, " + "), SUM]
    }
    if (op === "sum" || op === "mean") {
      const numbers = summands(array, at)
      const terms = plus(numbers.map((x) => this.sum(...x)))
      return op === "mean" ? [["(", ...terms, `) / ${numbers.length}`], PRODUCT] : [terms, SUM]
    }
    // Every line has the same number of terms: later ones are 0
    if (op === "cumsum") {
      const [added, rest] = soFar(array, at)
      return [plus([...added.map((x) => this.sum(...x)), ...Array(rest).fill([["0"], ATOM])]), SUM]
    }
    const sides = (op === "max" ? summands : operands)(array, at).map((x) => this.sum(...x))
    if (op === "max" && sides.length === 1) return sides[0]
    if (!SIGNS[op]) return call(op, sides)
    if (op === "add") return [plus(sides), SUM]
    if (op === "subtract") return [[...wrap(sides[0], SUM), SIGNS[op], ...wrap(sides[1], PRODUCT)], SUM]
    return [[...wrap(sides[0], PRODUCT), SIGNS[op], ...wrap(sides[1], POWER)], PRODUCT]
  }

  #product(x, y) {
    return [...wrap(x, POWER), "·", ...wrap(y, POWER)]
  }

  // The intermediate step between sum and result (6 + 2), if it is exact; else null
  step(...from) {
    const [array, at] = source(...from)
    if (array.op === "mean" && this.track === "paper") {
      const numbers = summands(array, at)
      if (numbers.every((x) => LEAVES.includes(source(...x)[0].op))) {
        return [`${asGiven(numbers.reduce((sum, x) => sum + this.value(...x), 0))} / ${numbers.length}`]
      }
    }
    if (array.op === "matmul") {
      const factors = pairs(array, at).map(([x, y]) => [this.value(...x), this.value(...y)])
      const live = factors.map(([x, y]) => x * y).filter((p) => p !== 0)
      const uncut = this.track === "paper" || factors.flat().every(isWhole)
      if (uncut && live.length > 1 && live.every(isWhole))
        return plus(live.map((p) => [[asGiven(p)], p < 0 ? NEGATIVE : ATOM]))
    }
    return null
  }

  // A row as a single sum: [2, 8] / 2, 0.953 × [0, 3, 1, 0]; null if that is not possible
  rowSum(array, places) {
    if (SIGNS[array.op]) {
      const sides = array.args.map((arg, i) => {
        const leaves = places.map((at) => source(...operands(array, at)[i]))
        return this.#side(leaves, arg.ndim > 0)
      })
      return sides.every(Boolean) ? join(sides, array.op === "multiply" ? " × " : SIGNS[array.op]) : null
    }
    // Elementwise
    if (["sum", "mean"].includes(array.op) && Math.max(...array.axis) < array.args[0].ndim - 1) {
      const columns = places.map((at) => summands(array, at).map((x) => source(...x)))
      const rows = columns[0].map((_, i) => this.#side(columns.map((column) => column[i])))
      if (rows.every(Boolean))
        return array.op === "mean" ? ["(", ...join(rows, " + "), `) / ${rows.length}`] : join(rows, " + ")
    }
    return null
  }

  // An operand of a row: a scalar, or a row
  #side(leaves, canBeRow = true) {
    if (leaves.some(([array]) => !LEAVES.includes(array.op))) return null
    const one = leaves.every(([array, at]) => array === leaves[0][0] && `${at}` === `${leaves[0][1]}`)
    return one && (leaves.length > 1 || !canBeRow)
      ? wrap(this.sum(...leaves[0]), POWER)
      : row(leaves.map((leaf) => this.number(...leaf)))
  }

  literal(value) {
    if (value.ndim === 0) return [this.number(value.array, value.index)]
    if (value.ndim === 1) return row(positions(value).map((at) => this.number(value.array, at)))
    const parts = rows(value).map((part) => this.literal(part))
    return ["[", ...join(parts, ", "), "]"]
  }
}

// The parts of a value along its first open axis
export function rows(value) {
  const axis = value.index.indexOf(null)
  return upTo(value.array.shape[axis]).map((k) => value.at(put(value.index, axis, k)))
}
