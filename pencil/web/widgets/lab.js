// A lab: inputs in cells that can be typed into, stepped and dragged, and the values computed from them. It has
// variants, each with a program and steps; changed inputs are kept across variants, by name and index.

import { asGiven } from "../engine/rounding.js"
import { fill, html } from "../render/element.js"
import { Worked } from "../render/worked.js"
import { dragField } from "../page/drag.js"
import { stepped } from "../page/reading.js"
import { Runs, tried, yours } from "../page/runs.js"
import { placed, read, settle, warn } from "./cells.js"
import { Drawings, inStrip, slide } from "./drawings.js"
import { Draws, drawn, tallied } from "./draws.js"
import { moves } from "./moves.js"
import { paintable, shade } from "./paint.js"
import { linesOf, said, written } from "./parts.js"

const WHERE = ["variant", "step"]

export class Lab {
  #state
  #card
  #changed
  #loaded = []
  #edits = []
  #draws = new Draws()
  #drawings
  #view
  #said

  // box: the HTML of pencil/widgets/lab.py with its drawings; state: its data; changed() is called after every change;
  // undo() takes the last one back -> whether there was one. Without it there is no such button.
  constructor(box, state, card, changed, undo) {
    Object.assign(this, { box, undo, name: state.name, variant: state.begin, step: 0 })
    this.#state = state
    this.#card = card
    this.#changed = changed
    this.#drawings = new Drawings(box)
    box.insertAdjacentHTML(
      "beforeend",
      `<div class="pencil-lab-live"><div></div><p class="pencil-lab-said" role="status"></p></div>`,
    )
    ;[this.#view, this.#said] = box.lastChild.children
    box.classList.add("live")
    for (const [type, act] of Object.entries(this.#on))
      this.#view.addEventListener(type, (event) => act(event.target.closest("button") ?? event.target, event))
    paintable(this.#view, (cells, value) =>
      this.#enter(cells[0], cells.map((cell) => placed(cell, Number(value)))),
    )
    this.#draw()
  }

  get #start() {
    return { variant: this.#state.begin, step: 0 }
  }

  get #way() {
    return (this.#loaded[this.variant] ??= started(this.#state.variants[this.variant]))
  }

  // The changes and the current step, for a link.
  get changes() {
    const moved = WHERE.filter((name) => this[name] !== this.#start[name]).map((name) => ({
      name,
      place: 0,
      value: this[name],
    }))
    return [...moved, ...this.#edits].map((change) => ({ ...change, run: this.name }))
  }

  // All inputs of the variant, by name.
  get givens() {
    return this.#way.run.now
  }

  // Replaces the changes. -> error message, or ""
  take(changes) {
    const [variant, step] = WHERE.map(
      (asked) => changes.find(({ name }) => name === asked)?.value ?? this.#start[asked],
    )
    return this.#go(
      variant,
      step,
      changes.filter(({ name }) => !WHERE.includes(name)).map((change) => ({ ...change, run: "" })),
    )
  }

  reset() {
    this.#draws = new Draws()
    this.take([])
  }

  // The tally is reset in another variant, which has other probabilities
  #go(variant, step, edits = variant === this.variant ? this.#edits : this.#untallied(this.#edits)) {
    const from = this.variant
    const { label } = this.#now
    if (this.#state.variants[variant]) this.variant = variant
    const problem = tried(() => this.#way.runs.replace(edits))
    if (problem) this.variant = from
    else {
      this.#edits = edits
      // The corresponding step of the other variant
      const same = step === null ? this.#way.steps.findIndex((one) => one.label === label) : -1
      this.step =
        same >= 0 ? same : Math.max(0, Math.min(Math.trunc(step ?? this.step), this.#way.steps.length - 1))
      this.#keep()
    }
    this.#card.close()
    this.#draw(problem)
    this.#changed()
    return problem
  }

  #untallied(edits) {
    const tally = drawn(this.#now.parts)?.draw[1]
    return edits.filter(({ name }) => name !== tally)
  }

  // Changes inputs: [{ name, place, value }]. -> error message, or ""; a part may define its own
  edit(changes) {
    const { parts } = this.#now
    const all = tallied(changes, parts, this.#way.run)
    const problem = this.#tried(() => this.#way.runs.apply(all.map((change) => ({ ...change, run: "" }))))
    return problem && (parts.find(({ show }) => show === changes[0].name)?.refusal ?? problem)
  }

  // Whether one of the variants has this input
  has({ name, place }) {
    const isIt = (step) => step.op === "given" && step.name === name && place < step.value.length
    return WHERE.includes(name) || this.#state.variants.some(({ data }) => data.program.steps.some(isIt))
  }

  // Runs an action and shows the result. -> error message, or ""
  #tried(change) {
    const problem = tried(change)
    if (!problem) {
      this.#keep()
      this.#follow()
      this.#changed()
    }
    return problem
  }

  // The changes of this variant, and earlier ones of other variants
  #keep() {
    const { run, runs } = this.#way
    this.#edits = [
      ...this.#edits.filter(({ name, place }) => !(place < run.pencil.get(name)?.length)),
      ...runs.changes,
    ]
  }

  // ---- rendering

  get #now() {
    return this.#way.steps[this.step]
  }

  #draw(problem) {
    const controls = () => [...this.#view.querySelectorAll("[data-do], [data-name]")]
    const at = controls().indexOf(document.activeElement)
    const isOn = (one) => !one.disabled
    const inside = (part) =>
      part.kind === "drawing" ? this.#drawings.html(part) : written(part, this.#way.worked)
    const boxOf = (part) => html`<div class="pencil-part ${part.kind}">${inside(part)}</div>`
    const { parts } = this.#now
    const boxes = parts.map((part) => [part.row ? html`<div class="pencil-row"></div>` : "", boxOf(part)])
    const controlBox = html`<div class="pencil-controls">${moves(this.#state, this.#way.steps, this)}</div>`
    fill(this.#view, html`${controlBox}<div class="pencil-parts">${inStrip(parts, boxes)}</div>`)
    this.#view.querySelectorAll(".pencil-ink").forEach(shade)
    this.#drawings.bind(this.#view, this.#way.runs)
    if (at >= 0) {
      // If the focused control is disabled, focus the previous one
      const before = controls().slice(0, at + 1)
      const stop = before.findLast(isOn) ?? controls().find(isOn)
      stop.focus()
    }
    this.#tell(problem)
  }

  // After a change: update computed values, and the contents of cells
  #follow() {
    const { run } = this.#way
    const active = document.activeElement
    const boxes = this.#view.querySelectorAll(".pencil-part")
    const isStill = ({ kind }) => ["given", "drawing"].includes(kind)
    this.#now.parts.forEach((part, k) => isStill(part) || this.#renew(part, boxes[k]))
    this.#drawings.follow()
    for (const cell of this.#view.querySelectorAll("[data-name]")) {
      const { name, place } = cell.dataset
      const x = run.now.get(name)[place]
      cell.classList.toggle("changed", x !== run.pencil.get(name)[place])
      if (cell.matches(".pencil-ink")) shade(cell)
      if (cell === active && read(cell).value === x) continue
      cell.value = cell.type === "range" ? x : asGiven(x)
      warn(cell, "")
    }
    this.#card.refresh()
    this.#tell()
  }

  // Replace changed lines only
  #renew(part, box) {
    const { worked } = this.#way
    if (part.kind === "says") box.firstChild.textContent = said(part, worked)
    else if (part.kind !== "lines") fill(box, written(part, worked))
    else
      linesOf(part, worked).forEach((line, k) => {
        const old = box.lastChild.children[k]
        if (old.was !== `${line}`) fill(old, line).was = `${line}`
      })
  }

  // Of the numbers that are shown: a change of another variant is kept, and nothing here follows from it
  #tell(problem) {
    const { runs, worked } = this.#way
    const [first, ...others] = this.#untallied(runs.changes)
    const called = () => worked.named(first.name, first.place)
    this.#said.textContent = problem || (first ? yours(others.length + 1, called) : "")
  }

  // ---- events

  #on = {
    input: (cell) => cell.dataset.name && this.#typed(cell),
    focusin: (cell) => {
      const { name, place } = cell.dataset
      if (name) cell.before = this.givens.get(name)[place]
    },
    change: (one) =>
      one.dataset.do
        ? this.#go(Number(one.value), null)
        : settle(one, (changes) => this.#enter(one, changes)),
    click: (one, event) => {
      const { do: act, to, along } = one.dataset
      const number = one.closest(".pencil-number")
      if (number) {
        event.stopPropagation()
        this.open(number)
      } else if (act === "reset") this.reset()
      else if (act === "undo") this.undo() || this.#tell("Nothing has been changed.")
      else if (along) slide(one)
      else if (one.dataset.draw) this.#byLot(Number(one.dataset.draw))
      else if (to) this.#go(act === "step" ? this.variant : Number(to), act === "step" ? Number(to) : null)
    },
    keydown: (cell, event) => {
      const text = cell.matches(".pencil-cell") && stepped(cell.value, event)
      if (!text) return
      event.preventDefault()
      cell.value = text
      this.#typed(cell)
    },
    // Dragging; the cell is focused at the end
    mousedown: (cell, event) => this.#isFree(cell) && event.preventDefault(),
    pointerdown: (cell, event) => this.#isFree(cell) && dragField(cell, event, () => this.#typed(cell)),
  }

  #byLot(times) {
    this.#tried(() => this.#draws.draw(times, drawn(this.#now.parts), this.#way))
  }

  #isFree(cell) {
    return cell.matches(".pencil-cell") && cell !== document.activeElement
  }

  #typed(cell) {
    const { value, problem } = read(cell)
    if (problem) warn(cell, problem)
    else this.#enter(cell, [placed(cell, value)])
  }

  #enter(cell, changes) {
    warn(cell, this.edit(changes))
  }

  // ---- cards

  open(number) {
    this.#card.open(number, "", number.dataset.value, this)
  }

  writer() {
    return this.#way.worked
  }

  change(_, reference, ...values) {
    const { name } = this.#way.worked.find(reference)
    return this.edit(this.#way.worked.places(reference).map((place, k) => ({ name, place, value: values[k] })))
  }
}

function started({ data, steps }) {
  const runs = new Runs([data])
  const run = runs.get("")
  return { runs, run, worked: new Worked(data, run.sheet), steps }
}
