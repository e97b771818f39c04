// Words that hold while a condition does, as tests/checker/test_claims.py has them of the checker.

import assert from "node:assert/strict"
import test from "node:test"

import { readClaim } from "../../pencil/web/page/claims.js"

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
