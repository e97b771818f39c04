// A writer: a tiny GPT that writes letter by letter in the page, and shows where each head looked from every letter.

import { Dice } from "../kata/dice.js"
import { Carried } from "./carried.js"
import { escape } from "./fragments.js"
import { upTo } from "./graph.js"
import { bar } from "./pictures.js"
import { mark, readNumber } from "./reading.js"
import { tried } from "./runs.js"

const MOST = 5 // letters that may come next, to be shown
const seen = (letter) => ({ " ": "␣", "\n": "↵" })[letter] ?? letter

export class WriterLab extends Carried {
  #fields; #slider; #text; #writing

  // box: what pencil/widgets/writer_lab.py wrote
  constructor(box) {
    super(box)
    this.#fields = [...box.querySelectorAll(".pencil-cell")]
    this.#slider = this.find("[type=range]")
    this.#text = this.find("textarea")
    box.onclick = ({ target }) => target.dataset.count && this.write(Number(target.dataset.count))
    box.oninput = ({ target }) => {
      if (target === this.#slider) return this.#look()
      this.#writing = null
      this.run()
    }
  }

  // Puts so many letters behind the text, one after the other; what the reader does meanwhile ends it, and so does writing none.
  async write(count) {
    const mine = (this.#writing = {}), goesOn = async () => (await this.run()) && this.#writing === mine
    for (let n = 0; n < count && (await goesOn()); n++) {
      this.#text.value += this.data.letters[this.value("drawn")[0]]
      await new Promise((done) => setTimeout(done))
    }
    if (await goesOn()) this.find("[role=status]").textContent = `The text is now: ${this.#text.value}`
  }

  ask() {
    const { letters, seats } = this.data, text = [...this.#text.value], strange = text.find((letter) => !letters.includes(letter)), given = {}
    let wrong = text.length ? strange && `${strange} is none of its ${letters.length} letters: ${letters.map(seen).join(" ")}` : "Type a letter at least: there is nothing to go on from."
    mark(this.#text, wrong)
    for (const field of this.#fields) {
      const { name, min } = field, { value, problem } = readNumber(field.value), whole = name !== "temperature", most = name === "keep" && letters.length
      const odd = (!(value >= min) || (most && value > most) || (whole && value % 1)) && `${name}: ${problem ?? `type ${min} ${most ? `to ${most}` : "or more"}${whole ? ", whole" : ""}.`}`
      mark(field, odd)
      wrong ||= odd
      given[name] = [value]
    }
    if (wrong) return wrong
    const dice = new Dice(given.seed[0])
    text.forEach(() => dice.throw()) // a throw for each letter: whatever wrote the text, it goes on alike
    this.shown = text.slice(-seats)
    const ids = upTo(seats).map((k) => Math.max(0, letters.indexOf(this.shown[k])))
    delete given.seed
    return tried(() => this.sheet.run({ ...given, ids, last: [this.shown.length - 1], u: [dice.throw() / 2 ** 32] }))
  }

  draw() {
    const shares = this.value("shares"), { letters } = this.data
    const likely = [...shares.keys()].filter((k) => shares[k]).sort((a, b) => shares[b] - shares[a]).slice(0, MOST)
    this.find("tbody").innerHTML = likely.map((k) => bar(seen(letters[k]), shares[k])).join("")
    this.#slider.value = this.#slider.max = this.shown.length
    this.#look()
  }

  #look() { // from a letter back, with every head
    if (!this.shown) return
    const last = Number(this.#slider.value), start = (last - 1) * this.data.seats, called = (k) => `${seen(this.shown[k])}, letter ${k + 1}`
    this.#slider.setAttribute("aria-valuetext", called(last - 1))
    this.looks(start, start + last, (k) => escape(seen(this.shown[k])), (k) => escape(called(k)))
  }
}
