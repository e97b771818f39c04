// The live page. Every number that a run has made can be opened down to the given ones; a given number can be
// changed, and all that follows from it is written anew: worked lines, pictures, and the bound numbers of the prose.

import { EngineError, show } from "./engine.js"
import { Card } from "./card.js"
import { readFragment, writeFragment } from "./reading.js"
import { Runs } from "./runs.js"
import { Worked } from "./worked.js"

const FRACTIONS = { "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4 }
const NUMBER = /−?(?:[½⅓⅔¼¾]|(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)/g
const plain = (text) => text.replace(/[\s\u00a0]+/g, " ").trim()

// Called once by the page's script.
export function start(doc) {
  const store = doc.getElementById("pencil-runs")
  return store ? new Page(doc, JSON.parse(store.textContent)) : null
}

class Page {
  #doc; #runs; #writers = new Map(); #bound = null; #card; #keys = false

  constructor(doc, data) {
    this.#doc = doc
    this.#runs = new Runs(data)
    this.#card = new Card(doc, { line: (run, reference) => this.#line(run, reference), change: (...what) => this.#change(...what) })
    this.bar = this.#makeBar()
    doc.documentElement.classList.add("pencil-live")
    doc.addEventListener("click", (event) => this.#clicked(event))
    doc.addEventListener("keydown", (event) => this.#pressed(event))
    doc.defaultView.addEventListener("beforeprint", () => this.#write(true))
    doc.defaultView.addEventListener("afterprint", () => this.#write())
    this.#addDoor()
    doc.defaultView.addEventListener("hashchange", () => this.#readLink())
    this.#readLink()
  }

  // ---- numbers and what they are bound to

  writer(run, track = "paper", whole = undefined) {
    const key = `${run} ${track} ${whole}`
    if (!this.#writers.has(key)) {
      const { data, sheet } = this.#runs.get(run)
      this.#writers.set(key, new Worked({ ...data, track, whole: whole ?? data.whole }, sheet))
    }
    return this.#writers.get(key)
  }

  #whose(reference) { // "swapped.nolan.query" -> the run "swapped" and what it calls the value
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

  #bind() { // done at the first need, while the pencil numbers stand: who only reads pays nothing
    const article = this.#doc.querySelector("article") ?? this.#doc.body, bound = []
    for (const element of article.querySelectorAll(".pencil-worked[data-show]")) bound.push(this.#lines(element))
    for (const element of article.querySelectorAll(".pencil-picture[data-show]")) bound.push(...this.#picture(element))
    for (const element of article.querySelectorAll(".pencil-number[data-value]")) {
      if (!element.closest(".pencil-worked, .pencil-card")) bound.push(this.#number(element))
    }
    return bound.filter(Boolean).map((one) => ({ ...one, before: one.write(), now: null }))
  }

  #lines(element) {
    const { show: references, run = "", track, whole, by } = element.dataset, original = element.innerHTML
    const write = () => {
      const writer = this.writer(run, track, whole !== "no")
      return paragraphs(references.split(" ").flatMap((reference) => writer.html(reference, by)))
    }
    if (plain(textOf(this.#doc, write())) !== plain(element.textContent)) return null // not just as it stands: left alone
    const put = (html) => {
      element.innerHTML = html
      for (const number of element.querySelectorAll(".pencil-number")) number.tabIndex = -1
    }
    return { element, write, put, restore: () => { element.innerHTML = original } }
  }

  #picture(element) { // its shades and lengths; its digits are numbers like any other
    const { show: reference, run = "" } = element.dataset, table = element.querySelector("table")
    return [...table.querySelectorAll("[style*='--v']")].map((cell, place) => {
      const original = cell.getAttribute("style")
      const put = (style) => cell.setAttribute("style", style)
      return { write: () => `--v:${this.#level(run, reference, place, table.className)}`, put, restore: () => put(original) }
    })
  }

  #level(run, reference, place, kind) { // where a number lies between the lowest and the highest
    const numbers = this.writer(run).find(reference).exact, x = numbers[place], finite = numbers.filter(Number.isFinite)
    const [low, high] = kind === "pencil-bars" ? [0, 1] : [Math.min(...finite), Math.max(...finite)]
    if (!Number.isFinite(x)) return show(x > 0 ? 1 : 0)
    return high > low ? show((x - low) / (high - low)) : "0.500"
  }

  #number(element) {
    const whose = this.#whose(element.dataset.value), sample = plain(element.textContent)
    if (!whose) return null
    const tracks = element.dataset.track ? [element.dataset.track] : ["paper", "exact"]
    const forms = tracks.flatMap((track) => this.#forms(this.writer(whose.run, track), whose.reference, sample, track))
    const write = forms.find((form) => form() === sample), original = element.innerHTML
    return write && { element, write, put: (text) => { element.textContent = text }, restore: () => { element.innerHTML = original } }
  }

  #forms(writer, reference, sample, track) { // the ways in which a page may write a value
    return [() => writer.row(reference), ...[0, 1].map((i) => () => writer.sums(reference)[i]), () => like(sample, writer.find(reference)[track])]
  }

  // The numbers of a run that will not follow a change, as their references: sizes, which no change moves.
  get still() {
    this.#bound ??= this.#bind()
    const bound = new Set(this.#bound.map(({ element }) => element))
    const numbers = [...this.#doc.querySelectorAll("article .pencil-number[data-value]")]
    return numbers.filter((n) => !bound.has(n) && !bound.has(n.closest(".pencil-worked")) && !n.closest(".pencil-card") && this.#whose(n.dataset.value)).map((n) => `${n.dataset.value}: ${n.textContent}`)
  }

  // ---- changes

  #change(run, reference, value) { // -> what is wrong, or ""
    this.#bound ??= this.#bind()
    const { name, place } = this.writer(run).find(reference)
    try {
      this.#runs.set(run, name, place, value)
    } catch (wrong) {
      if (wrong instanceof EngineError) return `${wrong.message[0].toUpperCase()}${wrong.message.slice(1)}.`
      throw wrong
    }
    this.#write()
    this.#saveLink()
    return ""
  }

  #write(pencil = false) { // all that is bound; printed, the pencil numbers stand
    const changed = this.#runs.changes.length > 0 && !pencil
    for (const bound of this.#bound ?? []) {
      const now = changed ? bound.write() : bound.before
      if (now === (bound.now ?? bound.before)) continue
      bound.now = now
      now === bound.before ? bound.restore() : bound.put(now)
      bound.element?.classList.toggle("changed", now !== bound.before)
    }
    this.#card.refresh()
    this.#say()
  }

  #makeBar() { // what it says is said in a place of its own, which is always there: only so is it read aloud
    const { body } = this.#doc, bar = this.#doc.createElement("div"), said = this.#doc.createElement("p")
    bar.className = "pencil-changed"
    bar.hidden = true
    bar.innerHTML = '<span></span><button type="button">Back to the pencil numbers</button>'
    bar.lastChild.addEventListener("click", () => this.reset())
    said.className = "pencil-said"
    said.setAttribute("role", "status")
    body.append(said, bar)
    return { bar, said }
  }

  #say(words = "") {
    const { bar, said } = this.bar, count = this.#runs.changes.length
    const yours = count === 1 ? "One number on this page is yours, and all that follows from it. Sums written out in a sentence stay." : `${count} numbers on this page are yours, and all that follows from them. Sums written out in a sentence stay.`
    said.textContent = words || (count ? yours : bar.hidden ? "" : "The pencil numbers are back.")
    bar.firstChild.textContent = yours
    bar.hidden = count === 0
  }

  // The page as it was built.
  reset() {
    this.#runs.reset()
    this.#write()
    this.#saveLink()
    this.door?.focus({ preventScroll: true }) // the button is gone
  }

  #saveLink() {
    const { location, history } = this.#doc.defaultView, fragment = writeFragment(this.#runs.changes)
    history.replaceState(null, "", fragment || location.pathname + location.search)
  }

  #readLink() {
    const changes = readFragment(decode(this.#doc.defaultView.location.hash))
    if (!changes) return
    this.#bound ??= this.#bind()
    try {
      this.#runs.replace(changes)
      this.#write()
    } catch (wrong) { // numbers that break a sum: what stood here stays
      if (!(wrong instanceof EngineError)) throw wrong
      this.#saveLink()
      this.#say("The numbers of this link break a sum of this page, so they were not taken.")
    }
  }

  // ---- opening

  #line(run, reference) {
    const writer = this.writer(run), { name, exact, given, text, html } = writer.opened(reference)
    return { name, exact: `exactly ${exact}`, given, text, html: paragraphs(html) }
  }

  #clicked(event) {
    const number = event.target.closest?.(".pencil-number[data-value]")
    if (number && this.#open(number)) return
    if (!event.target.closest?.(".pencil-card")) this.#card.close()
  }

  #open(number) {
    const whose = this.#whose(number.dataset.value), sheet = number.closest(".pencil-worked[data-show]")
    this.#bound ??= this.#bind()
    if (!whose || !this.writer(whose.run).isNumber(whose.reference)) return false
    if (sheet && !this.#bound.some(({ element }) => element === sheet)) return false
    this.#card.open(number, whose.run, whose.reference)
    return true
  }

  // ---- the keyboard: a door that only the keyboard finds, and arrows from number to number behind it

  #addDoor() {
    const door = this.#doc.createElement("button")
    door.type = "button"
    door.className = "pencil-door"
    door.textContent = "Open the numbers: arrows move, Enter opens, Escape leaves"
    door.addEventListener("click", (event) => {
      event.stopPropagation()
      this.#keys = true
      this.#stand(this.#numbers()[0])
    })
    this.#doc.querySelector("article h1")?.after(door)
    this.door = door
  }

  #numbers() { return [...this.#doc.querySelectorAll("article .pencil-number[data-value]")].filter((n) => !n.closest(".pencil-card") && n.getClientRects().length) }

  #stand(number) { // where the keyboard is, a number says that it can be opened
    number?.setAttribute("role", "button")
    number?.setAttribute("aria-haspopup", "dialog")
    number?.addEventListener("blur", () => ["role", "aria-haspopup"].forEach((name) => number.removeAttribute(name)), { once: true })
    number?.focus()
  }

  #pressed(event) {
    if (event.key === "Escape" && this.#card.isOpen) return this.#card.close()
    if (!this.#keys || !event.target.matches?.(".pencil-number")) return
    const all = this.#numbers(), at = all.indexOf(event.target)
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) this.#stand(all[Math.max(0, Math.min(all.length - 1, to))])
    else if (event.key === "Enter" || event.key === " ") this.#open(event.target) && this.#card.focus()
    else if (event.key === "Escape") {
      this.#keys = false
      this.door.focus()
    } else return
    event.preventDefault()
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
    return show(values[i++] * scale, { places, figures: null, whole: places === 0 })
  })
}

const paragraphs = (lines) => lines.map((line) => `<p style="margin: 0">${line}</p>`).join("\n")

function textOf(doc, html) {
  const holder = doc.createElement("template")
  holder.innerHTML = html
  return holder.content.textContent
}

function decode(fragment) {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return ""
  }
}
