// The words of a chapter as the field says them.

import assert from "node:assert/strict"
import { test } from "node:test"
import { relabel } from "../../pencil/web/page/words.js"

const pairs = { WANT: "query", match: "score", portion: "attention weight", stick: "embedding", "by chance": "expected", chance: "probability", nudge: "bias", grid: "weight matrix", miss: "loss", keep: "forget gate" }
const said = relabel({ pairs, verbs: ["keep"] })

for (const [ours, field] of [
  ["nolan.WANT · ended.stick = 2·3", "nolan.query · ended.embedding = 2·3"],
  ["WANT grid row 1", "query weight matrix row 1"],
  ["A grid, three grids", "A weight matrix, three weight matrices"],
  ["nolan wants ended; it does not want nolan", "nolan wants ended; it does not want nolan"],
  ["A stick and a portion", "An embedding and an attention weight"],
  ["Match by match", "Score by score"],
  ["two WANTs, two chances, two nudges", "two queries, two probabilities, two biases"],
  ["good.by\u00a0chance is no chance", "good.expected is no probability"],
  ["two misses, two matches", "two losses, two scores"],
  ["not.keep = σ(2), keep [0.881]", "not.forget gate = σ(2), forget gate [0.881]"],
  ["Keep all of it, keep “not”", "Keep all of it, keep “not”"],
  ["sticky, unmatched, proportion", "sticky, unmatched, proportion"],
  ["", ""],
])
  test(`${ours} -> ${field}`, () => assert.equal(said(ours), field))
