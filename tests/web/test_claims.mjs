// Words that hold while a condition does, as tests/checker/test_claims.py has them of the checker.

import assert from "node:assert/strict"
import test from "node:test"

import { claim, readClaim } from "../../pencil/web/page/claims.js"

const VALUES = { "nolan.scores": [2, 8], "nolan.scores[ended]": 8, "nolan.weights[ended]": 0.953, root: 1.414, dust: 1e-17 }
const holds = (claim) => readClaim(claim).holds((reference) => VALUES[reference])

test("a claim names its values and holds or not", () => {
  assert.deepEqual(readClaim("max nolan.scores = nolan.scores[ended] and root > 1").references, ["nolan.scores", "nolan.scores[ended]", "root"])
  for (const claim of [
    "nolan.weights[ended] > 0.9", "nolan.weights[ended] < 0.96 and nolan.scores[ended] ≥ 8", "max nolan.scores = nolan.scores[ended]", "min nolan.scores ≤ 2",
    "root = √2", "nolan.scores[ended] = 4 · min nolan.scores", "nolan.scores > 1", "nolan.scores ≠ 2", "nolan.scores = nolan.scores",
    "nolan.scores[ended] − 2 = 6", "dust = 0",
  ])
    assert.ok(holds(claim), claim)
  for (const claim of ["nolan.weights[ended] > 0.953", "nolan.scores > 2", "nolan.scores = 2", "nolan.scores ≠ nolan.scores", "root > 1 and root > 2"])
    assert.ok(!holds(claim), claim)
})

// A page of two runs, each with one value; `claim` sees a run as what finds its values
const runs = { one: { x: 1 }, two: { x: 2 } }
const find = (reference) => (reference.includes(".") ? { run: reference.split(".")[0], reference: reference.split(".")[1] } : null)
const worked = (run) => ({ find: (reference) => ({ paper: runs[run][reference], exact: runs[run][reference] }) })
const bound = (when) => {
  const element = { dataset: { when }, toggleAttribute: (_, isOn) => (element.isUntrue = isOn) }
  return { element, parts: claim(element, find) }
}

test("a claim of two runs is bound to both, and is written anew whenever a value of either is another", () => {
  const { element, parts } = bound("one.x < two.x")
  assert.deepEqual(parts.map(({ run }) => run), ["one", "two"])
  const write = () => parts.map((part) => part.write(worked(part.run), worked))
  assert.deepEqual(write(), ["true 1", "true 2"])
  runs.one.x = 3
  assert.deepEqual(write(), ["false 3", "false 2"])
  parts[0].put("false 3")
  assert.ok(element.isUntrue)
  runs.two.x = 4
  assert.deepEqual(write(), ["true 3", "true 4"])
  parts[1].put("true 4")
  assert.ok(!element.isUntrue)
})

test("a claim of one run is written without its values, and one of figures is bound to nothing", () => {
  assert.deepEqual(bound("one.x > 0").parts.map((part) => part.write(worked("one"), worked)), ["true"])
  assert.deepEqual(bound("accuracy > 0.8").parts, [])
})
