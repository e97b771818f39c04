// What is kept in the browser: read with suspicion, and kept even where the browser keeps nothing.
import assert from "node:assert/strict"
import { Progress, storageOf } from "../../pencil/kata/progress.js"

const store = () => {
  const kept = new Map()
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text), kept }
}
const time = { topic: "attention", seed: 7, seconds: 300, day: "2026-06-15" }

const shelf = store(), one = new Progress(shelf)
one.put("06:match", false)
one.put("06:match", true)
one.put("06:match", false)
one.addTime(time)
one.addTime({ ...time, seed: -1 })
one.addTime({ ...time, seed: 2 ** 32 })
assert.deepEqual(new Progress(shelf).entries, [["06:match", { solved: true, tries: 3 }]])
assert.deepEqual(new Progress(shelf).times, [time])

const two = new Progress(store())
two.put("05:softmax", true)
assert.equal(two.take(one.text), "")
assert.equal(two.take(one.text), "")
assert.deepEqual([two.isSolved("06:match"), two.isSolved("05:softmax"), two.times.length], [true, true, 1])

const good = JSON.parse(one.text)
for (const bad of [
  "", "null", "[]", "{", '"x"', JSON.stringify({ ...good, format: "other" }), JSON.stringify({ ...good, entries: { "<b>": { solved: true, tries: 1 } } }),
  JSON.stringify({ ...good, entries: { "06:match": { solved: "yes", tries: 1 } } }), JSON.stringify({ ...good, entries: { "06:match": null } }),
  JSON.stringify({ ...good, times: [{ ...time, day: "<i>" }] }), JSON.stringify({ ...good, times: "many" }), JSON.stringify({ ...good, entries: null }),
  one.text.padEnd(300_000),
]) {
  const fresh = new Progress(store())
  assert.match(fresh.take(bad), /^This is no file/)
  assert.deepEqual(fresh.entries, [])
  const broken = store()
  broken.setItem("pencil.kata", bad)
  assert.deepEqual(new Progress(broken).entries, [])
}

const throwing = { getItem() { throw new Error() }, setItem() { throw new Error() } }, held = new Progress(throwing)
held.put("06:match", true)
assert.deepEqual([held.isSolved("06:match"), held.isKept, new Progress(null).isKept, one.isKept], [true, false, false, true])
assert.equal(storageOf({ get localStorage() { throw new Error() } }), null)
two.clear()
assert.deepEqual([two.entries, two.times], [[], []])
console.log("held")
