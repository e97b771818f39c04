// A lab: given numbers in cells that can be typed into, nudged and dragged, and what follows from them. It has variants,
// each a program of its own, and each in steps; a reader's numbers go along from one to the next, by name and place.

import { asGiven } from "./engine.js"
import { escape, paragraphs } from "./fragments.js"
import { ink, paintable, shade } from "./paint.js"
import { picture } from "./pictures.js"
import { mark, nudged, readNumber } from "./reading.js"
import { Runs, tried, yours } from "./runs.js"
import { Worked } from "./worked.js"

const PIXELS = 12 // that a drag goes for one more, or with Shift for a tenth
const WHERE = ["variant", "step"]

export class Lab {
  #state; #card; #changed; #loaded = []; #edits = []; #view; #said

  // state: what pencil/widgets/lab.py wrote; changed() is called after every change of a reader
  constructor(box, state, card, changed) {
    Object.assign(this, { box, name: state.name, variant: state.begin, step: 0 })
    this.#state = state
    this.#card = card
    this.#changed = changed
    box.insertAdjacentHTML("beforeend", `<div class="pencil-lab-live"><div></div><p class="pencil-lab-said" role="status"></p></div>`)
    ;[this.#view, this.#said] = box.lastChild.children
    box.classList.add("live")
    for (const [type, act] of Object.entries(this.#on)) this.#view.addEventListener(type, (event) => act(event.target, event))
    paintable(this.#view, (cells, value) => this.edit(cells.map((cell) => placed(cell, Number(value)))))
    this.#draw()
  }

  get #start() { return { variant: this.#state.begin, step: 0 } }

  get #way() {
    return (this.#loaded[this.variant] ??= started(this.#state.variants[this.variant]))
  }

  // What a reader has changed, as a link carries it, and where the lab stands.
  get changes() {
    const moved = WHERE.filter((name) => this[name] !== this.#start[name]).map((name) => ({ name, place: 0, value: this[name] }))
    return [...moved, ...this.#edits].map((change) => ({ ...change, run: this.name }))
  }

  // Every given number of the variant, name by name.
  get givens() { return this.#way.run.now }

  // Takes such a list in the place of what there is. -> what is wrong, or ""
  take(changes) {
    const [variant, step] = WHERE.map((asked) => changes.find(({ name }) => name === asked)?.value ?? this.#start[asked])
    return this.#go(variant, step, changes.filter(({ name }) => !WHERE.includes(name)).map((change) => ({ ...change, run: "" })))
  }

  reset() { this.#go(this.variant, this.step, []) }

  #go(variant, step, edits = this.#edits) {
    const from = this.variant, { says } = this.#now
    if (this.#state.variants[variant]) this.variant = variant
    const problem = tried(() => this.#way.runs.replace(edits))
    if (problem) this.variant = from
    else {
      this.#edits = edits
      const same = step === null ? this.#way.steps.findIndex((one) => one.says === says) : -1 // the same move of another variant
      this.step = same >= 0 ? same : Math.max(0, Math.min(Math.trunc(step ?? this.step), this.#way.steps.length - 1))
      this.#keep()
    }
    this.#card.close()
    this.#draw(problem)
    this.#changed()
    return problem
  }

  // Puts numbers in the place of given ones: [{ name, place, value }]. -> what is wrong, or ""
  edit(changes) {
    const problem = tried(() => this.#way.runs.apply(changes.map((change) => ({ ...change, run: "" }))))
    if (!problem) {
      this.#keep()
      this.#follow()
      this.#changed()
    }
    return problem
  }

  #keep() { // of this variant what is changed now; of the others what was
    const { run, runs } = this.#way
    this.#edits = [...this.#edits.filter(({ name, place }) => !(place < run.pencil.get(name)?.length)), ...runs.changes]
  }

  // ---- what stands there

  get #now() { return this.#way.steps[this.step] }

  #draw(problem) {
    const controls = () => [...this.#view.querySelectorAll("[data-do]")], at = controls().indexOf(document.activeElement), isOn = (one) => !one.disabled
    const parts = this.#now.parts.map((part) => `<div class="pencil-part ${part.kind}">${this.#write(part)}</div>`)
    this.#view.innerHTML = `<div class="pencil-controls">${this.#controls()}</div><div class="pencil-parts">${parts.join("")}</div>`
    this.#view.querySelectorAll(".pencil-ink").forEach(shade)
    if (at >= 0) (controls().slice(0, at + 1).findLast(isOn) ?? controls().find(isOn)).focus() // a control that is used up hands over to the one before it
    this.#tell(problem)
  }

  #controls() {
    const { choices, variants } = this.#state, { steps } = this.#way
    const button = (act, to, says) => `<button type="button" data-do="${act}" data-to="${to}"${to === "" ? " disabled" : ""}>${escape(says)}</button>`
    let stride = variants.length
    const chosen = choices.map(({ says, options, add, remove }) => {
      stride /= options.length
      const at = Math.floor(this.variant / stride) % options.length, to = (k) => (options[k] === undefined ? "" : this.variant + (k - at) * stride)
      if (add) return button("variant", to(at + 1), add) + button("variant", to(at - 1), remove)
      return `<label>${escape(says)} <select data-do="variant">${options.map((option, k) => `<option value="${to(k)}"${k === at ? " selected" : ""}>${escape(option)}</option>`).join("")}</select></label>`
    })
    const to = (k) => (steps[k] ? button("step", k, k < this.step ? `← ${steps[k].says}` : `${steps[k].says} →`) : button("step", "", k < 0 ? "← Start" : "End →"))
    const moves = steps.length > 1 ? `<div class="pencil-moves">${to(this.step - 1)}<strong>${this.step + 1} of ${steps.length}: ${escape(steps[this.step].says)}</strong>${to(this.step + 1)}</div>` : ""
    return chosen.join("") + button("reset", 0, "Reset this lab") + moves
  }

  #write({ kind, show, says = "", by, range, paint }) {
    const { worked } = this.#way
    if (kind === "lines") return `${says && `<p>${escape(says)}</p>`}<div class="pencil-worked">${paragraphs(linesOf(worked, show, by))}</div>`
    if (kind !== "given") return `<div class="pencil-picture">${picture(worked, kind, show, says)}</div>`
    const cell = ({ text }, place) => {
      const field = `data-name="${show}" data-place="${place}" value="${text}" aria-label="${escape(worked.named(show, place))}"`
      if (paint) return ink(field, place)
      const slider = range ? `<input type="range" min="${range[0]}" max="${range[1]}" step="${range[2]}" ${field}>` : ""
      return `<input class="pencil-cell" ${field} maxlength="40" autocomplete="off" spellcheck="false">${slider}`
    }
    const clear = paint ? '<div class="pencil-controls"><button type="button" data-clear>Clear the picture</button></div>' : ""
    return `${picture(worked, "given", show, says, cell)}${clear}<p class="wrong" role="alert"></p>`
  }

  #follow() { // after a change: what is worked out is written anew, and cells show the number that counts
    const { run } = this.#way, active = document.activeElement
    this.#now.parts.forEach((part, k) => part.kind === "given" || this.#renew(part, this.#view.lastChild.children[k]))
    for (const cell of this.#view.querySelectorAll("[data-name]")) {
      const { name, place } = cell.dataset, x = run.now.get(name)[place]
      cell.classList.toggle("changed", x !== run.pencil.get(name)[place])
      if (cell.className.includes("pencil-ink")) shade(cell)
      if (cell === active && readNumber(cell.value).value === x) continue
      cell.value = cell.type === "range" ? x : asGiven(x)
      this.#wrong(cell, "")
    }
    this.#card.refresh()
    this.#tell()
  }

  #renew(part, box) { // of lines those that are others now
    if (part.kind !== "lines") box.innerHTML = this.#write(part)
    else linesOf(this.#way.worked, part.show, part.by).forEach((line, k) => {
      const old = box.lastChild.children[k]
      if (old.was !== line) old.innerHTML = old.was = line
    })
  }

  #tell(problem) {
    const { length } = this.#edits
    this.#said.textContent = problem || (length ? yours(length, () => this.#called(this.#edits[0])) : "")
  }

  #called({ name, place }) {
    return this.#way.run.pencil.get(name)?.length > place ? this.#way.worked.named(name, place) : "One number"
  }

  // ---- what a reader does

  #on = {
    input: (cell) => cell.dataset.name && this.#typed(cell),
    change: (one) => one.dataset.do && this.#go(Number(one.value), null),
    click: (one, event) => {
      const { do: act, to } = one.dataset, number = one.closest(".pencil-number")
      if (number) {
        event.stopPropagation()
        this.open(number)
      } else if (act === "reset") this.reset()
      else if (to) this.#go(act === "step" ? this.variant : Number(to), act === "step" ? Number(to) : null)
    },
    keydown: (cell, event) => {
      const text = cell.className.includes("pencil-cell") && nudged(cell.value, event)
      if (!text) return
      event.preventDefault()
      cell.value = text
      this.#typed(cell)
    },
    mousedown: (cell, event) => this.#isFree(cell) && event.preventDefault(), // the pointer drags it; let go, it has the focus
    pointerdown: (cell, event) => this.#isFree(cell) && this.#drag(cell, event),
  }

  #isFree(cell) { return cell.className.includes("pencil-cell") && cell !== document.activeElement }

  #drag(cell, { pointerId, clientX: start }) {
    const from = readNumber(cell.value).value
    let before = 0
    cell.setPointerCapture(pointerId)
    cell.onpointermove = ({ clientX, shiftKey }) => {
      const by = Math.trunc((clientX - start) / PIXELS) * (shiftKey ? 0.1 : 1)
      if (by === before || from === undefined) return
      before = by
      cell.value = asGiven(from + by)
      this.#typed(cell)
    }
    cell.onpointerup = () => {
      cell.onpointermove = cell.onpointerup = null
      cell.focus()
      cell.select()
    }
  }

  #typed(cell) {
    const { value, problem } = readNumber(cell.value)
    this.#wrong(cell, problem ?? this.edit([placed(cell, value)]))
  }

  #wrong(cell, message) {
    mark(cell, message)
    cell.closest(".pencil-part").querySelector(".wrong").textContent = message
  }

  // ---- a number of it, opened in the card

  open(number) { this.#card.open(number, "", number.dataset.value, this) }
  opened(_, reference) { return this.#way.worked.opened(reference) }

  change(_, reference, value) {
    const { name, place } = this.#way.worked.find(reference)
    return this.edit([{ name, place, value }])
  }
}

const placed = ({ dataset: { name, place } }, value) => ({ name, place: Number(place), value })
const linesOf = (worked, show, by) => show.split(" ").flatMap((one) => worked.html(one, by))

function started({ data, steps }) {
  const runs = new Runs([data]), run = runs.get("")
  return { runs, run, worked: new Worked(data, run.sheet), steps }
}
