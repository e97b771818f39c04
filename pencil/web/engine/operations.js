// The operations of a program. Each step is compiled into a closure (args, out) with precomputed indices. The number
// type is a parameter, `numbers`: the floats of this file, or the fractions of fractions.js.

import { asGiven, wholeOf } from "./rounding.js"

// A run has failed: `step` is the name of the undefined value, `message` says what to do.
export class EngineError extends Error {
  constructor(step, message) {
    super(message)
    this.step = step
  }
}

export const count = (shape) => shape.reduce((n, k) => n * k, 1)

const greatest = (x, y) => (x > y || Number.isNaN(x) ? x : y) // propagates NaN like NumPy; of two zeros the second
const EACH = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
  negative: (x) => -x,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  absolute: Math.abs,
  rint: (x) => Math.sign(x) * wholeOf(Math.abs(x)),
  power: (x, y) => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y), // like NumPy; in JavaScript NaN
  maximum: greatest,
  minimum: (x, y) => (x < y || Number.isNaN(x) ? x : y),
  greater: (x, y) => +(x > y),
  greater_equal: (x, y) => +(x >= y),
  less: (x, y) => +(x < y),
  less_equal: (x, y) => +(x <= y),
  equal: (x, y) => +(x === y),
  where: (mask, x, y) => (mask !== 0 ? x : y), // NaN is true, like in NumPy
}

// The flat indices of nested [count, stride] runs, the outermost first.
export const spread = (runs, start = 0) =>
  runs.reduce(
    (places, [size, stride]) =>
      places.flatMap((place) => Array.from({ length: size }, (_, k) => place + k * stride)),
    [start],
  )

// The flat indices into an array of shape `from` for each number of the shape `to` that it is broadcast to.
function reach(from, to) {
  const runs = to.map((size, axis) => {
    const own = axis - to.length + from.length
    const isRepeated = own < 0 || from[own] === 1
    return [size, isRepeated ? 0 : count(from.slice(own + 1))]
  })
  return Int32Array.from(spread(runs))
}

// An elementwise function of one, two or three numbers; `inA` has the index into a for each number of the result
function each(compute, step, shapes) {
  const [inA, inB, inC] = shapes.map((shape) => reach(shape, step.shape))
  if (!inB)
    return ([a], out) => {
      for (let i = 0; i < out.length; i++) out[i] = compute(a[inA[i]])
    }
  if (!inC)
    return ([a, b], out) => {
      for (let i = 0; i < out.length; i++) out[i] = compute(a[inA[i]], b[inB[i]])
    }
  return ([a, b, c], out) => {
    for (let i = 0; i < out.length; i++) out[i] = compute(a[inA[i]], b[inB[i]], c[inC[i]])
  }
}

// Sums and maxima along axes; `into` has the index of the result for each number of a
function fold(compute, start, step, [shape]) {
  const folded = shape.map((size, axis) => (step.axis.includes(axis) ? 1 : size))
  const into = reach(folded, shape)
  return ([a], out) => {
    out.fill(start)
    for (let i = 0; i < into.length; i++) out[into[i]] = compute(out[into[i]], a[i])
  }
}

function mean(step, shapes, { each: { add, divide }, zero, of }) {
  const sum = fold(add, zero, step, shapes)
  const size = of(count(step.axis.map((axis) => shapes[0][axis])))
  return (args, out) => {
    sum(args, out)
    for (let i = 0; i < out.length; i++) out[i] = divide(out[i], size)
  }
}

function matmul(step, [left, right], { each: { add, multiply }, zero }) {
  const batch = step.shape.slice(0, -2)
  const [rows, columns] = step.shape.slice(-2)
  const inner = left.at(-1)
  const startsOf = (shape) => reach(shape.slice(0, -2), batch).map((item) => item * count(shape.slice(-2)))
  const startsA = startsOf(left)
  const startsB = startsOf(right)
  const dot = (a, inA, b, inB) => {
    let sum = zero
    for (let k = 0; k < inner; k++) sum = add(sum, multiply(a[inA + k], b[inB + k * columns]))
    return sum
  }
  return ([a, b], out) => {
    let place = 0
    for (let item = 0; item < startsA.length; item++)
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
          out[place++] = dot(a, startsA[item] + row * inner, b, startsB[item] + column)
  }
}

function gather(step, shapes) {
  // Concatenation: for each number, the index of its array and its index there
  const places = shapes.flatMap((shape, array) =>
    Array.from({ length: count(shape) }, (_, place) => [array, place]),
  )
  const arrays = step.index.map((k) => places[k][0])
  const inArray = step.index.map((k) => places[k][1])
  return (args, out) => {
    for (let i = 0; i < out.length; i++) out[i] = args[arrays[i]][inArray[i]]
  }
}

function checkIds(ids, rows, { towards }) {
  const odd = ids.find((id) => !(id >= 0 && id < rows && Number.isInteger(id)))
  if (odd === undefined) return
  throw new EngineError(
    towards,
    `id ${asGiven(odd)} is none of the table's ${rows} rows (0 to ${rows - 1}); map rare words to unknown first`,
  )
}

function take(step, [[rows, ...row]]) {
  const width = count(row)
  return ([table, ids], out) => {
    checkIds(ids, rows, step)
    for (let i = 0; i < out.length; i++) {
      const column = i % width
      out[i] = table[ids[(i - column) / width] * width + column]
    }
  }
}

// Calls f for every line along an axis, with a function from a position in the line to a flat index
function alongAxis(f, { axis: [axis] }, shape) {
  const stride = count(shape.slice(axis + 1))
  const runs = shape.map((size, d) => [d === axis ? 1 : size, count(shape.slice(d + 1))])
  for (const start of spread(runs)) f((k) => start + k * stride)
}

function cumsum(step, [shape], { each: { add }, zero }) {
  const addUp = (a, out) => (at) => {
    let sum = zero
    for (let k = 0; k < shape[step.axis]; k++) {
      sum = add(sum, a[at(k)])
      out[at(k)] = sum
    }
  }
  return ([a], out) => alongAxis(addUp(a, out), step, shape)
}

const ascending = (x, y) => (x < y ? -1 : x > y ? 1 : Number.isNaN(x) - Number.isNaN(y)) // NaN is last

// A stable sort
function argsort(step, [shape], { order, of }) {
  const places = Array.from({ length: shape[step.axis] }, (_, k) => k)
  const sort = (a, out) => (at) => {
    const sorted = [...places].sort((i, j) => order(a[at(i)], a[at(j)]))
    sorted.forEach((place, k) => {
      out[at(k)] = of(place)
    })
  }
  return ([a], out) => alongAxis(sort(a, out), step, shape)
}

function takeAlong(step, [shape, to]) {
  const lines = [] // start of each line of the table, in the order of the lines of the indices
  alongAxis((at) => lines.push(at), step, shape)
  return ([table, ids], out) => {
    checkIds(ids, shape[step.axis], step)
    let line = 0
    alongAxis(
      (at) => {
        for (let k = 0; k < to[step.axis]; k++) out[at(k)] = table[lines[line](ids[at(k)])]
        line++
      },
      step,
      to,
    )
  }
}

// Operations that are not elementwise
const WHOLE = {
  sum: (step, shapes, { each, zero }) => fold(each.add, zero, step, shapes),
  max: (step, shapes, { each, least }) => fold(each.maximum, least, step, shapes),
  mean,
  matmul,
  gather,
  take,
  cumsum,
  argsort,
  take_along_axis: takeAlong,
}

const FLOATS = {
  each: EACH,
  zero: 0,
  least: -Infinity,
  of: (n) => n,
  order: ascending,
}

// Compile one step into a function (args, out) that fills out.
export function operation(step, shapes, numbers = FLOATS) {
  if (Object.hasOwn(EACH, step.op)) return each(numbers.each[step.op], step, shapes)
  if (Object.hasOwn(WHOLE, step.op)) return WHOLE[step.op](step, shapes, numbers)
  throw new EngineError(
    step.name ?? step.towards,
    `the engine knows no operation ${step.op}; build the page again`,
  )
}
