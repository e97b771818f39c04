// Work in small parts: what is put in, what is left out, and a part that fails.

import assert from "node:assert/strict"
import test from "node:test"

let turns = []
globalThis.requestIdleCallback = (act) => turns.push(act)
const { Queue } = await import("../../pencil/web/page/idle.js")
const turn = (left = 0) => turns.splice(0).forEach((act) => act({ timeRemaining: () => left }))

test("parts are done in their order, one a turn where there is no time", async () => {
  const done = []
  const queue = new Queue((part) => done.push(part))
  queue.put([1, 2])
  turn()
  assert.deepEqual(done, [1])
  queue.put([3, 4]) // in the place of what is left
  const settled = queue.settled()
  turn()
  turn()
  assert.deepEqual(done, [1, 3, 4])
  await settled
})

test("a part that fails keeps nobody behind it waiting", async () => {
  const done = []
  const queue = new Queue((part) => (part === "bad" ? assert.fail(part) : done.push(part)))
  queue.put(["bad", "good"])
  assert.throws(turn, /bad/)
  turn()
  assert.deepEqual(done, ["good"])
  await queue.settled()
  queue.put(["bad"])
  assert.throws(turn, /bad/)
  queue.put(["later"])
  turn()
  assert.deepEqual(done, ["good", "later"])
})
