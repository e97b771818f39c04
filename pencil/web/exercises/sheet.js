// A sheet of the page: it deals itself on any topic and from any seed, takes the answers, keeps the time, and
// prints with its key behind it.

import { escape } from "../render/fragments.js"
import { Worked } from "../render/worked.js"
import { deal } from "./deal.js"
import { givens, paper, rules } from "./paper.js"
import { Question } from "./questions.js"

const LARGEST = 2 ** 32 - 1
const INSIDE = `<form class="deal"><label>Topic <select></select></label>
<label>Seed <input type="text" inputmode="numeric" size="12" autocomplete="off"></label>
<button type="submit">Deal this sheet</button> <button type="button" data-do="another">Another one</button>
<button type="button" data-do="print">Print it, with its key</button>
<label class="clock"><input type="checkbox"> Time me</label></form>
<p class="says" role="status"></p><div class="dealt"></div><div class="history"></div>`

const TIMES_HEAD =
  '<thead><tr><th scope="col">day</th><th scope="col">seed</th><th scope="col">time</th></tr></thead>'

// topics: { name: what pencil.exercises.worksheet wrote of it }
export function startSheets(doc, progress, topics) {
  return [...doc.querySelectorAll(".pencil-sheet")].map(
    (place) => new SheetOfThePage(place, progress, topics),
  )
}

class SheetOfThePage {
  #place
  #topics
  #data
  #progress
  #sheet
  #worked
  #questions = []
  #seed
  #since = null

  constructor(place, progress, topics) {
    this.#place = place
    this.#topics = topics
    this.#progress = progress
    place.innerHTML = `<p><strong></strong> <span></span></p>${INSIDE}`
    this.#find("select").append(...Object.values(topics).map(({ topic, title }) => new Option(title, topic)))
    this.#find("form").addEventListener("submit", (event) => {
      event.preventDefault()
      this.#dealTyped()
    })
    this.#find("[data-do=another]").addEventListener("click", () =>
      this.deal(this.#chosen, Math.floor(Math.random() * 10_000)),
    )
    this.#find("[data-do=print]").addEventListener("click", () => this.#print())
    place.addEventListener("pencil-checked", () => this.#finish())
    this.deal(place.dataset.topic, Number(place.dataset.seed), "")
  }

  #find(part) {
    return this.#place.querySelector(part)
  }

  // Dealt at the press of a button: nobody loses what was typed by looking at the list
  get #chosen() {
    return this.#find("select").value
  }

  #say(words) {
    this.#find(".says").textContent = words
  }

  #dealTyped() {
    const typed = this.#find(".deal input").value.trim()
    const seed = Number(typed)
    if (!/^\d{1,10}$/.test(typed) || seed > LARGEST)
      return this.#say(`A seed is a whole number from 0 to ${LARGEST}.`)
    this.deal(this.#chosen, seed)
  }

  // The sheet of a seed, with empty fields.
  deal(topic, seed, words = `Sheet ${seed} is dealt.`) {
    this.#data = this.#topics[topic]
    this.#seed = seed
    const doc = this.#place.ownerDocument
    const { title, opening, run, asks, mistakes } = this.#data
    this.#sheet = deal(this.#data, seed)
    this.#worked = new Worked(run, this.#sheet)
    this.#find("strong").textContent = `${title}.`
    this.#find("p span").textContent = opening
    this.#find("select").value = topic
    this.#find(".deal input").value = String(seed)
    const list = doc.createElement("ol")
    const boxes = asks.map(() => doc.createElement("li"))
    list.append(...boxes)
    this.#find(".dealt").innerHTML = `${givens(this.#data, this.#worked)}${rules(this.#data)}`
    this.#find(".dealt").append(list)
    this.#questions = asks.map((ask, k) => new Question(boxes[k], { ...ask, mistakes }, this, null, ask.key))
    this.#since = this.#find(".clock input").checked ? Date.now() : null
    this.#say(this.#since === null ? words : `${words} The clock runs.`)
    this.#showHistory()
  }

  // What a question asks of its page.
  value(_, name) {
    return this.#sheet.values.get(name)
  }

  substituted(_, target, names, others) {
    return this.#sheet.substituted(target, names, others)
  }

  // Plain: the page's card knows other runs
  lines(_, reference) {
    return this.#worked.lines(reference).map((line) => escape(line))
  }

  get topic() {
    return this.#data.topic
  }

  get seed() {
    return this.#seed
  }

  // When all is right
  #finish() {
    if (!this.#questions.every(({ solved }) => solved)) return
    if (this.#since === null) return this.#say("The whole sheet is right.")
    const seconds = Math.round((Date.now() - this.#since) / 1000)
    this.#since = null
    this.#say(`The whole sheet is right, in ${clock(seconds)}.`)
    this.#progress.addTime({
      topic: this.topic,
      seed: this.#seed,
      seconds,
      day: new Date().toISOString().slice(0, 10),
    })
    this.#showHistory()
  }

  #showHistory() {
    const times = this.#progress.times.filter(({ topic }) => topic === this.topic).slice(-10)
    const doc = this.#place.ownerDocument
    const rows = times.map(
      ({ day, seed, seconds }) => `<tr><td>${day}</td><td>${seed}</td><td>${clock(seconds)}</td></tr>`,
    )
    const table = doc.createElement("table")
    table.innerHTML = `<caption>Your times</caption>${TIMES_HEAD}<tbody>${rows.join("")}</tbody>`
    this.#find(".history").replaceChildren(...(rows.length ? [table] : []))
  }

  // Nothing but the sheet and its key, on pages of their own
  #print() {
    const doc = this.#place.ownerDocument
    const page = doc.createElement("div")
    page.className = "pencil-print"
    page.innerHTML = paper(this.#data, this.#worked, this.#seed)
    doc.body.append(page)
    doc.documentElement.classList.add("pencil-prints")
    doc.defaultView.addEventListener(
      "afterprint",
      () => {
        doc.documentElement.classList.remove("pencil-prints")
        page.remove()
      },
      { once: true },
    )
    doc.defaultView.print()
  }
}

export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
