// The parts of a lab that need no page: its pictures, its nudges, its refusals.

import assert from "node:assert/strict"
import test from "node:test"

import { EngineError } from "../../pencil/web/engine/operations.js"
import { load } from "../../pencil/web/engine/program.js"
import { level, picture } from "../../pencil/web/render/pictures.js"
import { Worked } from "../../pencil/web/render/worked.js"
import { stepped } from "../../pencil/web/page/reading.js"
import { tried } from "../../pencil/web/page/runs.js"

const program = {
  places: 3, figures: 4,
  steps: [
    { op: "given", shape: [2, 2], value: [1, 3, 0, "-Infinity"], name: "x", words: ["a", "b"] },
    { op: "note", shape: [2, 2], args: [0], name: "y" },
    { op: "given", shape: [], value: [2], name: "z" },
  ],
}
const data = { run: "", track: "paper", whole: true, labels: {}, words: [["a", "b"]], axes: { x: [0, null], y: [0, null] }, of: {}, program }
const worked = new Worked(data, load(program))

test("how strong a number's colour is: from zero, each side in its own hue", () => {
  const numbers = [1, 4, 0, -2, -Infinity]
  assert.deepEqual(numbers.map((x) => level(x, numbers, false)), ["0.250", "1.000", "0.000", "-0.500", "0.000"])
  assert.equal(level(0.25, [0.25, 0.75], true), "0.250")
  assert.equal(level(0, [0, 0], false), "0.000")
  assert.equal(level(Infinity, [1, Infinity], false), "1.000")
})

test("a heat map has its words, an empty corner that is no heading, and a shade for every cell", () => {
  const html = `${picture(worked, "heat", "y", "A <caption>")}`
  assert.match(html, /<caption>A &lt;caption&gt;<\/caption>/)
  assert.match(html, /<thead><tr><td><\/td><th scope="col">1<\/th><th scope="col">2<\/th><\/tr><\/thead>/)
  assert.equal(html.match(/<th scope="row">/g).length, 2)
  assert.equal(html.match(/--v:/g).length, 4)
})

test("a picture labels its rows with the texts that were given, also where a text is there twice", () => {
  const told = { ...program, texts: [["b", "a"]] }
  const again = new Worked({ ...data, program: told }, load(told))
  assert.match(`${picture(again, "heat", "y", "")}`, /<th scope="row">a<\/th>.*<th scope="row">a<\/th>/)
})

test("given numbers get the cell that is asked for", () => {
  assert.match(`${picture(worked, "given", "x", "x", (number, place) => `[${place}:${number.text}]`)}`, /<th scope="row">a<\/th><td>\[0:1\]<\/td><td>\[1:3\]<\/td>/)
  assert.match(`${picture(worked, "given", "z", "z", (number) => number.text)}`, /<tr><td>2<\/td><\/tr>/)
})

test("bars have a row for each number", () => {
  assert.equal(picture(worked, "bars", "a.y", "bars").match(/<td class="bar">/g).length, 2)
})

test("arrow keys count by ones, with Shift by tenths, and leave what is no number", () => {
  const press = (text, key, shiftKey = false, dataset = {}) => stepped(text, { key, shiftKey, target: { dataset } })
  assert.equal(press("0.2", "ArrowUp", true), "0.3")
  assert.equal(press("0.5", "ArrowDown"), "−0.5")
  assert.equal(press("1/4", "ArrowUp"), "1.25")
  assert.equal(press("3", "ArrowUp", true, { count: "1" }), "4", "a count goes by whole numbers")
  assert.equal(press("32,768", "ArrowUp", false, { count: "1" }), "32769", "in a count a comma groups thousands")
  assert.equal(press("32,768", "ArrowUp"), null)
  for (const [text, key] of [["abc", "ArrowUp"], ["", "ArrowUp"], ["1", "ArrowLeft"], ["1", "a"]]) assert.equal(press(text, key), null)
})

test("a refusal becomes a sentence, any other error stays one", () => {
  assert.equal(tried(() => {}), "")
  assert.equal(tried(() => { throw new EngineError("x", "it broke") }), "It broke.")
  assert.throws(() => tried(() => { throw new TypeError("a bug") }), TypeError)
})

test("a number is counted from one, and in a grid by its row, as in its line", () => {
  const plain = { ...program, steps: program.steps.map(({ words, ...step }) => step) }
  assert.equal(new Worked({ ...data, axes: {} }, load(plain)).named("x", 3), "x row 2, number 2")
  assert.equal(worked.named("x", 3), "b.x number 2")
})
