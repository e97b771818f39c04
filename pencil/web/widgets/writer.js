// Text generation with the tiny GPT, letter by letter, and the attention weights of each head.

import { outside } from "../engine/limits.js"
import { Mulberry32 } from "../engine/random.js"
import { fill, html } from "../render/element.js"
import { upTo } from "../render/graph.js"
import { bar } from "../render/pictures.js"
import { readNumber, setInvalid } from "../page/reading.js"
import { tried } from "../page/runs.js"
import { ExportedModel } from "./exported.js"
import { called, Marked, seen, tooLong } from "./letters.js"

export class WriterLab extends ExportedModel {
  #fields
  #slider
  #text
  #field
  #given // the prompt; the rest of the text is generated
  #writing

  // box: the HTML of pencil/widgets/writer_lab.py
  constructor(box) {
    super(box)
    this.#fields = [...box.querySelectorAll(".pencil-cell")]
    this.#slider = this.find("[type=range]")
    this.#field = new Marked(this.find("label"), () => this.#pieces)
    this.#text = this.#field.text
    box.onclick = ({ target }) => {
      const { count } = target.closest("[data-count]")?.dataset ?? {}
      if (count) this.write(Number(count))
    }
    box.oninput = ({ target }) => {
      if (target === this.#slider) return this.#look()
      this.#writing = null
      if (target === this.#text) {
        this.#given = null
        this.#field.mark() // also if the run fails
      }
      this.run()
    }
  }

  // Generates `count` letters; any input of the reader, or a call with 0, stops it.
  async write(count) {
    const mine = (this.#writing = {})
    this.#given ??= this.#text.value
    const goesOn = async () => (await this.run()) && this.#writing === mine
    for (let n = 0; n < count && (await goesOn()); n++) {
      this.#text.value += this.data.vocabulary[this.value("next_id")[0]]
      this.#text.scrollTop = this.#text.scrollHeight
      await new Promise((done) => setTimeout(done))
    }
    if (await goesOn()) this.find("[role=status]").textContent = `The text is now: ${this.#text.value}`
  }

  ask() {
    const long = tooLong(this.#text.value)
    setInvalid(this.#text, long)
    if (long) return long
    const { vocabulary, positions } = this.data
    const text = [...this.#text.value]
    const strange = text.find((letter) => !vocabulary.includes(letter))
    const given = {}
    let wrong = text.length
      ? strange && `${strange} is none of its ${vocabulary.length} letters: ${vocabulary.map(seen).join(" ")}`
      : "Type a letter at least: there is nothing to go on from."
    setInvalid(this.#text, wrong)
    for (const field of this.#fields) {
      const { name, min } = field
      const { value, problem } = readNumber(field.value)
      const most = name === "keep" ? vocabulary.length : Infinity
      const label = field.closest("label").textContent.trim()
      const odd = outside({ name: label, least: Number(min), most, whole: name !== "temperature" }, [value])
      const objection = problem ? `${label}: ${problem}` : odd && `${odd.replaceAll("'", "")}.`
      setInvalid(field, objection)
      wrong ||= objection
      given[name] = [value]
    }
    if (wrong) return wrong
    const rng = new Mulberry32(given.seed[0])
    text.forEach(() => rng.nextUint32()) // a number per letter of the text, typed or generated
    this.shown = text.slice(-positions)
    const ids = upTo(positions).map((k) => Math.max(0, vocabulary.indexOf(this.shown[k])))
    delete given.seed
    return tried(() =>
      this.sheet.run({ ...given, ids, last: [this.shown.length - 1], u: [rng.nextUint32() / 2 ** 32] }),
    )
  }

  draw() {
    const probs = this.value("probs")
    const { vocabulary } = this.data
    const likely = [...probs.keys()].filter((k) => probs[k]).sort((a, b) => probs[b] - probs[a])
    fill(this.find("tbody"), html`${likely.map((k) => bar(seen(vocabulary[k]), probs[k]))}`)
    this.#slider.value = this.#slider.max = this.shown.length
    this.#look()
    this.#field.mark()
  }

  // Highlight the generated part
  get #pieces() {
    const { value } = this.#text
    const own = this.#given?.length ?? value.length
    return [
      [value.slice(0, own), false],
      [value.slice(own), true],
    ]
  }

  // The attention of a letter in every head
  #look() {
    if (!this.shown) return
    const last = Number(this.#slider.value)
    const start = (last - 1) * this.data.positions
    this.#slider.setAttribute("aria-valuetext", called(this.shown, last - 1))
    this.looks(
      start,
      start + last,
      (k) => seen(this.shown[k]),
      (k) => called(this.shown, k),
    )
  }
}
