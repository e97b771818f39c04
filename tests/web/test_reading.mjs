// What comes in from outside: the numbers that readers type, the changes that links carry, and the runs that take them.

import assert from "node:assert/strict"
import test from "node:test"

import { EngineError } from "../../pencil/web/engine/operations.js"
import { readFragment, readNumber, readNumbers, writeFragment } from "../../pencil/web/page/reading.js"
import { Runs, tried } from "../../pencil/web/page/runs.js"

let state = 1
const draw = (n) => { // a small generator, so that a failure comes again
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * n)
}
const pick = (list) => list[draw(list.length)]

test("numbers as readers write them", () => {
  const read = { "2": 2, " −1.5 ": -1.5, "-1.5": -1.5, "+3": 3, ".5": 0.5, "2.": 2, "1/4": 0.25, "−1/2": -0.5, "1e-3": 0.001, "[7]": 7, "1 / 4": 0.25 }
  for (const [typed, value] of Object.entries(read)) assert.deepEqual(readNumber(typed), { value })
  assert.ok(Object.is(readNumber("−0").value, 0))
})

test("a comma is as good as a point, and thousands may be grouped by the other of the two", () => {
  const read = { "0,5": 0.5, "−2,8": -2.8, ",5": 0.5, "2,": 2, "0,5/2,5": 0.2, "1,5e1": 15, "٫5": 0.5, "0，5": 0.5, "0٫25": 0.25, "٣": 3, "－２．５": -2.5, "–0.5": -0.5, "(7)": 7,
    "0,953": 0.953, "1,2345": 1.2345, "1.234": 1.234, "1.234,5": 1234.5, "1,234.5": 1234.5, "-12.345.678": -12345678, "12,345,678": 12345678 }
  for (const [typed, value] of Object.entries(read)) assert.deepEqual(readNumber(typed), { value }, typed)
  for (const typed of ["1, 2", "1,2,3", "1;2", "1,-2"]) assert.match(readNumber(typed).problem, /a list of \d/, typed)
  for (const typed of [",", "1,2.3", "1.2,3,4.5", "0,5,"]) assert.equal(readNumber(typed).value, undefined, typed)
})

test("what may be thousands or decimals is refused by a sentence that names both", () => {
  for (const typed of ["4,096", "+4,096", "4,096 %", "1/4,096", "[4,096]"])
    assert.equal(readNumber(typed).problem, "“4,096” can mean two numbers; type 4096 or 4.096.", typed)
  for (const typed of ["−4,096", "-4,096", "[−4,096 %]", "-1/-4,096"])
    assert.equal(readNumber(typed).problem, "“−4,096” can mean two numbers; type −4096 or −4.096.", typed)
  assert.match(readNumbers("4,096 1 1 0", 4).problem, /type 4096 or 4\.096\.$/)
  assert.deepEqual(readNumbers("4,96, 0,953, 1,5", 3), { values: [4.96, 0.953, 1.5] })
})

test("what is no number gets a sentence and no value", () => {
  for (const typed of ["", " ", "abc", "NaN", "Infinity", "1e308", "1e999", "1/0", "1 2", "[1, 2]", "1/2/3", "0x10", "--1", "1e", "1_000", "2^0.5", "√−2", "3 √ x"]) {
    const { value, problem } = readNumber(typed)
    assert.equal(value, undefined, typed)
    assert.match(problem, /\.$/, typed)
  }
})

test("the notation of the questions, in every field", () => {
  const read = { "√2": Math.SQRT2, "−√2": -Math.SQRT2, "1/√2": 1 / Math.SQRT2, "√2/2": Math.SQRT2 / 2, "3√2": 3 * Math.SQRT2, "sqrt(2)": Math.SQRT2, "√2,25": 1.5,
    "½": 0.5, "−¾": -0.75, "1½": 1.5, "1 1/2": 1.5, "50 %": 0.5, "50 per cent": 0.5, "0,5 %": 0.005, "1/4,5": 1 / 4.5 }
  for (const [typed, value] of Object.entries(read)) assert.deepEqual(readNumber(typed), { value }, typed)
  assert.deepEqual(readNumbers("√4, ½; 1/√4 √ 9", 4), { values: [2, 0.5, 0.5, 3] })
})

test("in a count a comma groups thousands", () => {
  for (const [typed, value] of [["32,768", 32768], ["−4,096", -4096], ["1,5", 1.5], ["12", 12]]) assert.deepEqual(readNumber(typed, true), { value })
  assert.deepEqual(readNumbers("4,096 1 2,048", 3, true), { values: [4096, 1, 2048] })
})

test("a row that is none says what it is", () => {
  assert.equal(readNumbers("abc", 4).problem, "“abc” is no number; type one, such as 0.5, −2, 1/3 or √2. A row of 4 numbers fits here.")
  assert.equal(readNumbers("1 x", 4).problem, "“x” is no number; type one, such as 0.5, −2, 1/3 or √2. A row of 4 numbers fits here.")
  assert.equal(readNumbers(" ", 4).problem, "A row of 4 numbers fits here; you typed none.")
  assert.equal(readNumbers("7", 4).problem, "A row of 4 numbers fits here; you typed one.")
  assert.equal(readNumbers("1 2 3", 4).problem, "A row of 4 numbers fits here; you typed 3.")
})

test("a row as readers write it, and what is none", () => {
  for (const typed of ["(2, −1, 1/2)", "{2, –1, ½}", "２ −１ ０．５", "[2, −1, 1/2]", "2 −1 .5", "2;-1;0.5"]) assert.deepEqual(readNumbers(typed, 3), { values: [2, -1, 0.5] })
  for (const typed of ["0,5 1 −2,25", "[0,5; 1; −2,25]", "0.5, 1, −2.25", "0,5, 1, −2,25"])
    assert.deepEqual(readNumbers(typed, 3), { values: [0.5, 1, -2.25] })
  assert.deepEqual(readNumbers("7", 1), { values: [7] })
  for (const typed of ["[2, 1]", "2", "", "1 2 3 4"]) assert.match(readNumbers(typed, 3).problem, /A row of 3 numbers fits here/)
  assert.match(readNumbers("1, x, 3", 3).problem, /“x” is no number/)
  assert.match(readNumbers("1 2", 1).problem, /a list of 2/)
})

test("a link gives back what was written", () => {
  for (let i = 0; i < 2000; i++) {
    const changes = Array.from({ length: draw(5) }, () => ({
      run: pick(["", "turn", "two_heads"]), name: pick(["stick", "grid.attention.head1.query", "x"]), place: draw(16), value: (draw(20001) - 10000) / pick([1, 3, 7, 1000]),
    }))
    const fragment = writeFragment(changes)
    assert.deepEqual(fragment ? readFragment(fragment) : { asked: 0, changes: [] }, { asked: changes.length, changes })
  }
})

test("a place of the page follows the numbers, and stands alone without them", () => {
  const change = { run: "", name: "x", place: 0, value: -2 }
  assert.equal(writeFragment([change], "why-not"), "#pencil:/x:0=-2@why-not")
  assert.deepEqual(readFragment("#pencil:/x:0=-2@why-not"), { asked: 1, changes: [change], at: "why-not" })
  assert.deepEqual([writeFragment([], "why-not"), writeFragment([])], ["#why-not", ""])
})

test("rows as NumPy and PyTorch print them are rows", () => {
  const printed = ["[3.0, 1.0, -1.0]", "np.array([3, 1, -1])", "array([ 3.,  1., -1.], dtype=float32)", "tensor([3., 1., -1.], device='cpu', requires_grad=True)", "torch.tensor([3., 1., -1.])"]
  for (const text of printed) assert.deepEqual(readNumbers(text, 3), { values: [3, 1, -1] }, text)
  assert.match(readNumbers("arrays([3, 1, -1])", 3).problem, /is no number/)
})

test("any other fragment is none, and nothing breaks", () => {
  const pieces = ["#pencil:", "/", "stick", ":", "=", ",", "0", "-1", "1e999", "e-400", "NaN", "__proto__", "<b>", "%00", "\u202e", " ", "constructor", "..", "#", "9".repeat(400)]
  for (let i = 0; i < 20000; i++) {
    const text = (draw(3) ? "#pencil:" : "") + Array.from({ length: draw(9) }, () => pick(pieces)).join("")
    for (const { run, name, place, value } of readFragment(text)?.changes ?? []) {
      assert.match(run, /^\w*$/)
      assert.match(name, /^[A-Za-z_][\w.]*$/)
      assert.ok(Number.isInteger(place) && place >= 0 && Number.isFinite(value))
    }
  }
  for (const text of [undefined, null, 7, "", "#", "#place"]) assert.equal(readFragment(text), null)
  for (const text of ["#pencil:", "#pencil:%E0", "#pencil:/x:0=1" + "0".repeat(5000)]) assert.deepEqual(readFragment(text), { asked: 1, changes: [] })
})

const program = (value) => ({
  places: 3, figures: 4,
  steps: [
    { op: "given", shape: [2], value, name: "x" }, { op: "given", shape: [2], value: [1, 1], name: "y" },
    { op: "divide", shape: [2], args: [0, 1] }, { op: "note", shape: [2], args: [2], name: "z" },
  ],
})
const three = () => new Runs([["", [4, 2]], ["same", [4, 2]], ["other", [4, 3]]].map(([run, value]) => ({ run, program: program(value) })))
const z = (runs) => runs.all.map((one) => [...one.sheet.values.get("z").exact])

test("runs that were given the same numbers change together, and are told once", () => {
  const runs = three()
  runs.apply([{ run: "same", name: "x", place: 1, value: 7 }])
  assert.deepEqual(z(runs), [[4, 7], [4, 7], [4, 3]])
  assert.deepEqual(runs.changes, [{ run: "", name: "x", place: 1, value: 7 }])
  runs.reset()
  assert.deepEqual([z(runs), runs.changes], [[[4, 2], [4, 2], [4, 3]], []])
})

test("numbers that a run refuses leave all runs as they were", () => {
  const runs = three()
  runs.apply([{ run: "", name: "x", place: 0, value: 5 }])
  assert.throws(() => runs.apply([{ run: "", name: "x", place: 1, value: 9 }, { run: "", name: "y", place: 0, value: 0 }]), EngineError)
  assert.deepEqual(z(runs), [[5, 2], [5, 2], [4, 3]])
  assert.equal(runs.changes.length, 1)
})

test("changes that name nothing here are left out", () => {
  const runs = three()
  runs.apply([{ run: "gone", name: "x", place: 0, value: 1 }, { run: "", name: "z", place: 0, value: 1 }, { run: "", name: "__proto__", place: 0, value: 1 }, { run: "", name: "x", place: 9, value: 1 }])
  assert.deepEqual(runs.changes, [])
})

test("a link of as many changes as there may be is read back", () => {
  const changes = Array.from({ length: 500 }, (_, place) => ({ run: "", name: "params.attention.head1.query", place, value: -0.125 }))
  assert.deepEqual(readFragment(writeFragment(changes)), { asked: 500, changes })
  assert.deepEqual(readFragment(writeFragment([...changes, changes[0]])), { asked: 501, changes })
})

test("of a link that is spoilt in places the rest is read, and it is told how many there were", () => {
  const one = { run: "", name: "x", place: 0, value: 2 }
  assert.deepEqual(readFragment("#pencil:/x:0=2,/x:1=two,/x:2,x"), { asked: 4, changes: [one] })
})

test("numbers that break a sum are refused in the words of the page, and without a name where it has none", () => {
  const nought = [{ run: "", name: "x", place: 0, value: 0 }, { run: "", name: "y", place: 0, value: 0 }]
  const said = (labels) => tried(() => new Runs([{ run: "", labels, program: program([4, 2]) }]).apply(nought))
  assert.match(said({ z: "share" }), /^“share” has no number: 0 was divided by 0, .*change the last number back, or try another\.$/)
  assert.match(said({}), /^One of the sums has no number: 0 was divided by 0/)
  const counted = program([4, 2])
  Object.assign(counted.steps[0], { whole: true, least: 1 })
  const half = (labels) => tried(() => new Runs([{ run: "", labels, program: counted }]).apply([{ run: "", name: "x", place: 0, value: 0.5 }]))
  assert.equal(half({ x: "blocks" }), "“blocks” must be a whole number, 1 or more. Type 1, for example.")
  assert.equal(half({}), "This number must be a whole number, 1 or more. Type 1, for example.")
})
