// Writes any value of a run as worked lines, with the numbers that the engine has now: character for character what
// pencil/worked writes. Its files origin, writer and lines stand below in this order, under the same names.

import { MINUS, asGiven, isWhole, settle, show } from "./engine.js"
import {
  ATOM, NEGATIVE, POWER, PRODUCT, SUM,
  call, constantDigits, exactDigits, hasMore, html, isText, join, numberIn, plain, plus, row, wrap,
} from "./fragments.js"
import { Graph, everyOf, flat, positions, upTo } from "./graph.js"

const LEAVES = ["given", "constant", "note"]
const YES_OR_NO = ["greater", "greater_equal", "less", "less_equal", "equal"]
const SIGNS = { add: " + ", subtract: ` ${MINUS} `, multiply: "·", divide: " / " }

// ---- origin: the numbers that one place of a result is made of

function source(array, at) { // through what only moves or chooses numbers, to where a number really stands
  while (MOVES[array.op]) [array, at] = MOVES[array.op](array, at)
  return [array, at]
}

const MOVES = {
  gather(array, at) {
    let place = array.index[flat(array.shape, at)], k = 0
    while (place >= array.args[k].size) place -= array.args[k++].size
    return [array.args[k], unravel(place, array.args[k].shape)]
  },
  take({ args: [table, ids] }, at) { return [table, [ids.number("exact", at.slice(0, ids.ndim)), ...at.slice(ids.ndim)]] },
  where(array, at) {
    const [mask, yes, no] = array.args, choice = mask.number("exact", broadcast(mask, array, at)) !== 0 ? yes : no
    return [choice, broadcast(choice, array, at)]
  },
}

const unravel = (place, shape) => shape.reduceRight(([rest, ...at], n) => [Math.floor(rest / n), rest % n, ...at], [place]).slice(1)
const broadcast = (operand, array, at) => at.slice(array.ndim - operand.ndim).map((k, axis) => (operand.shape[axis] === 1 ? 0 : k))
const operands = (array, at) => array.args.map((arg) => [arg, broadcast(arg, array, at)])

function summands({ args: [arg], axis: summed, keepdims }, at) {
  const kept = at.filter((_, axis) => !(keepdims && summed.includes(axis)))
  const fixed = arg.shape.map((_, axis) => (summed.includes(axis) ? null : kept.shift()))
  return everyOf(summed.map((axis) => upTo(arg.shape[axis]))).map((steps) => [arg, fixed.map((k, axis) => k ?? steps[summed.indexOf(axis)])])
}

function pairs(array, at) { // row times stick
  const [a, b] = array.args, last = array.ndim - 1
  const left = broadcast(a, array, at.with(last, 0)), right = broadcast(b, array, at.with(last - 1, 0))
  const both = upTo(a.shape.at(-1)).map((k) => [[a, left.with(-1, k)], [b, right.with(-2, k)]])
  return isGrid(source(...both[0][1])[0]) ? both.map(([x, y]) => [y, x]) : both
}

const isGrid = (array) => array.op === "given" && array.ndim === 2 && !array.axes.some(Boolean) // its rows are not words
const behind = (array) => (array.op === "note" ? array.args[0] : array) // the step that a note wrote down

// ---- writer: the digits of a number, its reference, and the sum behind it

class Writer {
  #kept = new Map()

  constructor({ program, whole, track, run, labels }, words) {
    const { places, figures } = program
    Object.assign(this, { places, figures, whole, track, run, words, labels: new Map(Object.entries(labels)) })
  }

  called(array) { return this.labels.get(array.name) ?? array.name }
  value(array, at) { return array.number(this.track, at) }

  number(array, at) { // -> a number that knows its value, or the bare digits of a constant
    const exact = array.number("exact", at)
    if (array.op === "constant") return constantDigits(exact)
    const paper = array.number("paper", at), before = behind(array).number("paper", at)
    const kept = (this.#kept.get(array) ?? this.#kept.set(array, []).get(array)), place = flat(array.shape, at), last = kept[place]
    if (last && last.of[0] === exact && last.of[1] === paper && last.of[2] === before) return last.number // it stands in many lines
    kept[place] = { of: [exact, paper, before], number: this.#written(array, at, exact, paper, before) }
    return kept[place].number
  }

  #written(array, at, x, paper, before) {
    const whole = this.whole && isWhole(x) && isWhole(before) // on both tracks, and on paper already before it was rounded
    const digits = (y) => (array.op === "given" ? asGiven(y) : show(y, { places: this.places, figures: this.figures, whole }))
    const text = digits(this.track === "paper" ? paper : x), exact = exactDigits(x)
    const number = { text, reference: this.reference(array, at), exact, cut: false, track: "", more: hasMore(text, exact), says: this.says(array, at) }
    if (this.track === "paper") return number
    const cut = Number.isFinite(x) && settle(x) !== settle(numberIn(text)) // the computer carries on with more
    return { ...number, cut, track: text === digits(paper) ? "" : "exact" }
  }

  says(array, at) { return this.called(array) === array.name ? "" : this.reference(array, at, this.called(array)) }

  reference(array, at, name = array.name) {
    const worded = array.axes.map((words, axis) => words?.[at[axis]])
    const owner = array.of.length ? -1 : worded.findIndex((word) => word !== undefined && this.words.has(word)), last = array.ndim - 1
    let inside = upTo(array.ndim).filter((axis) => axis !== owner)
    if (inside.length === 1 && inside[0] === last && array.shape[last] === 1 && !array.axes[last]) inside = [] // a column of one is a number
    const front = [...(this.run ? [this.run] : []), ...array.of, ...(owner < 0 ? [] : [worded[owner]]), name]
    return front.join(".") + (inside.length ? `[${inside.map((axis) => worded[axis] ?? at[axis]).join(", ")}]` : "")
  }

  sum(...from) { // -> [fragments, how tightly they hold]
    const [array, at] = source(...from), { op } = array
    if (LEAVES.includes(op)) {
      const number = this.number(array, at), text = plain([number])
      return [[number], text.startsWith(MINUS) ? NEGATIVE : text.startsWith("√") ? POWER : ATOM]
    }
    if (YES_OR_NO.includes(op)) return [[asGiven(this.value(array, at))], ATOM]
    if (op === "matmul") return [join(pairs(array, at).map(([x, y]) => this.#product(this.sum(...x), this.sum(...y))), " + "), SUM]
    if (op === "sum" || op === "mean") {
      const numbers = summands(array, at), terms = plus(numbers.map((x) => this.sum(...x)))
      return op === "mean" ? [["(", ...terms, `) / ${numbers.length}`], PRODUCT] : [terms, SUM]
    }
    const sides = (op === "max" ? summands : operands)(array, at).map((x) => this.sum(...x))
    if (op === "max" && sides.length === 1) return sides[0]
    if (!SIGNS[op]) return call(op, sides)
    if (op === "add") return [plus(sides), SUM]
    if (op === "subtract") return [[...wrap(sides[0], SUM), SIGNS[op], ...wrap(sides[1], PRODUCT)], SUM]
    return [[...wrap(sides[0], PRODUCT), SIGNS[op], ...wrap(sides[1], POWER)], PRODUCT]
  }

  #product(x, y) { return [...wrap(x, POWER), "·", ...wrap(y, POWER)] }

  step(...from) { // what stands between sum and result (6 + 2), only where nothing is rounded in it; else null
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
      if (uncut && live.length > 1 && live.every(isWhole)) return plus(live.map((p) => [[asGiven(p)], p < 0 ? NEGATIVE : ATOM]))
    }
    return null
  }

  rowSum(array, places) { // a whole row in one sum: [2, 8] / 2, 0.953 × [0, 3, 1, 0]; null where it has none
    if (SIGNS[array.op]) {
      const sides = array.args.map((arg, i) => this.#side(places.map((at) => source(...operands(array, at)[i])), arg.ndim > 0))
      return sides.every(Boolean) ? join(sides, array.op === "multiply" ? " × " : SIGNS[array.op]) : null
    }
    if (["sum", "mean"].includes(array.op) && Math.max(...array.axis) < array.args[0].ndim - 1) { // slot by slot
      const columns = places.map((at) => summands(array, at).map((x) => source(...x)))
      const rows = columns[0].map((_, i) => this.#side(columns.map((column) => column[i])))
      if (rows.every(Boolean)) return array.op === "mean" ? ["(", ...join(rows, " + "), `) / ${rows.length}`] : join(rows, " + ")
    }
    return null
  }

  #side(leaves, canBeRow = true) { // one operand of a row: a number that serves all of it, or a row
    if (leaves.some(([array]) => !LEAVES.includes(array.op))) return null
    const one = leaves.every(([array, at]) => array === leaves[0][0] && `${at}` === `${leaves[0][1]}`)
    return one && (leaves.length > 1 || !canBeRow) ? wrap(this.sum(...leaves[0]), POWER) : row(leaves.map((leaf) => this.number(...leaf)))
  }

  literal(value) {
    if (value.ndim === 0) return [this.number(value.array, value.index)]
    if (value.ndim === 1) return row(positions(value).map((at) => this.number(value.array, at)))
    return ["[", ...join(rows(value).map((part) => this.literal(part)), ", "), "]"]
  }
}

function rows(value) { // the parts of a value along its first open axis
  const axis = value.index.indexOf(null)
  return upTo(value.array.shape[axis]).map((k) => value.at(value.index.with(axis, k)))
}

// ---- lines

export class Worked {
  #graph; #writer

  // data: what pencil.worked.export gave; sheet: the engine's, loaded with data.program. Lines are of the sheet's last run.
  constructor(data, sheet) {
    this.run = data.run
    this.#graph = new Graph(data, sheet)
    this.#writer = new Writer(data, this.#graph.words)
  }

  // The value that a reference names: { name, exact, paper, … }; of one number its `place` in the array. Throws a RangeError.
  find(reference) { return this.#graph.find(reference) }
  isNumber(reference) { return this.find(reference).ndim === 0 }

  // Written numbers: { text, reference, exact, cut, track, more, says }.
  numbers(reference) {
    const value = this.find(reference)
    return positions(value).map((at) => this.#writer.number(value.array, at))
  }

  row(reference) { return plain(this.#writer.literal(this.find(reference))) }
  lines(reference, by) { return this.#lines(this.find(reference), by).map(plain) }
  html(reference, by) { return this.#lines(this.find(reference), by).map(html) }

  sums(reference) { // the whole sum, without the step between and with it
    const value = this.find(reference), both = [this.#chain(value, false), this.#chain(value)].filter((sides) => sides.length > 1)
    return [...new Set(both.map((sides) => plain(join(sides, " = "))))]
  }

  // The line of one number. A number that was only moved here has no sum: its line says where it stood before.
  #behind(value) {
    const [array, at] = source(behind(value.array), value.index), made = this.#writer.sum(array, at)[0].filter((f) => !isText(f)), [first] = made
    const wasMoved = value.array.op !== "given" && made.length === 1 && this.#chain(value).length === 1
    if (!wasMoved || YES_OR_NO.includes(array.op)) return this.#line(value)
    return [this.#label(value), " = ", (first.says || first.reference).slice(this.run ? this.run.length + 1 : 0), " = ", first]
  }

  // What a single number of an array is called: nolan.WANT[0], or WANT grid row 1, number 3, as its lines say.
  named(name, place) {
    const { array } = this.find(name)
    return this.#named(array, unravel(place, array.shape))
  }

  #named(array, at) { return isGrid(array) ? `${this.#writer.called(array)} row ${at[0] + 1}, number ${at[1] + 1}` : this.#say(array, at) }

  // What the card of a number shows.
  opened(reference) {
    const value = this.find(reference), given = value.array.op === "given", lines = [html(this.#behind(value))]
    return { name: this.#named(value.array, value.index), exact: exactDigits(value.exact), given, text: this.row(reference), html: lines }
  }

  #chain(value, step = true) { // [sum, step, result]; only [result] for what no sum leads to
    const body = behind(value.array), result = this.#writer.literal(value)
    if (value.ndim > 1 || this.#isSaid(value)) return [result]
    const sides = value.ndim === 1
      ? [this.#writer.rowSum(body, positions(value))]
      : [this.#writer.sum(body, value.index)[0], step ? this.#writer.step(body, value.index) : null]
    return [...sides.filter((side) => side && plain(side) !== plain(result)), result] // the sum of one number is that number
  }

  #isSaid(value) { // given, only moved, or chosen by a mask: there is nothing to work out
    return [...LEAVES, ...YES_OR_NO].includes(source(behind(value.array), value.index.map((k) => k ?? 0))[0].op)
  }

  #line(value) {
    const chain = this.#chain(value), sides = chain.slice(0, -1), result = chain.at(-1)
    if (!sides.length) return [this.#label(value), " = ", ...result]
    const left = value.ndim === 0 ? this.#dotted(value) : null
    return [...(left ?? [this.#label(value)]), " = ", ...join(sides, " = "), equals(chain), ...result]
  }

  #lines(value, by) {
    if (value.ndim === 0) return [this.#line(value)]
    if (value.ndim > 1) return rows(value).flatMap((part) => this.#lines(part, by))
    const column = value.array.shape.at(-1) === 1, chain = this.#chain(value).length > 1 // a column has one number a word: a line for each
    if (this.#isSaid(value) || by === "row" || (!by && chain && !column)) return [this.#line(value)]
    const singles = positions(value).map((at) => this.#line(value.at(at)))
    return singles.length > 1 ? [...singles, [this.#label(value), " = ", ...this.#writer.literal(value)]] : singles
  }

  #dotted(value) { // nolan.WANT · ended.HAVE, or: WANT grid row 1 [1, 0, 0, 0] · nolan.stick
    const [array, at] = source(behind(value.array), value.index)
    if (array.op !== "matmul") return null
    const both = pairs(array, at), left = both.map(([x]) => source(...x)), right = both.map(([, y]) => source(...y))
    if (!(isWholeRow(left) && isWholeRow(right))) return null
    const [[a, pa]] = left, [[b, pb]] = right
    if (!isGrid(a)) return [`${this.#owned(a, pa)} · ${this.#owned(b, pb)}`]
    const dials = upTo(a.shape[1]).map((k) => this.#writer.number(a, [pa[0], k]))
    return [`${this.#writer.called(a)} row ${pa[0] + 1} `, ...row(dials), ` · ${this.#owned(b, pb)}`]
  }

  #label({ array, index }) { return this.#say(array, index) } // nolan.portion[ended]
  #owned(array, at) { return this.#say(array, at.with(-1, null)) } // nolan.WANT: the row in which a number stands

  #say(array, at) {
    const fixed = upTo(array.ndim).filter((axis) => at[axis] !== null), worded = fixed.filter((axis) => array.axes[axis])
    const [first, ...words] = [...array.of, ...worded.map((axis) => array.axes[axis][at[axis]])]
    const inside = [...words, ...fixed.filter((axis) => !array.axes[axis] && array.shape[axis] > 1).map((axis) => at[axis])]
    return (first === undefined ? "" : `${first}.`) + this.#writer.called(array) + (inside.length ? `[${inside.join(", ")}]` : "")
  }
}

function isWholeRow(numbers) { // a named row, from its first number to its last: only then does its name stand for it
  const [array, at] = numbers[0]
  if (!(array.name && array.ndim && array.shape.at(-1) === numbers.length)) return false
  return numbers.every(([a, p], k) => a === array && `${p}` === `${at.with(-1, k)}`)
}

// ≈ where a number was cut for show
const equals = (chain) => (chain.flat().some((f) => f.cut) ? " ≈ " : " = ")
