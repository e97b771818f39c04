// The live page. Every number that a run has made can be opened down to the given ones; a given number can be
// changed, and all that follows from it is written anew: worked lines, pictures, and the bound numbers of the prose.

import { Binding } from "./binding.js"
import { Card } from "./card.js"
import { DigitsLab } from "./digits.js"
import { Lab } from "./lab.js"
import { readFragment, writeFragment } from "./reading.js"
import { Runs, tried, yours } from "./runs.js"
import { WriterLab } from "./writer.js"

const BAR = `<p class="pencil-said" role="status"></p><section class="pencil-changed" aria-label="Your numbers" hidden><span></span><button type="button">Back to the pencil numbers</button></section>`
const DOOR = `<button type="button" class="pencil-door">Open the numbers: arrows move, Enter opens, Escape leaves</button>`

// Called once by the page's script.
export function start() {
  const store = document.getElementById("pencil-runs")
  return store ? new Page(JSON.parse(store.textContent)) : null
}

class Page {
  #runs; #bound = null; #card; #labs = []; #keys = false; #reading = false; #soon

  constructor(data) {
    this.#runs = new Runs(data)
    this.binding = new Binding(this.#runs)
    this.#card = new Card()
    this.bar = this.#makeBar()
    document.documentElement.classList.add("pencil-live")
    document.addEventListener("click", (event) => this.#clicked(event))
    document.addEventListener("keydown", (event) => this.#pressed(event))
    addEventListener("beforeprint", () => this.#write(true))
    addEventListener("afterprint", () => this.#write())
    this.#addDoor()
    this.carried = [...document.querySelectorAll("[data-script]")].map((box) => new (box.matches(".pencil-writer") ? WriterLab : DigitsLab)(box))
    this.#labs = [...document.querySelectorAll(".pencil-lab:not([data-script])")].map((box) => new Lab(box, JSON.parse(box.querySelector("script").textContent), this.#card, () => this.#saveSoon()))
    addEventListener("hashchange", () => this.#readLink())
    this.#readLink()
  }

  // What follows a change.
  get bound() { return (this.#bound ??= this.binding.all()) }

  // ---- changes

  // Puts a number in the place of a given one. -> what is wrong, or ""
  change(run, reference, value) {
    const { name, place } = this.binding.writer(run).find(reference)
    const problem = this.bound && tried(() => this.#runs.apply([{ run, name, place, value }]))
    if (!problem) {
      this.#write()
      this.#saveLink()
    }
    return problem
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
    document.dispatchEvent(new Event("pencil-change"))
  }

  #makeBar() { // what it says is said in a place of its own, which is always there: only so is it read aloud
    const { body } = document
    body.insertAdjacentHTML("beforeend", BAR)
    const bar = body.lastElementChild
    bar.lastChild.onclick = () => this.reset()
    return { bar, said: bar.previousElementSibling }
  }

  #say(words = "") {
    const { bar, said } = this.bar, { changes } = this.#runs, count = changes.length
    const called = () => this.binding.writer(changes[0].run).named(changes[0].name, changes[0].place)
    const now = `${yours(count, called, " on this page")} Sums written out in a sentence stay.`
    said.textContent = words || (count ? now : bar.hidden ? "" : "The pencil numbers are back.")
    bar.firstChild.textContent = now
    bar.hidden = count === 0
    document.documentElement.classList.toggle("pencil-yours", count > 0)
  }

  // The page as it was built.
  reset() {
    this.#runs.reset()
    this.#write()
    this.#saveLink()
    this.door?.focus({ preventScroll: true }) // the button is gone
  }

  #saveSoon() { // a drag makes many changes, and a browser minds an address that changes with each
    clearTimeout(this.#soon)
    this.#soon = setTimeout(() => this.#saveLink(), 150)
  }

  #saveLink() {
    if (this.#reading) return
    const fragment = writeFragment([...this.#runs.changes, ...this.#labs.flatMap((lab) => lab.changes)])
    history.replaceState(null, "", fragment || location.pathname + location.search)
  }

  #readLink() { // numbers that break a sum are not taken: what stood here stays
    const changes = readFragment(decode(location.hash))
    if (!changes) return
    this.#reading = true
    const of = (lab) => changes.filter(({ run }) => run === lab.name), rest = changes.filter(({ run }) => !this.#labs.some(({ name }) => name === run))
    const problems = [this.bound && tried(() => this.#runs.replace(rest)), ...this.#labs.map((lab) => lab.take(of(lab)))]
    this.#write()
    this.#reading = false
    if (problems.some(Boolean)) {
      this.#saveLink()
      this.#say("The numbers of this link break a sum of this page, so they were not taken.")
    }
    const changed = this.#labs.find((lab) => of(lab).length)?.box
    ;(document.querySelector("article .changed:not(.pencil-lab *)") ?? changed)?.scrollIntoView({ block: "center" })
  }

  // ---- what the kata marks by

  // A run's value on both tracks, as it stands now; and its worked lines, as HTML.
  value(run, name) { return this.#runs.get(run).sheet.values.get(name) }

  lines(run, reference) { return this.binding.writer(run).html(reference) }

  // ---- opening

  opened(run, reference, track) { return this.binding.writer(run, track).opened(reference) }

  #clicked(event) {
    const number = event.target.closest?.(".pencil-number[data-value]")
    if (number && this.#open(number)) return
    if (!event.target.closest?.(".pencil-card")) this.#card.close()
  }

  #open(number) {
    const lab = this.#labs.find(({ box }) => box.contains(number)), sheet = number.closest(".pencil-worked[data-show]")
    if (lab) {
      lab.open(number)
      return true
    }
    const whose = this.binding.whose(number.dataset.value)
    if (!whose || !this.binding.writer(whose.run).isNumber(whose.reference)) return false
    if (sheet && !this.bound.some(({ element }) => element === sheet)) return false
    this.#card.open(number, whose.run, whose.reference, this)
    return true
  }

  // ---- the keyboard: a door that only the keyboard finds, and arrows from number to number behind it

  #addDoor() {
    const title = document.querySelector("article h1")
    title?.insertAdjacentHTML("afterend", DOOR)
    this.door = title?.nextElementSibling
    this.door?.addEventListener("click", (event) => {
      event.stopPropagation()
      this.#keys = true
      this.#stand(this.#numbers()[0])
    })
  }

  #numbers() { return [...document.querySelectorAll("article .pencil-number[data-value]")].filter((n) => !n.closest(".pencil-card") && n.getClientRects().length) }

  #stand(number) { // where the keyboard is, a number says that it can be opened
    if (!number) return
    number.tabIndex = -1
    number.setAttribute("role", "button")
    number.setAttribute("aria-haspopup", "dialog")
    number.addEventListener("blur", () => ["role", "aria-haspopup"].forEach((name) => number.removeAttribute(name)), { once: true })
    number.focus()
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

function decode(fragment) {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return ""
  }
}
