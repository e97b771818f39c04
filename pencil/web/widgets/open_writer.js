// Interpretability of the tiny GPT on the reader's own text: attention weights of each head, the logit lens after each
// block, and the ablation of heads.

import { MINUS, show } from "../engine/rounding.js"
import { tried } from "../page/runs.js"
import { fill, html, make } from "../render/element.js"
import { upTo } from "../render/graph.js"
import { bar, th } from "../render/pictures.js"
import { ExportedModel } from "./exported.js"
import { Marked, called, seen, tooLong } from "./letters.js"
import { frame, large, pointed, small } from "./map.js"
import { highest, open, reading } from "./opened.js"

const LIKELY = 3 // how many letters the lens lists, and how many keys of a row
const BARS = 4 // how many letters each bar chart has
const MOST = 3 // the rise of a letter's loss at which its background is full: e^3 is about twenty times less probable
const CLEAR = 0.5 // the rise of a loss from which on a letter counts as worse

export class OpenWriterLab extends ExportedModel {
  #field
  #heads // radio buttons that pick a head
  #off // check boxes that switch a head off, in the same order
  #from // slider: the query
  #to // slider: the key
  #map
  #now // Opened, with the current heads
  #whole // Opened, with all heads
  #letters = []

  // box: the HTML of pencil/widgets/open_writer_lab.py
  constructor(box) {
    super(box)
    this.#field = new Marked(this.find("label"), () => this.#pieces)
    this.#heads = [...box.querySelectorAll("[type=radio]")]
    this.#off = [...box.querySelectorAll("[type=checkbox]")]
    ;[this.#from, this.#to] = box.querySelectorAll("[type=range]")
    this.#map = this.find(".pencil-shares-map")
    box.oninput = ({ target }) => this.#changed(target)
    this.find("[data-reset]").onclick = () => this.#reset()
    this.find("details").ontoggle = () => this.#list()
    const under = (event) => pointed(this.#map.firstChild, event, this.#letters.length) ?? this.#at
    this.#map.onclick = (event) => this.#now && this.#look(...under(event))
    this.#map.onpointermove = (event) => this.#now && this.#tell(...under(event))
    this.#map.onpointerleave = () => this.#now && this.#tell(...this.#at)
  }

  // The text, with letters highlighted that the model does not read
  get #pieces() {
    const { letters, read } = this.data ? reading(this.#field.text.value, this.data) : { letters: [] }
    return letters.map((letter, k) => [letter, !read[k]])
  }

  #changed(field) {
    if (!this.#now) this.run()
    else if (field === this.#from) this.#look(this.#from.value - 1)
    else if (field === this.#to) this.#look(this.#from.value - 1, this.#to.value - 1)
    else if (this.#heads.includes(field)) this.#drawHead()
    else this.run()
  }

  #reset() {
    for (const field of [this.#field.text, ...this.#heads, ...this.#off]) {
      if (field.type === "textarea") field.value = field.defaultValue
      else field.checked = field.defaultChecked
    }
    this.#letters = [] // forces a new run, with the last letter as the query
    this.run()
  }

  // ---- the run

  ask() {
    const long = tooLong(this.#field.text.value)
    if (long) {
      this.#field.mark()
      return long
    }
    const { letters, read, strange, early } = reading(this.#field.text.value, this.data)
    const { vocabulary, positions } = this.data
    const now = letters.filter((_, k) => read[k])
    this.#field.mark()
    const told = [
      strange.length && `Left out, because it is none of its ${vocabulary.length} letters: ${strange.join(" ")}`,
      early && `Left out, because it sees ${positions} letters at once: the first ${early === 1 ? "letter" : early}`,
    ]
    this.find("[role=status]").textContent = told.filter(Boolean).join(". ")
    if (!now.length) return "Type a letter that it knows: there is nothing to look at."
    const [all, gates] = [this.#off.map(() => 1), this.#off.map(({ checked }) => (checked ? 0 : 1))]
    const isSame = now.join("") === this.#letters.join("")
    const run = (each) => open(this.data, this.sheet, now, each)
    return tried(() => {
      if (!isSame) this.#whole = run(all)
      this.#now = gates.includes(0) ? run(gates) : this.#whole
      if (!isSame) this.#begin(now)
    })
  }

  // For another text: its last letter is the query
  #begin(letters) {
    this.#letters = letters
    const last = letters.length - 1
    this.#from.value = this.#from.max = this.#to.max = last + 1
    this.#to.value = this.#most(last) + 1
  }

  draw() {
    this.#heads.forEach((head, n) => {
      fill(head.nextElementSibling, small(this.#rows(n)))
      head.closest("label").classList.toggle("off", this.#off[n].checked)
    })
    this.#measure()
    this.#drawHead()
    this.#compare()
  }

  // ---- attention patterns

  get #head() {
    return this.#heads.findIndex(({ checked }) => checked)
  }

  get #at() {
    return [this.#from.value - 1, this.#to.value - 1]
  }

  get #names() {
    return this.#heads.map((head) => head.closest("label").textContent.trim())
  }

  #rows(head) {
    return upTo(this.#letters.length).map((t) => this.#now.row(head, t))
  }

  // The key with the highest weight in the picked head
  #most(t) {
    return highest(this.#now.row(this.#head, t), 1)[0]
  }

  #called(k) {
    return called(this.#letters, k)
  }

  // The map of the picked head
  #drawHead() {
    this.#map.style.setProperty("--letters", this.#letters.length)
    fill(this.#map, large(this.#rows(this.#head), this.#letters))
    this.#map.setAttribute("aria-label", `The shares of ${this.#names[this.#head]}`)
    for (const row of this.find(".pencil-measures").querySelectorAll("tr"))
      row.classList.toggle("picked", row.dataset.head === `${this.#head}`)
    this.#look(...this.#at)
    this.#list()
  }

  // Selects query t and key k; by default the key with the highest weight
  #look(t, k = this.#most(t)) {
    this.#from.value = t + 1
    this.#to.max = t + 1
    this.#to.value = Math.min(k, t) + 1
    this.#from.setAttribute("aria-valuetext", this.#called(t))
    this.#to.setAttribute("aria-valuetext", `${this.#called(this.#to.value - 1)}: ${this.#share(...this.#at)}`)
    frame(this.#map, ...this.#at)
    this.#tell(...this.#at)
    this.#lens(t)
    this.#next(t)
  }

  #share(t, k) {
    return show(this.#now.row(this.#head, t)[k])
  }

  #tell(t, k) {
    this.find(".pencil-pair").textContent =
      `${this.#called(t)}, looks at ${this.#called(k)}: share ${this.#share(t, k)}`
  }

  // The map in words, if its fold is open
  #list() {
    const { open: isOpen, lastElementChild: list } = this.find("details")
    if (!isOpen || !this.#now) return
    const looks = (t) => highest(this.#now.row(this.#head, t), LIKELY)
    const item = (t) =>
      `${this.#called(t)}: ${looks(t)
        .map((k) => `${this.#called(k)} (${this.#share(t, k)})`)
        .join("; ")}`
    list.replaceChildren(...upTo(this.#letters.length).map((t) => make("li", { textContent: item(t) })))
  }

  // The table of pattern scores of all heads; the highest of each pattern is bold
  #measure() {
    const found = this.#heads.map((_, n) => this.#now.scores(n))
    const { alike } = this.#now
    const most = alike.map((_, kind) => Math.max(...found.map((scores) => scores[kind])))
    const cell = (score, kind) => {
      if (score === null) return html`<td>none</td>`
      return html`<td>${score === most[kind] ? html`<b>${show(score)}</b>` : show(score)}</td>`
    }
    const row = (name, scores, data) => html`<tr${data}>${th(name, "row")}${scores.map(cell)}</tr>`
    const rows = found.map((scores, n) => row(this.#names[n], scores, html` data-head="${n}"`))
    fill(this.find(".pencil-measures tbody"), html`${rows}${row("all alike", alike, "")}`)
  }

  // ---- predictions

  #lens(t) {
    const rows = upTo(this.#now.lens.length).map((depth) => {
      const probs = this.#now.probs(t, depth)
      const cell = (id) => html`<td><b>${seen(this.data.vocabulary[id])}</b> ${show(probs[id])}</td>`
      const name = depth ? `after block ${depth}` : "before block 1"
      return html`<tr>${th(name, "row")}${highest(probs, LIKELY).map(cell)}</tr>`
    })
    fill(this.find(".pencil-lens tbody"), html`${rows}`)
    this.find(".pencil-lens caption").textContent = `What would come after ${this.#called(t)}?`
  }

  get #missing() {
    return this.#names.filter((_, n) => this.#off[n].checked).join(" and ")
  }

  // The next-letter probabilities after letter t, with and without the ablated heads
  #next(t) {
    const isOff = this.#now !== this.#whole
    const [before, after] = [this.#whole, this.#now].map((machine) => machine.probs(t))
    const both = new Set([...highest(before, BARS), ...(isOff ? highest(after, BARS) : [])])
    const ids = [...both].sort((i, j) => before[j] - before[i])
    const [left, right] = this.box.querySelectorAll(".pencil-bars")
    const draw = (table, probs, caption) => {
      fill(table.tBodies[0], html`${ids.map((id) => bar(seen(this.data.vocabulary[id]), probs[id]))}`)
      table.caption.textContent = caption
    }
    right.hidden = !isOff
    draw(left, before, `After ${this.#called(t)}: with all heads`)
    draw(right, after, `Without ${this.#missing}`)
    const id = this.#now.ids[t + 1]
    const losses = [before, after].map((probs) => show(-Math.log(probs[id])))
    this.find(".pencil-right").textContent =
      id === undefined
        ? "Here your text ends: no letter is the right one."
        : `The next letter of your text is ${seen(this.#letters[t + 1])}. Its loss is ${losses[0]}` +
          (isOff ? ` with all heads, and ${losses[1]} without ${this.#missing}.` : ".")
  }

  // Over the whole text: the mean loss, and the letters whose loss rises
  #compare() {
    const isOff = this.#now !== this.#whole
    const strip = this.find(".pencil-looks")
    strip.hidden = !isOff || this.#letters.length < 2
    const [before, after] = [this.#whole, this.#now]
    const average = (machine) => (machine.loss === null ? "no letter to predict" : show(machine.loss))
    const without = isOff ? ` with all heads, ${average(after)} without ${this.#missing}` : ""
    this.find(".pencil-loss").textContent = `Mean loss over your text: ${average(before)}${without}.`
    if (strip.hidden) return
    const worse = after.losses.map((loss, t) => loss - before.losses[t])
    const shade = (more) => show(Math.max(-1, Math.min(1, more / MOST))).replace(MINUS, "-")
    const letter = (one, k) => {
      const marked = make("i", { textContent: seen(one) })
      marked.style.setProperty("--v", shade(k ? worse[k - 1] : 0))
      return marked
    }
    const told = highest(worse, LIKELY).map((t) => `${this.#called(t + 1)} (${show(worse[t])})`)
    strip.firstElementChild.replaceChildren(...this.#letters.map(letter))
    const clear = worse.filter((more) => more > CLEAR).length
    strip.lastElementChild.textContent =
      `Of ${worse.length} letters to predict ${clear} ${clear === 1 ? "has" : "have"} a loss ` +
      `that is more than ${CLEAR} higher. ` +
      `Most of all: ${told.join("; ")}.`
  }
}
