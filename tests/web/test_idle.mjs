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

test("a browser that is never idle gets through many parts a turn, and is asked again soon", async ({ mock }) => {
  const done = []
  let limit
  let now = 0 // milliseconds
  mock.method(performance, "now", () => now)
  globalThis.requestIdleCallback = (act, { timeout }) => turns.push(act) && (limit = timeout)
  const { Queue: Busy } = await import("../../pencil/web/page/idle.js?busy")
  const slow = (part) => {
    now += 3
    done.push(part)
  }
  const queue = new Busy(slow)
  queue.put([1, 2, 3, 4, 5, 6])
  const late = () => turns.splice(0).forEach((act) => act({ timeRemaining: () => 0, didTimeout: true }))
  late()
  assert.deepEqual(done, [1, 2, 3]) // after 9 ms, the first time that is no less than the turn's 8
  assert.ok(limit <= 16, `asked again in ${limit} ms`)
  while (turns.length) late()
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6])
  await queue.settled()
})
