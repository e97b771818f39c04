// Mistakes further up, each of which runs the program, are worked out where nothing else explains an answer.

import assert from "node:assert/strict"
import { mark } from "../../pencil/web/exercises/marking.js"

const two = { paper: [2], exact: [2] }
let runs = 0
const asked = {
  right: two,
  wrong: { "own-1": [{ paper: [3], exact: [3] }, "You added one."] },
  get upstream() {
    runs += 1
    return {}
  },
}

assert.equal(mark(asked, "2").verdict, "right")
assert.equal(mark(asked, "3").message, "Perhaps you added one.", "one digit alone")
assert.equal(runs, 0)

assert.equal(mark(asked, "2.17").verdict, "wrong")
assert.equal(runs, 1, "and once for an answer")
