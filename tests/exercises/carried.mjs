// What a reader wrote is carried on: an accepted number, although the book wrote another, and a wrong one, which is told.

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import test from "node:test"

import { load } from "../../pencil/web/engine/program.js"
import { Written } from "../../pencil/web/exercises/carried.js"
import { grade } from "../../pencil/web/exercises/grading.js"
import { draws } from "../../pencil/web/exercises/generate.js"
const generate = (data, seed) => [...draws(data, seed)].at(-1)

const data = JSON.parse(readFileSync(process.env.PENCIL_SHEET, "utf-8"))
const sheet = generate(data, 7)
const page = { sheet: () => sheet }
const asked = (key) => data.asks.find((ask) => ask.key === key)

function answer(written, key, text) {
  const { answer, label, rows, shares } = asked(key)
  const numbers = sheet.values.get(answer.name)
  const at = (track) => answer.at.map((k) => numbers[track][k])
  const { also, follows } = written.before(key, answer, page)
  const verdict = grade({ right: { paper: at("paper"), exact: at("exact"), also }, follows, mistakes: [], far: [], rows, shares }, text)
  written.put(key, answer, label, verdict)
  return verdict
}

test("who carries an accepted share is right", () => {
  const written = new Written()
  assert.equal(answer(written, "nolan.context", "-1.405 0 4.238 0").verdict, "wrong")
  assert.equal(answer(written, "nolan.weights", "0.881 0.119").verdict, "right")
  assert.equal(answer(written, "nolan.context", "-1.405 0 4.238 0").verdict, "right")
})

test("what follows from a wrong row is told so, and where the slip is", () => {
  const written = new Written()
  const want = answer(written, "nolan.query", "1 2 3 4")
  assert.equal(want.verdict, "wrong")
  const scores = sheet.written("scores", { query: [1, 2, 3, 4].map((x, k) => [k, x]) }).paper.slice(0, 2)
  const said = answer(written, "nolan.scores", [...scores].join(" "))
  assert.deepEqual([said.verdict, said.wrong], ["wrong", "follows"])
  assert.equal(said.message, "This follows from what you wrote; the slip is in nolan.query.")
  assert.equal(answer(written, "nolan.query", [...sheet.values.get("query").paper.slice(0, 4)].join(" ")).verdict, "right")
  assert.equal(answer(written, "nolan.scores", "77 78").kind === "follows", false)
})

test("what is too short, or no whole row, is not carried", () => {
  const written = new Written()
  answer(written, "nolan.weights", "0.88 0.12")
  answer(written, "nolan.scores", "1")
  assert.deepEqual(written.before("nolan.context", asked("nolan.context").answer, page), { also: [], follows: null })
})
