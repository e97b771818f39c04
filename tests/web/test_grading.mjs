// The grading of answers on records: what is decided, and when the far mistakes, each of which runs the program, are
// worked out.

import assert from "node:assert/strict"
import test from "node:test"

import { choose, grade, ofTheBook } from "../../pencil/web/exercises/grading.js"
import { ofTheDay } from "../../pencil/web/exercises/order.js"

const mistake = (value, more) => ({
  key: "own-1", kind: "own", certainty: "guess", message: "You added one.", step: "", distance: 0, paper: [value], exact: [value], ...more })
const asked = (mistakes, more) => ({ right: { paper: [2], exact: [2] }, mistakes, far: [], ...more })

test("far mistakes are worked out where nothing else explains an answer, and once", () => {
  let runs = 0
  const exercise = { ...asked([mistake(3)]) }
  Object.defineProperty(exercise, "far", { get: () => ((runs += 1), []) })
  assert.equal(grade(exercise, "2").verdict, "right")
  assert.equal(grade(exercise, "3").message, "Perhaps you added one.", "one digit alone")
  assert.equal(runs, 0)
  assert.equal(grade(exercise, "2.17").verdict, "wrong")
  assert.equal(runs, 1)
})

test("a reworded message changes no verdict, and certainty is a field", () => {
  for (const message of ["You added one.", "Que vous ajoutez!", "The slip is further up", "near-step-"]) {
    const { kind, wrong, verdict } = grade(asked([mistake(3, { message })]), "3")
    assert.deepEqual([kind, wrong, verdict], ["mistakes", "own-1", "wrong"])
  }
  assert.equal(grade(asked([mistake(3, { certainty: "fact", message: "You see the page." })]), "3").message, "You see the page.")
  const far = [mistake(3.2, { kind: "catalogue", distance: 2, step: "nolan.score", message: "You forgot the root." })]
  assert.equal(grade(asked([], { far }), "3.2").message, "Perhaps the slip is further up, at nolan.score: you forgot the root.")
})

test("a key decides nothing", () => {
  for (const key of ["near-step-x", "bent_halfway_x", "own-1", "x"])
    assert.equal(grade(asked([mistake(1234, { key })]), "1234").message, "You added one.")
})

test("a choice, in part or as it is", () => {
  const question = { choices: ["lo + w", "lo w", "a bag"], right: "a bag", wrong: { "lo w": "No." } }
  assert.equal(choose(question, "bag").verdict, "right")
  assert.equal(choose(question, "lo w").message, "No.")
  assert.equal(choose(question, "lo + w").message, "Not yet.")
  assert.equal(choose(question).message, "Choose one of these.")
  assert.equal(choose(question, "set").message, "Choose one of these: lo + w, lo w, a bag.")
})

test("the choices stand in another order each day, and each is first as often as the others", () => {
  const words = ["a", "b", "c"]
  const first = { a: 0, b: 0, c: 0 }
  for (let day = 0; day < 3000; day++) {
    const order = ofTheDay(words, "09:bag-or-set", `day ${day}`)
    assert.deepEqual([...order].sort(), words)
    assert.deepEqual(order, ofTheDay(words, "09:bag-or-set", `day ${day}`))
    first[order[0]] += 1
  }
  for (const word of words) assert.ok(Math.abs(first[word] - 1000) < 130, JSON.stringify(first)) // five standard deviations
  assert.notDeepEqual(words.map((_, k) => ofTheDay(words, `q${k}`, "x")[0]), ["a", "a", "a"])
})

test("a verdict that does not follow a reader's numbers says so", () => {
  const { verdict, message } = ofTheBook({ verdict: "right", message: "Right." })
  assert.deepEqual([verdict, message], ["right", "Right. This is about the book’s own numbers; you have changed some."])
})
