// The words of a chapter as its source says them.

import assert from "node:assert/strict"
import { test } from "node:test"
import { relabel } from "../../pencil/web/page/words.js"

const said = relabel({
  query: "WANT",
  key: "HAVE",
  W_Q: "WANT grid",
  score: "match",
  share: "portion",
  embedding: "stick",
  "weight matrix": "grid",
  bias: "nudge",
  loss: "miss",
  "new vector": "new stick",
  unit: "eager worker",
  "forget gate": "keep",
  Adam: "the walker",
  mean: "middle",
  "mean square": "mean square",
  "gain (γ)": "stretch",
  "a|b": "c.d",
})

for (const [field, source] of [
  ["nolan.query · ended.embedding = 2·3", "nolan.WANT · ended.stick = 2·3"],
  ["W_Q row 1, W_Qx", "WANT grid row 1, W_Qx"],
  ["A weight matrix, three weight matrices", "A grid, three grids"],
  ["a weight\u00a0matrix", "a grid"],
  ["An embedding and a share", "A stick and a portion"],
  ["a unit, Units", "an eager worker, Eager workers"],
  ["Score by score: two scores", "Match by match: two matches"],
  ["two queries, two keys, two biases, two losses", "two WANTs, two HAVEs, two nudges, two misses"],
  ["Queries ask; a query asks", "WANTs ask; a WANT asks"],
  ["nolan.new\u00a0vector is its new vector", "nolan.new stick is its new stick"],
  ["not.forget gate = σ(2), forget gates [0.881]", "not.keep = σ(2), keeps [0.881]"],
  ["keyboard, monkey, unbiased, shared", "keyboard, monkey, unbiased, shared"],
  ["Adam steps. With Adam", "the walker steps. With the walker"],
  ["an\u00a0embedding and a\u00a0unit", "a\u00a0stick and an\u00a0eager worker"],
  ["a\nunit", "an\neager worker"],
  ["the mean, the root mean square, mean\u00a0squares", "the middle, the root mean square, mean squares"],
  ["the gain (γ) or a|b", "the stretch or c.d"],
  ["", ""],
])
  test(`${field} -> ${source}`, () => assert.equal(said(field), source))
