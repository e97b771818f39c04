// The card of a number: its worked line, its exact value, links to the numbers that it is computed from, and an input
// field if it is an input. The card of a row or a matrix lists its numbers.

import { fill, html } from "../render/element.js"
import { grouped, groupedLine, paragraphs } from "../render/fragments.js"
import { th } from "../render/pictures.js"
import { bringIntoWindow, placeBeside } from "./beside.js"
import { readNumbers, setInvalid, stepped } from "./reading.js"

const CARD = `<div class="pencil-card" tabindex="-1" role="dialog" aria-label="Where it comes from" hidden>
<p class="name" translate="no"></p><div class="pencil-worked" translate="no"></div
><p class="exact"></p><p class="was"></p><p class="origin"></p>
<details class="machine"><summary>Formats and cost</summary><table translate="no"></table
><p class="bill"></p></details>
<label>Try another <input type="text" aria-describedby="pencil-wrong" autocomplete="off" spellcheck="false"
></label><p class="wrong" id="pencil-wrong" role="alert"></p>
<p class="buttons"><button type="button" data-do="back">Back</button
><button type="button" data-do="close">Close</button></p></div>`

// "king.one_hot" is displayed as "king.one hot"; symbols such as W_O are unchanged
const said = (name) => name.replace(/([a-z\d])_(?=[a-z\d])/g, "$1 ")

const LOST = "no number: 0 / 0 or ∞ − ∞"
const inRow = ([format, digits]) =>
  html`<tr>${th(format, "row")}<td>${digits === "NaN" ? LOST : digits}</td></tr>`

// The track of a number's lines, which its card uses as well
export function trackOf(number) {
  const { track, turned } = number.closest("[data-track], [data-turned]")?.dataset ?? {}
  return track ?? turned
}

// The numbers of a sheet that show the same value
const alike = (sheet, value) => [...sheet.querySelectorAll(`.pencil-number[data-value="${CSS.escape(value)}"]`)]

// "nolan.query number 1, 2": the name of a number that can be pressed
export const calledBy = (worked, reference, { textContent }) =>
  `${worked.described(reference).labelled || said(reference)}, ${textContent}`

export class Card {
  #home
  #shown
  #page
  #box
  #trail = []
  #anchor = null
  #before // the numbers of the field before they are typed over
  #track
  #edited // the field that was edited last, outside the card
  #moving // the request of a frame in which the card is placed anew

  // home: the element that the card is in; shown() is called when the card has been opened or closed
  constructor(home = document.body, shown = () => {}) {
    this.#home = home
    this.#shown = shown
    document.addEventListener("input", ({ target }) => {
      if (!this.#box?.contains(target)) this.#edited = target
    })
  }

  #find(selector) {
    return this.#box.querySelector(selector)
  }

  get isOpen() {
    return Boolean(this.#box && !this.#box.hidden)
  }

  // Opens the card of a number beside it.
  // page: { writer(run, track) -> Worked, change(run, reference, ...values) -> error message or "" }, and optionally
  // was(run, reference, track) and `fractions` (fractions.js)
  open(anchor, run, reference, page) {
    this.#page = page
    this.#track = trackOf(anchor)
    this.#box ??= this.#make()
    this.#trail = []
    const sheet = anchor.closest(".pencil-worked, .pencil-part") ?? anchor.parentElement
    const { value } = anchor.dataset
    this.#anchor = [anchor, sheet, value, alike(sheet, value).indexOf(anchor)]
    this.#show(true)
    this.#go(run, reference)
  }

  close() {
    if (!this.isOpen) return
    const inside = this.#box.contains(document.activeElement)
    this.#show(false)
    if (!inside) return
    this.#beside().tabIndex = -1 // elements of an updated line are new
    this.#beside().focus()
  }

  #show(open) {
    this.#box.hidden = !open
    this.#shown()
  }

  // The element of the number; if its line has been updated, the new one.
  #beside() {
    const [anchor, sheet, value, k] = this.#anchor
    if (!anchor.isConnected) this.#anchor[0] = alike(sheet, value)[k] ?? alike(sheet, value)[0] ?? sheet
    return this.#anchor[0]
  }

  // Focus the field of an input, with its contents selected, or else the card
  focus() {
    const field = this.#find("input")
    if (field.closest("label").hidden) return this.#box.focus()
    field.focus()
    field.select()
  }

  #make() {
    this.#home.insertAdjacentHTML("beforeend", CARD)
    const box = this.#home.lastElementChild
    box.onclick = (event) => this.#clicked(event)
    box.onkeydown = (event) => this.#pressed(event)
    box.oninput = () => this.#typed()
    box.onchange = () => this.#settle()
    box.querySelector(".machine").ontoggle = () => {
      this.#page.fractions?.fetch(() => this.refresh())
      this.refresh()
    }
    return box
  }

  #go(run, reference) {
    this.#trail.push({ run, reference })
    this.refresh()
    this.#place()
    bringIntoWindow(this.#box)
    this.#settle()
  }

  // Updates the card after a change, except for a field in use, unless that was undone.
  refresh(isUndone) {
    if (!this.isOpen) return
    if (!this.#moving) this.#moving = requestAnimationFrame(() => this.#place()) // its number may have moved
    const { run, reference } = this.#trail.at(-1)
    const worked = this.#page.writer(run, this.#track)
    const { name, html: lines, exact, isCut, isRounded, given, text } = worked.opened(reference)
    const { ndim, array } = worked.find(reference)
    const was = this.#page.was?.(run, reference, this.#track)
    const field = this.#find("input")
    const typing = field === document.activeElement
    field.dataset.count = array.whole || ""
    const parts = {
      name: said(name),
      exact: `${isCut ? "more " : ""}exactly ${grouped(exact)}${isRounded ? ", unrounded" : ""}`,
      was: was ? `It was ${grouped(was)} with the pencil numbers.` : "",
      origin: given ? "A given number." : "",
    }
    for (const [part, words] of Object.entries(parts)) this.#find(`.${part}`).textContent = words
    fill(this.#find(".pencil-worked"), paragraphs(given && !ndim ? [] : lines.map(groupedLine)))
    this.#refreshMachine(worked, run, reference, ndim, given)
    this.#find("label").hidden = !given || ndim > 1
    this.#find("[data-do=back]").hidden = this.#trail.length < 2
    if (!typing || isUndone) {
      field.value = text
      this.#say("")
      this.#keep()
    }
    for (const number of this.#box.querySelectorAll(".pencil-number")) {
      const local = this.#local(number)
      if (local === reference) continue // the number itself
      number.tabIndex = 0
      number.setAttribute("role", "button")
      number.setAttribute("aria-label", calledBy(worked, local, number))
      number.classList.toggle("given", worked.find(local).array.op === "given")
    }
  }

  // Formats need a separate run, so they are computed when they are shown
  #refreshMachine(worked, run, reference, ndim, given) {
    const machine = this.#find(".machine")
    machine.hidden = Boolean(ndim && given)
    if (!machine.open) return
    const others = () => [...(this.#page.fractions?.rows(run, reference) ?? []), ...worked.inFormats(reference)]
    fill(this.#find(".machine table"), html`${ndim ? "" : others().map(inRow)}`)
    this.#find(".bill").textContent = worked.bill(reference)
  }

  #place() {
    this.#moving = null
    if (this.isOpen) placeBeside(this.#box, this.#beside(), this.#edited?.isConnected ? this.#edited : null)
  }

  #clicked(event) {
    const number = event.target.closest(".pencil-number")
    const action = event.target.closest("[data-do]")?.dataset.do
    if (number) this.#follow(number)
    if (action === "close") this.close()
    if (action === "back") {
      const { reference: left } = this.#trail.pop()
      const { run, reference } = this.#trail.pop()
      this.#go(run, reference)
      const followed = [...this.#box.querySelectorAll("[role=button]")].find((one) => this.#local(one) === left)
      ;(followed ?? this.#box).focus() // the first card has no Back button
    }
    event.stopPropagation()
  }

  #follow(number) {
    const reference = this.#local(number)
    if (reference !== this.#trail.at(-1).reference) this.#go(this.#trail.at(-1).run, reference)
    this.focus()
  }

  // The reference within the run
  #local(number) {
    const { run } = this.#trail.at(-1)
    const whole = number.dataset.value
    return run && whole.startsWith(`${run}.`) ? whole.slice(run.length + 1) : whole
  }

  // Tab cycles within the card; Escape closes it
  #turn(event) {
    const stops = [...this.#box.querySelectorAll("[tabindex='0'], input, button, summary")].filter(
      (stop) => stop.getClientRects().length,
    )
    const edge = event.shiftKey ? stops[0] : stops.at(-1)
    if (![edge, this.#box].includes(event.target) || (event.target === this.#box && !event.shiftKey))
      return false
    ;(event.shiftKey ? stops.at(-1) : stops[0]).focus()
    return true
  }

  #pressed(event) {
    if (event.key === "Escape") this.close()
    else if (event.key === "Tab") {
      if (!this.#turn(event)) return
    } else if (event.target.matches("input") && /^Arrow(Up|Down)$/.test(event.key)) {
      event.target.value = stepped(event.target.value, event) ?? event.target.value
      this.#typed()
    } else if (event.target.matches(".pencil-number") && (event.key === "Enter" || event.key === " "))
      this.#follow(event.target)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #typed() {
    const { run, reference } = this.#trail.at(-1)
    const worked = this.#page.writer(run, this.#track)
    const { length } = worked.places(reference)
    const { value, dataset } = this.#find("input")
    const { values, problem } = readNumbers(value, length, dataset.count)
    this.#say(problem ?? this.#page.change(run, reference, ...values))
  }

  // When a field is left or Enter is pressed: what is refused leaves the numbers as they were
  #settle() {
    const { run, reference } = this.#trail.at(-1)
    if (this.#find(".wrong").textContent) this.#page.change(run, reference, ...this.#before)
    else this.#keep()
  }

  #keep() {
    const { run, reference } = this.#trail.at(-1)
    this.#before = [this.#page.writer(run).find(reference).exact].flat()
  }

  #say(message) {
    this.#find(".wrong").textContent = message
    setInvalid(this.#find("input"), message)
  }
}
