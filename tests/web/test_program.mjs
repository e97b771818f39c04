// The engine by itself, in Node's own test runner: rounding, every operation, what is refused, what stays readable.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { outside } from "../../pencil/web/engine/limits.js"
import { EngineError, operation, spread } from "../../pencil/web/engine/operations.js"
import { load } from "../../pencil/web/engine/program.js"
import { asGiven, isWhole, roundHalfUp, rounder, settle, show } from "../../pencil/web/engine/rounding.js"

const apply = (op, shape, args, shapes, attrs = {}) => {
  const out = new Float64Array(shape.reduce((n, k) => n * k, 1))
  operation({ op, shape, ...attrs }, shapes)(args.map((a) => Float64Array.from(a)), out)
  return [...out]
}
const given = (name, shape, value) => ({ op: "given", name, shape, value })
const constant = (shape, value) => ({ op: "constant", shape, value })
const step = (op, shape, args, rest = {}) => ({ op, shape, args, ...rest })
const note = (name, shape, arg) => step("note", shape, [arg], { name })
const program = (...steps) => ({ places: 3, figures: 4, steps })
const refused = (f) => {
  try {
    f()
  } catch (error) {
    assert.ok(error instanceof EngineError, error.stack)
    return error
  }
  assert.fail("nothing was refused")
}

// ---- rounding

test("a tie goes away from zero, whatever the last bit says", () => {
  const ties = [[0.9995, 1], [1.0005, 1.001], [2.6745, 2.675], [54.125, 54.13], [54.135, 54.14], [10.005, 10.01], [1000.5, 1001], [2500.5, 2501], [1.999 / 2, 1], [1.414 * 0.25, 0.354]]
  for (const [tie, away] of ties) {
    for (const x of [tie, tie - tie * 2 ** -52, tie + tie * 2 ** -52]) {
      assert.equal(roundHalfUp(x), away)
      assert.equal(roundHalfUp(-x), -away)
    }
  }
})

test("zero has no sign", () => {
  for (const x of [-0, 0, -0.0001, -0.00049999, -1e-300, 5e-324]) {
    assert.ok(Object.is(roundHalfUp(x), 0))
    assert.equal(show(x), "0.000")
    assert.equal(show(x, { whole: true }), "0")
    assert.ok(Object.is(settle(-1e-12), 0))
  }
})

test("digits as the book writes them", () => {
  const written = { 0.953: 0.9525741, "54.60": 54.59815, "−1.500": -1.5, "403.4": 403.428793, 162755: 162754.791419, "10.00": 9.9996, 10000: 9999.6, 1000000000: 999999999.7, "1.7e308": 1.7e308, "−1.5e15": -1.5e15, "∞": Infinity, "−∞": -Infinity, NaN: NaN }
  for (const [digits, x] of Object.entries(written)) assert.equal(show(x), digits)
  assert.equal(show(1.9999, { whole: true }), "2")
  assert.equal(show(0.5, { whole: true }), "0.500")
  assert.equal(show(Math.PI, { places: 6, figures: null }), "3.141593")
  assert.equal(show(26.894, { places: 1 }), "26.9")
  assert.deepEqual([0.5, 1.414, 8, -0, 1e-11, 120, 1e14, 1.14200738982e26].map(asGiven), ["0.5", "1.414", "8", "0", "0", "120", "100000000000000", "1.14200738982e26"])
})

test("settling drops float noise, and what is not finite cannot settle", () => {
  assert.equal(settle(0.1 + 0.2), 0.3)
  assert.equal(settle(0.1 + 0.2 - 0.3), 0)
  assert.throws(() => settle(NaN), RangeError)
  assert.throws(() => settle(-Infinity), RangeError)
  assert.deepEqual([isWhole(8), isWhole(8 + 1e-13), isWhole(8.001), isWhole(Infinity), isWhole(NaN)], [true, true, false, false, false])
})

test("infinities pass, and a rounder of other places and figures rounds by them", () => {
  assert.deepEqual([2.71828, 54.598, -0.0001, Infinity, -Infinity, NaN].map(rounder()), [2.718, 54.6, 0, Infinity, -Infinity, NaN])
  assert.equal(rounder(2, 6)(1234.5678), 1234.57)
})

test("every multiple of 0.0005 rounds as whole numbers say", () => {
  const round = rounder(3, null)
  for (let n = 0; n < 20000; n++) {
    const thousandths = (n + (n % 2)) / 2 // n halves of a thousandth, the odd ones half up
    assert.equal(round(n / 2000), thousandths / 1000)
    assert.equal(round(-n / 2000), 0 - thousandths / 1000)
  }
})

// ---- operations

test("operations between numbers, with NumPy's special cases", () => {
  const two = (op, x, y) => apply(op, [], [[x], [y]], [[], []])[0]
  const one = (op, x) => apply(op, [], [[x]], [[]])[0]
  assert.deepEqual([two("add", 1, 2), two("subtract", 1, 2), two("multiply", 3, 2), two("divide", 1, 4)], [3, -1, 6, 0.25])
  assert.deepEqual([two("divide", 1, 0), two("divide", 1, -0), two("divide", 0, 0)], [Infinity, -Infinity, NaN])
  assert.deepEqual([one("negative", 0), one("exp", 1000), one("log", 0), one("log", -1), one("sqrt", -1), one("sqrt", 9)], [-0, Infinity, -Infinity, NaN, NaN, 3])
  assert.deepEqual([one("sin", 0), one("cos", 0), one("tanh", 1e300), one("tanh", -Infinity)], [0, 1, 1, -1])
  for (const op of ["maximum", "minimum"]) assert.deepEqual([two(op, NaN, 1), two(op, 1, NaN), two(op, -Infinity, NaN)], [NaN, NaN, NaN])
  assert.deepEqual([one("absolute", -2), one("absolute", -0), one("absolute", -Infinity), two("power", 2, 0.5), two("power", 0, -1), two("power", -8, 1 / 3)], [2, 0, Infinity, Math.SQRT2, Infinity, NaN])
  assert.deepEqual([two("power", 1, NaN), two("power", 1, Infinity), two("power", -1, -Infinity), two("power", NaN, 0), two("power", -2, 3)], [1, 1, 1, 1, -8])
  assert.deepEqual([two("maximum", -1, 2), two("minimum", -1, 2), two("maximum", -0, 0), two("minimum", 5, Infinity)], [2, -1, 0, 5])
})

test("comparisons answer 0 or 1, NaN is never equal and counts as true", () => {
  const compared = (op) => apply(op, [4], [[1, 2, 3, NaN], [2, 2, 2, NaN]], [[4], [4]])
  assert.deepEqual(["greater", "greater_equal", "less", "less_equal", "equal"].map(compared), [[0, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0]])
  assert.deepEqual(apply("equal", [], [[0], [-0]], [[], []]), [1])
  assert.deepEqual(apply("where", [4], [[1, 0, NaN, -0], [5], [1, 2, 3, 4]], [[4], [1], [4]]), [5, 2, 5, 4])
})

test("broadcasting lends axes in front and stretches axes of one", () => {
  assert.deepEqual(apply("add", [2, 3], [[10, 20], [1, 2, 3]], [[2, 1], [3]]), [11, 12, 13, 21, 22, 23])
  assert.deepEqual(apply("multiply", [2, 2, 2], [[1, 2, 3, 4], [10, 100]], [[2, 1, 2], [2, 1]]), [10, 20, 100, 200, 30, 40, 300, 400])
  assert.deepEqual(apply("add", [1, 1], [[1], [2]], [[], [1, 1]]), [3])
})

test("sum, mean and max along any axes", () => {
  const x = [1, 2, 3, 4, 5, 6], over = (op, axis, shape) => apply(op, shape, [x], [[2, 3]], { axis, keepdims: false })
  assert.deepEqual([over("sum", [0], [3]), over("sum", [1], [2]), over("sum", [0, 1], []), over("sum", [], [2, 3])], [[5, 7, 9], [6, 15], [21], x])
  assert.deepEqual([over("mean", [0], [3]), over("mean", [0, 1], [])], [[2.5, 3.5, 4.5], [3.5]])
  assert.deepEqual([over("max", [1], [2]), apply("max", [1], [[1, NaN, 3]], [[3]], { axis: [0], keepdims: true }), apply("max", [], [[-Infinity]], [[1]], { axis: [0] })], [[3, 6], [NaN], [-Infinity]])
  assert.deepEqual([apply("sum", [], [[-0, -0]], [[2]], { axis: [0] }), apply("matmul", [1, 1], [[-0], [1]], [[1, 1], [1, 1]])], [[0], [0]]) // as in NumPy, no −0
  assert.deepEqual(apply("sum", [2, 2], [[1, 2, 3, 4, 5, 6, 7, 8]], [[2, 2, 2]], { axis: [1], keepdims: false }), [4, 6, 12, 14])
})

test("products of grids, with a batch that is broadcast", () => {
  assert.deepEqual(apply("matmul", [2, 2], [[1, 2, 3, 4, 5, 6], [1, 0, 0, 1, 1, 1]], [[2, 3], [3, 2]]), [4, 5, 10, 11])
  assert.deepEqual(apply("matmul", [2, 1, 2], [[1, 2, 3, 4], [1, 0, 0, 1]], [[2, 1, 2], [2, 2]]), [1, 2, 3, 4])
  assert.deepEqual(apply("matmul", [2, 1, 1], [[1, 2], [1, 1, 2, 2]], [[1, 1, 2], [2, 2, 1]]), [3, 6])
})

test("gather reads several arrays laid end to end", () => {
  assert.deepEqual(apply("gather", [5], [[1, 2], [3], [4, 5]], [[2], [], [2, 1]], { index: [4, 0, 2, 2, 3] }), [5, 1, 3, 3, 4])
})

test("take looks rows up and refuses what is no row", () => {
  const table = [10, 11, 20, 21, 30, 31]
  assert.deepEqual(apply("take", [3, 2], [table, [2, 0, 2]], [[3, 2], [3]]), [30, 31, 10, 11, 30, 31])
  assert.deepEqual(apply("take", [], [[7, 8, 9], [1]], [[3], []]), [8])
  for (const [id, said] of [[3, "3"], [-1, "−1"], [0.5, "0.5"], [NaN, "NaN"]])
    assert.match(refused(() => apply("take", [1, 2], [table, [id]], [[3, 2], [1]])).message, new RegExp(`^id ${said} is none of the table's 3 rows \\(0 to 2\\); map rare words`))
})

test("running sums, orders and look-ups along an axis", () => {
  const x = [3, 1, 2, 1, 5, 1], along = (op, axis, args = [x], shapes = [[2, 3]], shape = [2, 3]) => apply(op, shape, args, shapes, { axis: [axis] })
  assert.deepEqual([along("cumsum", 0), along("cumsum", 1)], [[3, 1, 2, 4, 6, 3], [3, 4, 6, 1, 6, 7]])
  assert.deepEqual([along("argsort", 0), along("argsort", 1)], [[1, 0, 1, 0, 1, 0], [1, 2, 0, 0, 2, 1]]) // of equal ones the first comes first
  assert.deepEqual(apply("argsort", [5], [[NaN, 1, -Infinity, Infinity, 1]], [[5]], { axis: [0] }), [2, 1, 4, 3, 0])
  assert.deepEqual(along("take_along_axis", 1, [x, [2, 2, 0, 1]], [[2, 3], [2, 2]], [2, 2]), [2, 2, 1, 5])
  assert.deepEqual(along("take_along_axis", 0, [x, [1, 0, 1]], [[2, 3], [1, 3]], [1, 3]), [1, 1, 1])
  assert.match(refused(() => along("take_along_axis", 0, [x, [2, 0, 0]], [[2, 3], [1, 3]], [1, 3])).message, /^id 2 is none of the table's 2 rows/)
})

test("an operation that it does not know is refused by name", () => {
  for (const op of ["scatter", "toString"]) assert.match(refused(() => load(program(given("x", [1], [1]), step(op, [1], [0]), note("y", [1], 1)))).message, new RegExp(`no operation ${op}`))
})

// ---- runs

const third = program(given("x", [2], [1, 2]), constant([], [3]), step("divide", [2], [0, 1]), note("third", [2], 2), step("multiply", [2], [3, 1]), note("back", [2], 4))
const numbers = ({ exact, paper }) => ({ exact: [...exact], paper: [...paper] })

test("a rounded number is carried on, on paper and nowhere else", () => {
  const sheet = load(third)
  assert.deepEqual(numbers(sheet.values.get("back")), { exact: [1, 2], paper: [0.999, 2.001] })
  assert.deepEqual(numbers(sheet.run({ x: [2, 3.5] }).get("third")), { exact: [2 / 3, 3.5 / 3], paper: [0.667, 1.167] })
})

test("what is not given is as it was recorded, each time", () => {
  const sheet = load(third)
  sheet.run({ x: new Float64Array([30, 60]) })
  assert.deepEqual([...sheet.run().get("third").exact], [1 / 3, 2 / 3])
  assert.deepEqual(third.steps[0].value, [1, 2])
})

test("the last good values stay after a run that was refused, and later runs are not harmed", () => {
  const sheet = load(program(given("x", [2], [1, 2]), given("y", [2], [3, 4]), note("first", [2], 0), step("divide", [2], [0, 1]), note("share", [2], 3)))
  sheet.run({ x: [5, 6] })
  for (const wrong of [{ y: [0, 0] }, { x: [0, 0], y: [0, 1] }, { x: [1, NaN] }, { x: [7, 8], y: [1] }]) {
    refused(() => sheet.run(wrong))
    assert.deepEqual(numbers(sheet.values.get("share")), { exact: [5 / 3, 1.5], paper: [1.667, 1.5] })
    assert.deepEqual(numbers(sheet.values.get("first")).paper, [5, 6])
    assert.deepEqual([...sheet.values.get("y").exact], [3, 4])
  }
  assert.deepEqual([...sheet.run({ x: [9, 8] }).get("share").exact], [3, 2])
})

test("a given that does not fit is refused by name", () => {
  const sheet = load(third), because = (given) => refused(() => sheet.run(given))
  assert.match(because({ y: [1] }).message, /^the program has no given 'y'$/)
  assert.match(because({ x: [1, 2, 3] }).message, /^given 'x' has 3 numbers; the program was recorded with 2$/)
  for (const odd of [NaN, "", "1", null, undefined, [1]]) assert.equal(because({ x: [1, odd] }).message, "given 'x' is not all numbers; give it numbers")
  assert.equal(because({ toString: [1] }).step, "toString")
  assert.equal(because({ x: [1] }).step, "x")
})

test("infinity is a word in JSON", () => {
  const sheet = load(program(given("x", [2], ["Infinity", "-Infinity"]), step("negative", [2], [0]), note("y", [2], 1)))
  assert.deepEqual([...sheet.values.get("y").paper], [-Infinity, Infinity])
  assert.deepEqual([...sheet.run({ x: ["-Infinity", 1] }).get("y").exact], [Infinity, -1])
})

test("a NaN, an overflow and no number on paper are refused by name, and the message says what to do", () => {
  const share = load(program(given("x", [2], [1, 1]), step("sum", [1], [0], { axis: [0], keepdims: true }), note("total", [1], 1), step("divide", [2], [0, 2]), note("share", [2], 3)))
  const nan = refused(() => share.run({ x: [0, 0] }))
  assert.equal(nan.step, "share")
  assert.match(nan.message, /^'share' has no number: .*; change the last number back/)
  assert.equal(refused(() => share.run({ x: [1, -1] })).step, "share")
  const paper = refused(() => share.run({ x: [0.0002, 0.0001] }))
  assert.deepEqual([paper.step, paper.message], ["share", "'share' has no number on paper: 'total' is written 0.000, and nothing can be divided by it; use larger numbers"])
  const under = load(program(given("x", [1], [1]), given("y", [1], [1]), step("divide", [1], [0, 1]), note("ratio", [1], 2), step("multiply", [1], [3, 3]), note("square", [1], 4)))
  assert.equal(refused(() => under.run({ y: [0] })).message, "'ratio' has no number: 'y' is 0, or next to nothing, and nothing can be divided by it; use larger numbers")
  assert.equal(refused(() => under.run({ x: [1e200] })).message, "'square' grew beyond all numbers; use smaller numbers")
  const raised = load(program(given("x", [1], [1]), step("exp", [1], [0]), note("raised", [1], 1)))
  assert.match(refused(() => raised.run({ x: [800] })).message, /^'raised' needs e to a power above 709, a number of more than 300 digits; use smaller numbers$/)
})

test("of several steps the first that is not finite is blamed: a divisor only where it is next to nothing", () => {
  const behind = (...steps) => load(program(given("x", [1], [1]), given("y", [1], [1]), step("exp", [1], [0]), ...steps, note("ratio", [1], 2 + steps.length)))
  const said = (sheet, numbers) => refused(() => sheet.run(numbers)).message.replace("'ratio' ", "")
  const raised = "needs e to a power above 709, a number of more than 300 digits; use smaller numbers"
  const ratio = behind(step("divide", [1], [2, 1]))
  assert.equal(said(ratio, { x: [800] }), raised)
  assert.equal(said(ratio, { x: [709], y: [0.1] }), "grew beyond all numbers; use smaller numbers")
  assert.equal(said(ratio, { y: [1e-310] }), "has no number: 'y' is 0, or next to nothing, and nothing can be divided by it; use larger numbers")
  assert.equal(said(behind(step("divide", [1], [2, 2])), { x: [800] }), raised)
  assert.equal(said(behind(step("log", [1], [1]), step("multiply", [1], [3, 3])), { y: [0] }), "has no number: 'y' is 0, or next to nothing, and it has no logarithm; use larger numbers")
})

test("an input keeps to its limits, in the words of pencil/trace/limits.py", () => {
  const cases = JSON.parse(readFileSync(new URL("../limits.json", import.meta.url)))
  assert.ok(cases.length > 20)
  for (const { limits, shared, value, message } of cases)
    assert.equal(outside({ name: "x", ...limits }, Float64Array.from(value, Number), shared), message, JSON.stringify({ limits, value }))
})

test("an input is held to the number that it divides, in the run that changes either", () => {
  const limited = (name, limits, value) => ({ ...given(name, [value.length], value), least: 1, whole: true, ...limits })
  const sheet = load(program(limited("heads", {}, [12]), limited("kept", { divides: "heads" }, [4]), step("multiply", [1], [0, 1]), note("all", [1], 2)))
  const said = (numbers) => refused(() => sheet.run(numbers)).message
  assert.equal(said({ heads: [2.5] }), "'heads' must be a whole number, 1 or more. Type 3, for example")
  assert.equal(said({ heads: [10] }), "'kept' must be a whole number, 1 or more, that divides 'heads'. Type 2, for example")
  assert.deepEqual([...sheet.run({ heads: [32], kept: [8] }).get("all").exact], [256])
})

// scores of two words, the second masked by −∞ for the first; raised and logged
const masked = program(
  given("x", [2], [1, 2]), constant([2], [1, 0]), constant([], ["-Infinity"]), step("where", [2], [1, 0, 2]), note("masked", [2], 3),
  step("exp", [2], [4]), note("raised", [2], 5), step("log", [2], [6]), note("logged", [2], 7), step("multiply", [2], [0, 0]), note("square", [2], 9),
)

test("an infinity behind which a mask stands is none of the reader's making", () => {
  const sheet = load(masked)
  assert.deepEqual([...sheet.values.get("masked").exact], [1, -Infinity])
  assert.deepEqual([...sheet.values.get("logged").paper], [Math.log(2.718), -Infinity].map((x) => roundHalfUp(x)))
})

test("an overflow beside a mask is one", () => {
  const sheet = load(masked)
  assert.equal(refused(() => sheet.run({ x: [800, 1] })).step, "raised")
  assert.equal(refused(() => sheet.run({ x: [1, 1e200] })).step, "square")
  assert.deepEqual([...sheet.run({ x: [2, 800] }).get("masked").exact], [2, -Infinity])
})

test("what a mask strikes out on paper alone is struck out on purpose", () => { // 0.90997 is below 0.91, and written it is not
  const sheet = load(program(
    given("ahead", [1], [0.90997]), note("written", [1], 0), given("p", [], [0.91]), step("less", [1], [1, 2]), constant([], ["-Infinity"]),
    step("where", [1], [3, 0, 4]), note("kept", [1], 5), step("exp", [1], [6]), note("raised", [1], 7),
  ))
  const { exact, paper } = sheet.values.get("kept")
  assert.deepEqual([...exact, ...paper, sheet.values.get("raised").paper[0]], [0.90997, -Infinity, 0])
  assert.match(refused(() => load(program(given("x", [1], [0.0001]), note("small", [1], 0), given("one", [1], [-1]), step("divide", [1], [2, 1]), note("cut", [1], 3)))).message, /has no number on paper/)
})

test("what is written 0 is named where it may be none; what is chosen beside it is written", () => {
  const small = [given("x", [1], [0.0002]), note("small", [1], 0)]
  const because = (...steps) => refused(() => load(program(...small, ...steps, note("lost", [1], 1 + steps.length)))).message
  assert.match(because(step("log", [1], [1])), /^'lost' has no number on paper: 'small' is written 0.000, and it has no logarithm; use larger numbers/)
  assert.match(because(constant([], [-0.5]), step("power", [1], [1, 2])), /'small' is written 0.000, and it has no power below 0/)
  assert.match(because(constant([], [2]), step("multiply", [1], [1, 2]), step("subtract", [1], [1, 3]), step("divide", [1], [2, 4])), /: what stands there is written 0.000, and nothing can be divided by it/)
  const one = [constant([], [1]), step("divide", [1], [2, 1]), step("greater", [1], [1, 2]), step("where", [1], [4, 3, 2])]
  assert.deepEqual([...load(program(...small, ...one, note("kept", [1], 5))).values.get("kept").paper], [1])
})

test("a wrong id is refused on the way to the value that it is looked up for, mask or no mask", () => {
  const sheet = load(program(
    given("table", [2, 1], [5, 6]), given("ids", [1], [1]), constant([1], ["-Infinity"]), note("mask", [1], 2),
    step("take", [1, 1], [0, 1]), step("add", [1, 1], [4, 4]), note("found", [1, 1], 5),
  ))
  assert.equal(refused(() => sheet.run({ ids: [2] })).step, "found")
  assert.deepEqual([...sheet.values.get("found").exact], [12])
})

// ---- the graph

test("a note of a note, and a chain of unnamed steps that doubles at each", () => {
  const steps = [given("x", [], [1])]
  for (let k = 0; k < 60; k++) steps.push(step("maximum", [], [k, k]))
  const sheet = load(program(...steps, note("a", [], 60), note("b", [], 61)))
  assert.deepEqual(["a", "b"].map((name) => sheet.run({ x: [3] }).get(name).exact[0]), [3, 3])
})

test("places in runs: counts and strides from the outermost in", () => {
  assert.deepEqual(spread([[2, 1], [3, 2]]), [0, 2, 4, 1, 3, 5])
  assert.deepEqual(spread([[2, 0], [2, -1]], 7), [7, 6, 7, 6])
  assert.deepEqual(spread([], 4), [4])
})

// ---- one track alone

test("the exact track alone gives the exact digits, refuses the same, and rounds nothing", () => {
  const steps = [given("x", [2], [1 / 3, 2]), note("half", [2], 0), step("exp", [2], [1]), note("raised", [2], 2)]
  const both = load(program(...steps))
  const alone = load(program(...steps), ["exact"])
  for (const sheet of [both, alone]) sheet.run({ x: [2 / 3, -1] })
  for (const name of ["half", "raised"]) {
    assert.deepEqual(alone.values.get(name).exact, both.values.get(name).exact)
    assert.deepEqual(alone.values.get(name).paper, both.values.get(name).exact)
    assert.notDeepEqual(both.values.get(name).paper, both.values.get(name).exact)
  }
  const [one, other] = [both, alone].map((sheet) => refused(() => sheet.run({ x: [1000, 0] })))
  assert.equal(one.step, other.step)
  const put = (sheet) => [...sheet.substituted("raised", ["half"], ["x"]).exact]
  assert.deepEqual(put(alone), put(both))
})
