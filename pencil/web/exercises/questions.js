// The "your turn" boxes of a page: forms that mark an answer, with diagnoses and hints; the worked answer is shown on
// request. Without scripts a box is a question and a folded answer.

import { fill, html, make } from "../render/element.js"
import { numbersAt, Written } from "./carried.js"
import { covered } from "./covered.js"
import { onEnter } from "./enter.js"
import { choose, grade, ofTheBook } from "./grading.js"
import { ofTheDay } from "./order.js"
import { dayIn } from "./progress.js"

const LINE = "Show the line with its blanks"
const WORKED = "Worked line by line:"
let count = 0 // number of forms, for unique ids

// questions, mistakes: exported by pencil/exercises/page_exercises.py, and what is said of the mistakes;
// page: the live page, which has the runs; progress: a Progress.
export function answerQuestions({ chapter, questions, mistakes }, page, progress) {
  const boxes = new Map([...document.querySelectorAll("[data-turn]")].map((box) => [box.dataset.turn, box]))
  const written = new Written()
  const made = questions
    .filter(({ key }) => boxes.has(key))
    .map((question) => {
      const name = `${chapter}:${question.key}`
      showKey(boxes.get(question.key), name)
      return new Question(boxes.get(question.key), question, { mistakes, written }, page, progress, name)
    })
  document.addEventListener("pencil-change", () => {
    written.clear()
    made.forEach((question) => question.forget())
  })
  document.addEventListener("pencil-checked", () => made.forEach((question) => question.again()))
  return made
}

export class Question {
  #box
  #question
  #mistakes
  #written
  #page
  #progress
  #name
  #form
  #hints = 0
  solved = false
  #typed = "" // as it was marked last
  #follows = false // whether it was told that the slip is in another answer

  // shared with the other questions of the page or the sheet: { mistakes, written }
  constructor(box, question, { mistakes, written }, page, progress, name) {
    this.#box = box
    this.#question = question
    this.#mistakes = mistakes
    this.#written = written
    this.#page = page
    this.#progress = progress
    this.#name = name
    this.#form = this.#make()
    this.#showProgress()
    progress?.onChange(() => this.#showProgress()) // by another tab as well
  }

  #find(part) {
    return this.#form.querySelector(part)
  }

  // The beginning of the question, as its title
  get #asks() {
    return this.#box.querySelector(":scope > p:not(.pencil-box-title)")?.textContent ?? ""
  }

  get #fold() {
    return this.#box.querySelector("details.worked-answer")
  }

  #make() {
    const form = make("form", { className: "pencil-answer" })
    const id = `pencil-turn-${++count}`
    const { choices, counts, label } = this.#question
    const mode = counts ? html`inputmode="decimal"` : ""
    const field = html`<label for="${id}">${label ? `${label} =` : "Your answer"}</label>
<input id="${id}" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" ${mode}
aria-describedby="${id}-says">`
    fill(form, html`${choices ? html`<fieldset><legend>Your answer</legend></fieldset>` : field}
<button type="button" class="check">Check</button> <button type="button" class="hint">Hint</button>
<p class="says" id="${id}-says" role="status"></p><div class="more" role="status" aria-atomic="false"></div>`)
    if (choices)
      form.querySelector("fieldset").append(...ofTheDay(choices, this.#name, dayIn()).map((word) => radio(id, word)))
    onEnter(form, () => this.check())
    form.querySelector(".check").onclick = () => this.check()
    form.querySelector(".hint").onclick = () => this.hint()
    this.#fold ? this.#fold.before(form) : this.#box.append(form)
    return form
  }

  // What stands in the field, and what was marked of it; both can be brought back.
  get typed() {
    return { text: this.#find("input").value, marked: this.#typed }
  }

  set typed({ text, marked }) {
    this.#find("input").value = marked
    if (marked) this.check()
    this.#find("input").value = text
  }

  // Another answer is another one: what was said of the slip in it is said anew.
  again() {
    if (this.#follows) this.#take(grade(this.#exercise, this.#typed), true)
  }

  #tell({ verdict, read, wrong, message }) {
    this.#follows = wrong === "follows"
    const isAnswer = read || verdict === "short" // unreadable answers are not marked as wrong
    this.#form.dataset.verdict = isAnswer ? verdict : "unread"
    this.#say(message)
    this.#find("input").setAttribute("aria-invalid", String(verdict === "wrong"))
  }

  // Marks the contents of the field.
  check() {
    const { answer, choices } = this.#question
    this.#typed = this.#find("input").value
    const graded = choices
      ? choose(this.#question, this.#find("input:checked")?.value)
      : grade(this.#exercise, this.#typed)
    // A choice and a plain figure do not follow numbers that the reader changed
    const isOfTheBook = !answer?.name && graded.read && this.#page.runs?.changes.length
    const verdict = isOfTheBook ? ofTheBook(graded) : graded
    this.#take(verdict)
    this.#box.dispatchEvent(
      new CustomEvent("pencil-checked", { bubbles: true, detail: { name: this.#name, ...verdict } }),
    )
    return verdict
  }

  // isAgain: of the answer that was marked before, whose slip is not another one
  #take(verdict, isAgain) {
    const { answer, label = "" } = this.#question
    if (answer) this.#written.put(this.#name, answer, label, verdict)
    const isRight = verdict.verdict === "right"
    const isGuess = this.#question.key.startsWith("predict-") // a prediction, which does not count as a mistake
    const isSlip = verdict.verdict === "wrong" && verdict.read && !isGuess
    if (isRight || this.solved) this.#begin(isRight ? this.#lines : [])
    if (isSlip && !verdict.wrong) this.#offerLine()
    this.solved = isRight
    this.#tell(verdict)
    if (isRight || (isSlip && !isAgain)) this.#progress?.put(this.#name, isRight, new Date(), this.#asks)
    this.#showProgress()
  }

  get #exercise() {
    const { answer, rows, places, percent, shares } = this.#question
    const far = () => this.#far
    const { also, follows } = answer.name ? this.#written.before(this.#name, answer, this.#page) : {}
    return {
      right: { ...this.#numbers(answer), also },
      follows,
      mistakes: this.#question.mistakes.map(([k, place]) => ({ ...this.#mistakes[k], ...this.#numbers(place) })),
      get far() {
        return far()
      },
      rows,
      places,
      percent,
      shares,
    }
  }

  // The mistakes made before the answer, and what they lead to
  get #far() {
    const { answer, far = [] } = this.#question
    return far.flatMap(([made, where, step, distance]) => {
      const names = where.split(" ")
      return made.map((k) => {
        const others = names.map((name) => `wrong.${this.#mistakes[k].key}.${name}`)
        const numbers = numbersAt(this.#page.sheet(answer.run).substituted(answer.name, names, others), answer.at)
        return { ...this.#mistakes[k], ...numbers, step, distance, times: names.length }
      })
    })
  }

  // The current values, including the reader's changes
  #numbers(place) {
    if (place.paper) return place
    const { answer } = this.#question
    const { run, name, at } = place.name ? place : { ...answer, name: place } // a name alone refers to the answer's run
    return numbersAt(this.#page.value(run, name), at)
  }

  // In fractions they were written beforehand, and hold until a reader changes a number
  get #lines() {
    const { written } = this.#question
    if (written && !this.#page.runs.changes.length) return written
    const { answer, shown, track } = this.#question
    return shown ? this.#page.lines(answer.run, shown, track) : []
  }

  // If there is no diagnosis, show the worked line instead of a hint
  #offerLine() {
    const line = this.#question.hints.indexOf(null)
    if (line < this.#hints) return
    this.#hints = line
    this.#nameHint()
  }

  // ---- hints in order: sentences, null for the line without its result; then the worked answer

  hint() {
    const { hints } = this.#question
    const isFirst = !this.#hints
    const step = hints[this.#hints++]
    if (isFirst) this.#find(".more").replaceChildren()
    if (step) this.#add(step)
    else if (step === null)
      this.#add(
        "The line, without its result:",
        this.#lines.map(covered),
      )
    else if (this.#fold) {
      this.#fold.open = true
      this.#fold.querySelector("summary").focus()
    } else {
      this.#find(".more").replaceChildren()
      this.#add(WORKED, this.#lines)
    }
    this.#nameHint()
  }

  // The next hint
  #nameHint() {
    const next = this.#question.hints[this.#hints]
    const later = next === undefined ? "Open the worked answer" : "Another hint"
    this.#find(".hint").textContent = next === null ? LINE : this.#hints ? later : "Hint"
  }

  // Start over with the hints, keeping these lines
  #begin(lines = []) {
    this.#hints = 0
    this.#find(".more").replaceChildren()
    this.#nameHint()
    if (lines.length) this.#add(WORKED, lines)
  }

  #add(words, lines = []) {
    const { track } = this.#question
    const sheet = make("div", { className: "pencil-worked", translate: false })
    fill(sheet, html`${lines.map((line) => html`<p>${line}</p>`)}`)
    if (track) sheet.dataset.track = track // for the cards of its numbers
    this.#find(".more").append(make("p", { textContent: words }), lines.length ? sheet : "")
  }

  #say(words) {
    this.#find(".says").textContent = words
  }

  // What was solved once stays so: beside an answer that is not right it was before
  #showProgress() {
    const title = this.#box.querySelector(".pencil-box-title")
    const was = title?.querySelector(".solved")
    if (!title || !this.#progress?.isSolved(this.#name)) return was?.remove()
    const { verdict = "right" } = this.#form.dataset
    const said = was ?? addTo(title, "solved")
    said.textContent = verdict === "right" ? "solved" : "solved before"
    said.classList.toggle("before", verdict !== "right")
  }

  // The numbers of the page have changed, so earlier messages may be wrong.
  forget() {
    this.solved = false
    this.#begin()
    this.#say("")
    this.#follows = false
    this.#find("input").removeAttribute("aria-invalid")
    delete this.#form.dataset.verdict
    this.#showProgress()
  }
}

// By which Python knows the question: check("06:score", "3")
function showKey(box, name) {
  const title = !name.startsWith("00") && box.querySelector(".pencil-box-title") // 00 is no chapter
  if (title) addTo(title, "key").textContent = name
}

function addTo(title, kind) {
  const said = make("span", { className: kind })
  title.append(" ", said)
  return said
}

function radio(name, word) {
  const label = make("label")
  label.append(make("input", { type: "radio", name, value: word }), ` ${word}`)
  return label
}
