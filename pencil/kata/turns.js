// The YOUR TURNs of a built page, which take an answer: right, or what seems to have gone wrong; hints in steps;
// the worked answer only when it is asked for. Without this script a box is a question and a folded answer.

import { choose, mark } from "./marking.js"

const COVERED = "…", WORKED = "Worked line by line:"
let count = 0 // of the boxes that have a form, for the names of their parts

// turns: what pencil/kata/on_page.py wrote; page: the live page, which has the runs; progress: what was solved before.
export function answerTurns(doc, turns, page, progress, chapter) {
  const boxes = new Map([...doc.querySelectorAll("[data-turn]")].map((box) => [box.dataset.turn, box]))
  const made = turns.filter(({ key }) => boxes.has(key)).map((turn) => new Turn(boxes.get(turn.key), turn, page, progress, `${chapter}:${turn.key}`))
  doc.addEventListener("pencil-change", () => made.forEach((turn) => turn.forget()))
  return made
}

export class Turn {
  #box; #turn; #page; #progress; #name; #form; #hints = 0

  constructor(box, turn, page, progress, name) {
    Object.assign(this, { solved: false })
    this.#box = box
    this.#turn = turn
    this.#page = page
    this.#progress = progress
    this.#name = name
    this.#form = this.#make()
    this.#showProgress()
  }

  #find(part) { return this.#form.querySelector(part) }
  get #fold() { return this.#box.querySelector("details.worked-answer") }

  #make() {
    const form = this.#box.ownerDocument.createElement("form"), id = `pencil-turn-${++count}`, { choices } = this.#turn
    form.className = "pencil-answer"
    form.noValidate = true
    form.innerHTML = `${choices ? '<fieldset><legend>Your answer</legend></fieldset>' : `<label for="${id}"></label>
      <input id="${id}" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="${id}-says">`}
      <button type="submit">Check</button> <button type="button" class="hint">Hint</button>
      <p class="says" id="${id}-says" role="status"></p><div class="more" role="status" aria-atomic="false"></div>`
    const label = form.querySelector("label")
    if (label) label.textContent = this.#turn.label ? `${this.#turn.label} =` : "Your answer"
    if (choices) form.querySelector("fieldset").append(...choices.map((word) => radio(form.ownerDocument, id, word)))
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      this.check()
    })
    form.querySelector(".hint").addEventListener("click", () => this.hint())
    this.#fold ? this.#fold.before(form) : this.#box.append(form)
    return form
  }

  // Marks what stands in the field.
  check() {
    const verdict = this.#turn.choices ? choose(this.#turn, this.#find("input:checked")?.value) : mark(this.#exercise, this.#find("input").value)
    if (verdict.right || this.solved) this.#begin(verdict.right ? this.#lines : [])
    this.solved = verdict.right
    this.#form.dataset.verdict = verdict.right ? "right" : "wrong"
    this.#say(verdict.says)
    this.#find("input").setAttribute("aria-invalid", String(!verdict.right))
    this.#progress?.put(this.#name, verdict.right)
    this.#showProgress()
    this.#box.dispatchEvent(new CustomEvent("pencil-checked", { bubbles: true, detail: { name: this.#name, ...verdict } }))
    return verdict
  }

  get #exercise() {
    const { answer, wrong } = this.#turn
    return { right: this.#numbers(answer), wrong: Object.fromEntries(wrong.map(([key, place, says]) => [key, [this.#numbers(place), says]])) }
  }

  #numbers(place) { // as they stand now, with what a reader has changed
    if (place.paper) return place
    const { paper, exact } = this.#page.value(place.run, place.name)
    return { paper: place.at.map((k) => paper[k]), exact: place.at.map((k) => exact[k]) }
  }

  get #lines() { return this.#turn.shown ? this.#page.lines(this.#turn.answer.run, this.#turn.shown) : [] }

  // ---- hints in their order: sentences, null for the line with its result covered; then the worked answer itself

  hint() {
    const { hints } = this.#turn, isFirst = !this.#hints, step = hints[this.#hints++], button = this.#find(".hint")
    if (isFirst) this.#find(".more").replaceChildren()
    if (step) this.#add(step)
    else if (step === null) this.#add("The line, without its result:", this.#lines.map((line) => covered(this.#box.ownerDocument, line)))
    else if (this.#fold) {
      this.#fold.open = true
      this.#fold.querySelector("summary").focus()
    } else this.#find(".more").replaceChildren(), this.#add(WORKED, this.#lines)
    button.textContent = this.#hints < hints.length ? "Another hint" : "Open the worked answer"
  }

  #begin(lines = []) { // the hints begin anew; of what was told, these lines stay
    this.#hints = 0
    this.#find(".more").replaceChildren()
    this.#find(".hint").textContent = "Hint"
    if (lines.length) this.#add(WORKED, lines)
  }

  #add(words, lines = []) {
    const doc = this.#box.ownerDocument, said = doc.createElement("p"), sheet = doc.createElement("div")
    said.textContent = words
    sheet.className = "pencil-worked"
    sheet.innerHTML = lines.map((line) => `<p>${line}</p>`).join("")
    this.#find(".more").append(...(lines.length ? [said, sheet] : [said]))
  }

  #say(words) { this.#find(".says").textContent = words }

  #showProgress() {
    const title = this.#box.querySelector(".pencil-box-title"), was = title?.querySelector(".solved")
    if (!title || Boolean(was) === Boolean(this.#progress?.isSolved(this.#name))) return
    if (was) return was.remove()
    const said = this.#box.ownerDocument.createElement("span")
    said.className = "solved"
    said.textContent = "solved"
    title.append(" ", said)
  }

  // The numbers of the page have changed: what was said holds no longer.
  forget() {
    this.solved = false
    this.#begin()
    this.#say("")
    this.#find("input").removeAttribute("aria-invalid")
    delete this.#form.dataset.verdict
  }
}

function radio(doc, name, word) {
  const label = doc.createElement("label"), input = doc.createElement("input")
  Object.assign(input, { type: "radio", name, value: word })
  label.append(input, ` ${word}`)
  return label
}

// "nolan.match = 2·1 + 0·0 = 2" -> "nolan.match = 2·1 + 0·0 = …": what is worked out stays covered.
export function covered(doc, html) {
  const holder = doc.createElement("template")
  holder.innerHTML = html
  const text = holder.content.textContent, sides = text.split(/ ?[=≈][ \u00a0]/)
  return escape(`${sides.slice(0, Math.max(1, Math.min(2, sides.length - 1))).join(" = ")} = ${COVERED}`)
}

const escape = (text) => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign])
