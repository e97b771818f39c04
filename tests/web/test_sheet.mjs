// A worksheet of the page that no seed can deal: the page says so, and does not wait for ever.
import assert from "node:assert/strict"
import { test } from "node:test"

// An element of which the sheet asks little: its parts are made when they are asked for
const element = () => {
  const parts = {}
  return {
    parts, dataset: { topic: "nothing", seed: "7" },
    querySelector: (part) => (parts[part] ??= element()),
    append() {}, addEventListener() {},
  }
}
const place = element()
globalThis.document = { querySelectorAll: () => [place] }
globalThis.Option = class {}
const { startSheets } = await import("../../pencil/web/exercises/sheet.js")

test("a topic that deals no sheet says so at the end of all tries", async () => {
  const steps = [
    { op: "given", name: "a", shape: [6], value: [0, 0, 0, 0, 0, 0] },
    { op: "constant", shape: [2], value: [0, 1] },
    { op: "note", name: "weights", shape: [2], args: [1] }, // a weight of 0 breaks a rule
  ]
  const run = { program: { places: 3, figures: 4, steps }, words: {}, axes: {}, of: {} }
  const topics = { nothing: { topic: "nothing", title: "Nothing", givens: { a: { size: 6, how: "plain" } }, run } }
  startSheets({}, topics, { kept: () => null, keep: () => true })
  const said = () => place.parts[".says"].textContent
  for (const end = Date.now() + 20_000; said() !== "Seed 7 deals no sheet. Take another." && Date.now() < end; )
    await new Promise((go) => setTimeout(go, 20))
  assert.equal(said(), "Seed 7 deals no sheet. Take another.")
})
