// What stands on a page and shows a run's numbers, bound to the run: worked lines, pictures, numbers in the prose.

import { show } from "./engine.js"
import { paragraphs } from "./fragments.js"
import { level } from "./pictures.js"
import { Worked } from "./worked.js"

const FRACTIONS = { "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4 }
const NUMBER = /−?(?:[½⅓⅔¼¾]|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)/g
const squeezed = (text) => text.replace(/\s+/g, " ").trim()

export class Binding {
  #runs; #writers = new Map()

  constructor(runs) { this.#runs = runs }

  writer(run, track = "paper", whole = undefined) {
    const key = `${run} ${track} ${whole}`
    if (!this.#writers.has(key)) {
      const { data, sheet } = this.#runs.get(run)
      this.#writers.set(key, new Worked({ ...data, track, whole: whole ?? data.whole }, sheet))
    }
    return this.#writers.get(key)
  }

  whose(reference) { // "swapped.nolan.query" -> the run "swapped" and what it calls the value
    const [first, ...rest] = reference.split(".")
    const run = this.#runs.get(first) && rest.length ? first : ""
    const local = run ? rest.join(".") : reference
    try {
      this.writer(run).find(local)
      return { run, reference: local }
    } catch {
      return null // a figure, a year: no run made it
    }
  }

  // What the page has of a kind; a lab and a card have runs of their own.
  find(kind) { return [...document.querySelectorAll(`article ${kind}:not(.pencil-lab *, .pencil-card *)`)] }

  // Everything that is bound: what it says now, write(); how to put that; and how to restore what stood there. Asked for at
  // the first need, while the pencil numbers stand: who only reads pays nothing.
  all() {
    const bound = [
      ...this.find(".pencil-worked[data-show]").map((element) => this.#lines(element)),
      ...this.find(".pencil-picture[data-show]").flatMap((element) => this.#picture(element)),
      ...this.find(".pencil-number[data-value]:not(.pencil-worked *)").map((element) => this.#number(element)),
    ]
    return bound.filter(Boolean).map((one) => ({ ...one, before: one.write(), now: null }))
  }

  #lines(element) {
    const { show: references, run = "", track, whole, by } = element.dataset, original = element.innerHTML
    const write = () => {
      const writer = this.writer(run, track, whole !== "no")
      return paragraphs(references.split(" ").flatMap((reference) => writer.html(reference, by)))
    }
    if (squeezed(textOf(write())) !== squeezed(element.textContent)) return null // not just as it stands: left alone
    const put = (html) => {
      element.innerHTML = html
      for (const number of element.querySelectorAll(".pencil-number")) number.tabIndex = -1
    }
    return { element, write, put, restore: () => { element.innerHTML = original } }
  }

  #picture(element) { // its shades and lengths; its digits are numbers like any other
    const { show: reference, run = "" } = element.dataset, table = element.querySelector("table"), isShare = table.className === "pencil-bars"
    return [...table.querySelectorAll("[style*='--v']")].map((cell, place) => {
      const original = cell.getAttribute("style"), put = (style) => cell.setAttribute("style", style)
      const write = () => {
        const numbers = this.writer(run).find(reference).exact
        return `--v:${level(numbers[place], numbers, isShare)}`
      }
      return { write, put, restore: () => put(original) }
    })
  }

  #number(element) {
    const whose = this.whose(element.dataset.value), sample = squeezed(element.textContent)
    if (!whose) return null
    const tracks = element.dataset.track ? [element.dataset.track] : ["paper", "exact"]
    const forms = tracks.flatMap((track) => this.#forms(this.writer(whose.run, track), whose.reference, sample, track))
    const write = forms.find((form) => form() === sample), original = element.innerHTML
    return write && { element, write, put: (text) => { element.textContent = text }, restore: () => { element.innerHTML = original } }
  }

  #forms(writer, reference, sample, track) { // the ways in which a page may write a value
    return [() => writer.row(reference), ...[0, 1].map((i) => () => writer.sums(reference)[i]), () => like(sample, writer.find(reference)[track])]
  }
}

// A value written as a sample is: as many places, percent where it has them.
function like(sample, numbers) {
  const found = sample.match(NUMBER) ?? [], values = [].concat(numbers?.length === undefined ? numbers : [...numbers])
  if (found.length !== values.length) return null
  const scale = sample.endsWith("%") ? 100 : 1
  let i = 0
  return sample.replace(NUMBER, (digits) => {
    if (digits in FRACTIONS) return Math.abs(values[i] - FRACTIONS[digits]) < 1e-3 ? (i++, digits) : show(values[i++])
    const places = digits.split(".")[1]?.length ?? 0
    const written = show(values[i++] * scale, { places, figures: null, whole: places === 0 })
    return digits.includes(",") ? written.replace(/\B(?=(\d{3})+$)/g, ",") : written
  })
}

function textOf(html) {
  const holder = document.createElement("template")
  holder.innerHTML = html
  return holder.content.textContent
}
