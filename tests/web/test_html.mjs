// What is put into the HTML of the scripts comes out as text: labels, words, titles and options, whatever they are.

import assert from "node:assert/strict"
import test from "node:test"

import { load } from "../../pencil/web/engine/program.js"
import { paper, task } from "../../pencil/web/exercises/paper.js"
import { asHtml, fill, html } from "../../pencil/web/render/element.js"
import { groupedLine, paragraphs } from "../../pencil/web/render/fragments.js"
import { bar, picture } from "../../pencil/web/render/pictures.js"
import { Worked } from "../../pencil/web/render/worked.js"
import { large } from "../../pencil/web/widgets/map.js"
import { moves } from "../../pencil/web/widgets/moves.js"
import { written } from "../../pencil/web/widgets/parts.js"

const BAD = `<img src=x onerror="alert('x')">&`
const program = {
  places: 3, figures: 4,
  steps: [
    { op: "given", shape: [1, 2], value: [1, 3], name: "x", words: [BAD] },
    { op: "note", shape: [1, 2], args: [0], name: "y" },
  ],
}
const run = { run: "", track: "paper", whole: true, labels: { x: BAD, y: BAD }, words: [[BAD]], axes: { x: [0, null], y: [0, null] }, of: {}, program }
const worked = new Worked(run, load(program))

// It opens no tag, and gives none an attribute
function isHarmless(made, times) {
  const text = `${made}`
  assert.ok(!/<img|<[^>]*onerror="/i.test(text), text)
  assert.ok(text.split("&lt;img src=x onerror=").length - 1 >= times, text)
}

test("a value is escaped, a list is joined, and HTML of the tag goes in as it is", () => {
  assert.equal(`${html`<b title="${BAD}">${[1, html`<i>${"<"}</i>`, "&"]}</b>`}`, `<b title="&lt;img src=x onerror=&quot;alert(&#x27;x&#x27;)&quot;&gt;&amp;">1<i>&lt;</i>&amp;</b>`)
  assert.equal(`${html`${asHtml("<hr>")}`}`, "<hr>")
})

test("an element takes no other text for HTML", () => {
  const element = {}
  assert.throws(() => fill(element, "<b>text</b>"), TypeError)
  assert.deepEqual(element, {})
  assert.equal(`${fill(element, html`<b>text</b>`).innerHTML}`, "<b>text</b>")
})

test("words and labels of a run in lines, pictures and cells", () => {
  isHarmless(paragraphs(worked.html("y", "row").map(groupedLine)), 1)
  for (const kind of ["heat", "bars", "given"]) isHarmless(picture(worked, kind, kind === "bars" ? "y[0]" : "y", BAD), 1)
  isHarmless(bar(BAD, 0.5), 1)
  isHarmless(large([[1]], [BAD]), 2)
})

test("what a lab says: its labels, words to choose from, buttons, choices and steps", () => {
  for (const part of [
    { kind: "given", show: "x", label: BAD, clear: BAD, draw: ["a", "b", BAD] },
    { kind: "given", show: "x", label: BAD, words: [BAD, BAD, BAD, BAD] },
    { kind: "given", show: "x", label: BAD, paint: true },
    { kind: "lines", show: "y", label: BAD },
    { kind: "says", show: "y", label: BAD, words: [BAD, BAD] },
    { kind: "heat", show: "y", label: BAD },
  ])
    isHarmless(written(part, worked), 2)
  const choices = [{ label: BAD, options: [BAD, BAD] }, { label: "", options: [BAD], add: BAD, remove: BAD }]
  const steps = [{ label: BAD }, { label: BAD }]
  isHarmless(moves({ choices, variants: [0, 1] }, steps, { variant: 0, step: 0, undo: () => {} }), 7)
})

test("a sheet on paper and on the page", () => {
  const sheet = { title: BAD, opening: BAD, rules: [BAD], givens: { x: 1 }, run, asks: [{ key: "y", answer: { at: [0] }, blanks: [BAD] }] }
  isHarmless(task(sheet, worked), 3)
  isHarmless(paper(sheet, worked, 7), 7)
})
