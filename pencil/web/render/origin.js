// The operands of a single number of a result. As pencil/worked/origin.py.

import { everyOf, flat, put, upTo } from "./graph.js"

// Operations without a computation
export const LEAVES = ["given", "constant", "note"]
export const YES_OR_NO = ["greater", "greater_equal", "less", "less_equal", "equal"]

// Follow operations that only move or select numbers to the number's origin
export function source(array, at) {
  while (MOVES[array.op]) [array, at] = MOVES[array.op](array, at)
  return [array, at]
}

const MOVES = {
  gather(array, at) {
    let place = array.index[flat(array.shape, at)]
    let k = 0
    while (place >= array.args[k].size) place -= array.args[k++].size
    return [array.args[k], unravel(place, array.args[k].shape)]
  },
  take({ args: [table, ids] }, at) {
    return [table, [ids.number("exact", at.slice(0, ids.ndim)), ...at.slice(ids.ndim)]]
  },
  take_along_axis({ args: [table, ids], axis: [axis] }, at) {
    return [table, put(at, axis, ids.number("exact", at))]
  },
  where(array, at) {
    const [mask, yes, no] = array.args
    const choice = mask.number("exact", broadcast(mask, array, at)) !== 0 ? yes : no
    return [choice, broadcast(choice, array, at)]
  },
}

export const unravel = (place, shape) =>
  shape.reduceRight(([rest, ...at], n) => [Math.floor(rest / n), rest % n, ...at], [place]).slice(1)
const broadcast = (operand, array, at) =>
  at.slice(array.ndim - operand.ndim).map((k, axis) => (operand.shape[axis] === 1 ? 0 : k))
export const operands = (array, at) => array.args.map((arg) => [arg, broadcast(arg, array, at)])

export function summands({ args: [arg], axis: summed, keepdims }, at) {
  const kept = at.filter((_, axis) => !(keepdims && summed.includes(axis)))
  const fixed = arg.shape.map((_, axis) => (summed.includes(axis) ? null : kept.shift()))
  return everyOf(summed.map((axis) => upTo(arg.shape[axis]))).map((steps) => [
    arg,
    fixed.map((k, axis) => k ?? steps[summed.indexOf(axis)]),
  ])
}

// The terms of a cumulative sum so far, without constant zeros, and the number of remaining terms
export function soFar({ args: [x], axis: [axis] }, at) {
  const reached = upTo(at[axis] + 1).map((k) => source(x, put(at, axis, k)))
  const added = reached.filter(([a, p]) => !(a.op === "constant" && a.number("exact", p) === 0))
  return [added, x.shape[axis] - added.length]
}

// The pairs of factors of one number of a matrix product
export function pairs(array, at) {
  const [a, b] = array.args
  const last = array.ndim - 1
  const left = broadcast(a, array, put(at, last, 0))
  const right = broadcast(b, array, put(at, last - 1, 0))
  const both = upTo(a.shape.at(-1)).map((k) => [
    [a, put(left, -1, k)],
    [b, put(right, -2, k)],
  ])
  return isWeight(source(...both[0][1])[0]) ? both.map(([x, y]) => [y, x]) : both
}

// Whether an input is a weight matrix, which has no words along its axes
export const isWeight = (array) => array.op === "given" && array.ndim === 2 && !array.axes.some(Boolean)
export const behind = (array) => (array.op === "note" ? array.args[0] : array) // the step behind a note
