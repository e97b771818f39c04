// A writer: a tiny GPT that writes letter by letter in the page. Its program and its numbers come as a script of their
// own when somebody writes; the engine runs them, and where each head looked is shown for every letter.

import { Dice } from "../kata/dice.js"
import { load, show, spread } from "./engine.js"
import { escape } from "./fragments.js"
import { upTo } from "./graph.js"
import { readNumber } from "./reading.js"
import { tried } from "./runs.js"

const MOST = 5 // letters that may come next, to be shown
const seen = (letter) => ({ " ": "␣", "\n": "↵" })[letter] ?? escape(letter)

export class Writer {
  #find; #fields; #ready; #writing; #text

  // box: what pencil/widgets/writer_lab.py wrote
  constructor(box) {
    this.box = box
    this.#find = (selector) => box.querySelector(selector)
    this.#fields = [...box.querySelectorAll(".pencil-cell")]
    this.#text = this.#find("textarea")
    this.#find(".pencil-lab-live").hidden = false
    box.classList.add("live")
    box.addEventListener("click", ({ target }) => target.dataset.count && this.write(Number(target.dataset.count)))
    box.addEventListener("input", ({ target }) => {
      if (target.type === "range") return this.#look()
      this.#writing = null
      this.run()
    })
  }

  // Puts so many letters behind the text, one after the other; what the reader does meanwhile ends it.
  async write(count) {
    const mine = (this.#writing = {}), goesOn = async () => (await this.run()) && this.#writing === mine
    for (let n = 0; n < count && (await goesOn()); n++) {
      this.#text.value += this.data.letters[this.value("drawn")[0]]
      await new Promise((done) => setTimeout(done))
    }
    if (await goesOn()) this.#find("[role=status]").textContent = `The text is now: ${this.#text.value}`
  }

  // Works out what comes next, and shows it. -> whether there is an answer
  async run() {
    const problem = (await this.#load()) || this.#ask()
    this.#find(".wrong").textContent = problem
    if (!problem) this.#show()
    return !problem
  }

  value(name) { return this.sheet.values.get(name).exact }

  #load() { // once -> "", or why it is not there
    return (this.#ready ??= new Promise((done) => {
      const onload = () => {
        this.data = unpack(window.pencilWriter)
        this.sheet = load(this.data.program)
        done("")
      }
      const src = this.box.dataset.script, onerror = () => done(`The writer's numbers are not at ${src}; build the book again.`)
      this.box.append(Object.assign(document.createElement("script"), { src, onload, onerror }))
    }))
  }

  #ask() { // -> "", or what is wrong
    const { letters, seats } = this.data, text = [...this.#text.value], strange = text.find((letter) => !letters.includes(letter)), given = {}
    if (!text.length) return "Type a letter at least: there is nothing to go on from."
    if (strange) return `${strange} is none of its ${letters.length} letters: ${letters.map(seen).join(" ")}`
    for (const { name, value: typed, min } of this.#fields) {
      const { value, problem } = readNumber(typed)
      if (!(value >= Number(min)) || (name !== "temperature" && value % 1)) return `${name}: ${problem ?? `type ${min} or more${name === "temperature" ? "" : ", whole"}.`}`
      given[name] = [value]
    }
    const dice = new Dice(given.seed[0])
    text.forEach(() => dice.throw()) // a throw for each letter: whatever wrote the text, it goes on alike
    this.shown = text.slice(-seats)
    const ids = upTo(seats).map((k) => Math.max(0, letters.indexOf(this.shown[k])))
    delete given.seed
    return tried(() => this.sheet.run({ ...given, ids, last: [this.shown.length - 1], u: [dice.throw() / 2 ** 32] }))
  }

  #show() {
    const slider = this.#find("[type=range]"), shares = this.value("shares"), { letters } = this.data
    const likely = [...shares.keys()].filter((k) => shares[k]).sort((a, b) => shares[b] - shares[a]).slice(0, MOST)
    const bar = (k) => `<tr><th scope="row">${seen(letters[k])}</th><td class="bar"><span style="--v:${show(shares[k])}"></span></td><td>${show(shares[k])}</td></tr>`
    this.#find("tbody").innerHTML = likely.map(bar).join("")
    slider.value = slider.max = this.shown.length
    this.#look()
  }

  #look() { // from a letter back, with every head
    if (!this.shown) return
    const { heads, seats } = this.data, slider = this.#find("[type=range]"), last = slider.value
    slider.setAttribute("aria-valuetext", `${seen(this.shown[last - 1])}, letter ${last}`)
    this.#find(".pencil-looks").innerHTML = Object.entries(heads).map(([name, says]) => {
      const row = [...this.value(name).slice((last - 1) * seats).slice(0, last)], most = row.indexOf(Math.max(...row))
      const marks = row.map((share, k) => `<i style="--v:${show(share / row[most])}">${seen(this.shown[k])}</i>`)
      return `<p><b>${says}</b> <span aria-hidden="true">${marks.join("")}</span><span class="pencil-said">looks most at ${seen(this.shown[most])}, letter ${most + 1}: ${show(row[most])}</span></p>`
    }).join("")
  }
}

// A scale for each row of a grid, then the numbers, each a byte.
function unpack(data) {
  const bytes = Int8Array.from(atob(data.numbers), (sign) => sign.charCodeAt(0)), scales = new Float32Array(bytes.buffer, 0, data.rows)
  let at = 4 * data.rows, row = 0
  for (const step of data.program.steps) {
    if (step.runs) step.index = spread(step.runs, step.start)
    if (step.op !== "given" || step.value) continue
    const width = step.shape.at(-1), size = spread(step.shape.map((n) => [n, 0])).length
    step.value = upTo(size).map((k) => bytes[at + k] * scales[row + Math.floor(k / width)])
    at += size
    row += size / width
  }
  return data
}
