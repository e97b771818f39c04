// What is kept in the browser: read with suspicion, and kept even where the browser keeps nothing.
import assert from "node:assert/strict"
import { Progress, dayIn } from "../../pencil/web/exercises/progress.js"
import { keep, kept } from "../../pencil/web/page/store.js"

const store = () => {
  const texts = new Map()
  const keep = (name, text) => {
    if (text === null) texts.delete(name)
    else texts.set(name, text)
    return true
  }
  return { kept: (name) => texts.get(name) ?? null, keep, texts }
}
const time = { topic: "attention", seed: 7, seconds: 300, day: "2026-06-15" }

const shelf = store(), one = new Progress(shelf)
const monday = new Date(2026, 10, 30), later = (days) => new Date(2026, 10, 30 + days, 23, 59)
one.put("06:score", true, monday)
one.put("06:score", true, monday)
one.put("06:score", true, monday)
one.addTime(time)
one.addTime({ ...time, seed: -1 })
one.addTime({ ...time, seed: 2 ** 32 })
assert.deepEqual(new Progress(shelf).entries, [["06:score", { solved: true, tries: 3 }]])
assert.deepEqual(new Progress(shelf).times, [time])

const two = new Progress(store())
two.put("05:softmax", true)
assert.equal(two.take(one.text), "")
assert.equal(two.take(one.text), "")
assert.deepEqual([two.isSolved("06:score"), two.isSolved("05:softmax"), two.times.length], [true, true, 1])

// It is called by how it begins; what does not come back any more has no title
const titled = store(), four = new Progress(titled)
four.put("06:score", false, monday, "  Nolan\u2019s query is\n [2, 0, 1, 0].")
assert.equal(new Progress(titled).asks("06:score"), "Nolan\u2019s query is [2, 0, 1, 0].")
four.put("06:mix", false, monday, "word ".repeat(40))
assert.ok(four.asks("06:mix").length <= 80 && four.asks("06:mix").endsWith("word \u2026"))
for (const days of [1, 4, 13]) four.put("06:score", true, later(days))
assert.equal(four.asks("06:score"), "")
assert.equal(four.asks("06:none"), "")
assert.notEqual(new Progress(store()).take(titled.texts.values().next().value.replace(/"word [^"]*"/, "7")), "")

// A slip comes back after one day, three and nine, over the end of a month; another slip begins anew
const slipped = store(), three = new Progress(slipped)
assert.deepEqual([dayIn(0, monday), dayIn(1, monday), dayIn(33, monday)], ["2026-11-30", "2026-12-01", "2027-01-02"])
three.put("06:score", false, monday)
three.put("06:score", true, monday) // mended on the same day: it comes back all the same
assert.deepEqual([three.due(monday), three.due(later(1)), three.isSolved("06:score")], [[], ["06:score"], true])
three.put("06:score", true, later(1))
assert.deepEqual([three.due(later(3)), three.due(later(4))], [[], ["06:score"]])
three.put("06:score", false, later(4))
assert.deepEqual([three.due(later(4)), three.due(later(5))], [[], ["06:score"]])
const again = new Progress(slipped)
for (const day of [5, 8, 17]) {
  assert.deepEqual([again.due(later(day - 1)), again.due(later(day))], [[], ["06:score"]])
  again.put("06:score", true, later(day))
}
assert.deepEqual(again.due(later(999)), [])
again.put("05:softmax", false, monday)
again.comesBack = false
assert.deepEqual([again.due(later(9)), new Progress(slipped).comesBack], [[], false])
again.comesBack = true
assert.deepEqual(new Progress(slipped).due(later(9)), ["05:softmax"])

// Two tabs of one browser: neither forgets what the other has written
const shared = store(), here = new Progress(shared), there = new Progress(shared)
here.put("06:score", true)
there.put("13b:one-dial", true)
here.addTime(time)
there.comesBack = false
assert.deepEqual(new Progress(shared).entries.map(([name]) => name), ["06:score", "13b:one-dial"])
assert.deepEqual([new Progress(shared).times, new Progress(shared).comesBack], [[time], false])

const good = JSON.parse(one.text)
for (const bad of [
  "", "null", "[]", "{", '"x"', JSON.stringify({ ...good, format: "other" }), JSON.stringify({ ...good, entries: { "<b>": { solved: true, tries: 1 } } }),
  JSON.stringify({ ...good, entries: { "06:score": { solved: "yes", tries: 1 } } }), JSON.stringify({ ...good, entries: { "06:score": null } }), JSON.stringify({ ...good, entries: { "06:score": { solved: true, tries: 1, due: "<i>", gap: 0 } } }),
  JSON.stringify({ ...good, entries: { "06:score": { solved: true, tries: 1, due: ["2020-01-01"], gap: 0 } } }),
  JSON.stringify({ ...good, times: [{ ...time, day: "<i>" }] }), JSON.stringify({ ...good, times: "many" }), JSON.stringify({ ...good, entries: null }),
  one.text.padEnd(1_000_001),
]) {
  const fresh = new Progress(store())
  assert.match(fresh.take(bad), /^This is no file/)
  assert.deepEqual(fresh.entries, [])
  const broken = store()
  broken.keep("pencil.exercises", bad)
  const valid = good.entries["06:score"]
  assert.ok(new Progress(broken).entries.every(([name, entry]) => name === "06:score" && JSON.stringify(entry) === JSON.stringify(valid)), bad)
}

// A part that is not valid takes nothing else with it, however long the text
const mixed = { ...good, entries: { "<b>": 1, ...good.entries, "06:mix": { solved: 1 } }, times: [null, time, { ...time, seed: -1 }], more: "x".repeat(2e6) }
const partly = store()
partly.keep("pencil.exercises", JSON.stringify(mixed))
const saved = new Progress(partly)
assert.deepEqual([saved.entries, saved.times], [Object.entries(good.entries), [time]])
saved.put("05:softmax", true)
assert.deepEqual(new Progress(partly).entries.map(([name]) => name), ["06:score", "05:softmax"])

// A full store: what it has kept is older than what this page knows
const full = { ...shelf, keep: () => false }, late = new Progress(full)
assert.equal(late.isKept, false)
late.put("05:softmax", true)
late.put("05:mix", true)
assert.deepEqual(["06:score", "05:softmax", "05:mix"].map((name) => late.isSolved(name)), [true, true, true])
assert.equal(one.isKept, true)
assert.deepEqual([...shelf.texts.keys()], ["pencil.exercises"])

// The browser's own, forbidden and not
Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("forbidden") }, configurable: true })
assert.deepEqual([kept("x"), keep("x", "1"), keep("x", null), new Progress({ kept, keep }).isKept], [null, false, false, false])
const texts = store()
const own = { getItem: texts.kept, setItem: texts.keep, removeItem: (name) => texts.keep(name, null) }
Object.defineProperty(globalThis, "localStorage", { value: own })
assert.deepEqual([keep("x", "1"), kept("x"), keep("x", null), kept("x")], [true, "1", true, null])
assert.equal(new Progress({ kept, keep }).isKept, true)
two.clear()
assert.deepEqual([two.entries, two.times], [[], []])
console.log("held")

// A store that somebody else wrote, or an older version of this page: no question of the page suffers from it
for (const text of [
  '{"times":[null]}',
  '{"format":"transformers-by-pencil kata 1","entries":{},"times":[null]}',
  '{"format":"transformers-by-pencil kata 1","entries":{},"times":[7, "x", {}, []]}',
  '{"format":"transformers-by-pencil kata 1","entries":{"06:a":null},"times":[]}',
  '{"format":"transformers-by-pencil kata 1","entries":[null],"times":[]}',
  "null",
  "[]",
  '"text"',
  "",
]) {
  const odd = store()
  odd.keep("pencil.exercises", text)
  const read = new Progress(odd)
  assert.deepEqual([read.entries, read.times, read.isSolved("06:a")], [[], [], false], text)
  read.put("06:a", true)
  assert.ok(new Progress(odd).isSolved("06:a"), text)
  assert.match(new Progress(store()).take(text), /^This is no file/, text)
}

// As many timed sheets and questions as are kept at all are there at the next load
const crowded = store(), much = new Progress(crowded), long = "w".repeat(80)
much.put("06:first", false, monday, long)
const entry = { solved: false, tries: 1e9, due: "2026-06-15", gap: 2, asks: long }
const names = Array.from({ length: 1999 }, (_, n) => [`06:${"long-".repeat(9)}${n}`, entry])
const sheets = Array.from({ length: 2000 }, (_, n) => ({ ...time, topic: "a".repeat(20), seed: 2 ** 32 - 1 - n, seconds: 1e9 }))
assert.equal(much.take(JSON.stringify({ format: JSON.parse(much.text).format, entries: Object.fromEntries(names), times: sheets })), "")
for (let seed = 0; seed < 9; seed++) much.addTime({ ...time, seed })
assert.deepEqual([new Progress(crowded).times.length, new Progress(crowded).entries.length], [2000, 2000])
assert.equal(new Progress(crowded).times.at(-1).seed, 8)

// One more than is kept: what was here before stays
const more = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`07:new-${n}`, { solved: true, tries: 1 }]))
assert.equal(much.take(JSON.stringify({ format: JSON.parse(much.text).format, entries: more, times: [] })), "")
assert.deepEqual([new Progress(crowded).entries.length, new Progress(crowded).asks("06:first")], [2000, long])

// An answer after that is there at the next load: the oldest go
much.put("05:newest", true)
assert.deepEqual([new Progress(crowded).entries.length, new Progress(crowded).isSolved("05:newest")], [2000, true])
assert.equal(new Progress(crowded).entries.at(-1)[0], "05:newest")
const brought = new Progress(store())
assert.equal(brought.take(JSON.stringify({ format: JSON.parse(much.text).format, entries: more, times: [] })), "")
brought.put("07:new-0", false, monday) // an old entry that changes is the newest
assert.deepEqual(brought.entries.at(-1)[0], "07:new-0")

// So with the times of sheets: those of this browser stay, and a page hears of what another one stores
const timed = new Progress(store())
timed.addTime({ ...time, seed: 77 })
assert.equal(timed.take(JSON.stringify({ format: JSON.parse(much.text).format, entries: {}, times: sheets })), "")
assert.deepEqual([timed.times.length, timed.times.at(-1).seed], [2000, 77])
const [shelves, heard] = [store(), []]
const [near, beyond] = [new Progress(shelves), new Progress(shelves)]
near.onChange(() => heard.push(near.isSolved("06:match")))
beyond.put("06:match", true)
for (const key of ["pencil.place", "pencil.exercises", null]) near.heed(key)
assert.deepEqual(heard, [true, true])

// What a newer version of the page has stored is kept aside before it is written over, and not written over where that fails
for (const room of [true, false]) {
  const newer = store(), text = '{"format":"transformers-by-pencil kata 2","solved":["06:score"]}'
  newer.keep("pencil.exercises", text)
  const early = { ...newer, keep: (name, words) => (room || name !== "pencil.exercises.aside") && newer.keep(name, words) }
  const here = new Progress(early)
  here.put("06:mix", true)
  assert.ok(here.isSolved("06:mix"))
  assert.equal(newer.kept(room ? "pencil.exercises.aside" : "pencil.exercises"), text)
  assert.equal(here.isKept, room)
}

// An import that holds nothing says so
assert.match(much.take(new Progress(store()).text), /holds no progress; nothing has changed/)
