// The live page. Every number that a run has made can be opened down to the given ones; a given number can be
// changed, and all that follows from it is written anew: worked lines, pictures, and the bound numbers of the prose.

import { Binding, NUMBERS } from "./binding.js"
import { Card } from "./card.js"
import { Lab } from "./lab.js"
import { readFragment, writeFragment } from "./reading.js"
import { Runs, tried } from "./runs.js"
import { Writer } from "./writer.js"

// Called once by the page's script.
export function start(doc) {
  const store = doc.getElementById("pencil-runs")
  return store ? new Page(doc, JSON.parse(store.textContent)) : null
}

class Page {
  #doc; #runs; #binding; #bound = null; #card; #labs = []; #keys = false; #reading = false; #soon

  constructor(doc, data) {
    this.#doc = doc
    this.#runs = new Runs(data)
    this.#binding = new Binding(doc, this.#runs)
    this.#card = new Card(doc)
    this.bar = this.#makeBar()
    doc.documentElement.classList.add("pencil-live")
    doc.addEventListener("click", (event) => this.#clicked(event))
    doc.addEventListener("keydown", (event) => this.#pressed(event))
    doc.defaultView.addEventListener("beforeprint", () => this.#write(true))
    doc.defaultView.addEventListener("afterprint", () => this.#write())
    this.#addDoor()
    this.writers = [...doc.querySelectorAll(".pencil-writer")].map((box) => new Writer(box))
    this.#labs = [...doc.querySelectorAll(".pencil-lab:not(.pencil-writer)")].map((box) => new Lab(box, JSON.parse(box.querySelector("script").textContent), this.#card, () => this.#saveSoon()))
    doc.defaultView.addEventListener("hashchange", () => this.#readLink())
    this.#readLink()
  }

  // The numbers of a run that will not follow a change, as their references: sizes, which no change moves.
  get still() {
    const bound = new Set(this.#all.map(({ element }) => element)), numbers = [...this.#doc.querySelectorAll(NUMBERS)]
    return numbers.filter((n) => !bound.has(n) && !bound.has(n.closest(".pencil-worked")) && this.#binding.whose(n.dataset.value)).map((n) => `${n.dataset.value}: ${n.textContent}`)
  }

  get #all() { return (this.#bound ??= this.#binding.all()) }

  // ---- changes

  // Puts a number in the place of a given one. -> what is wrong, or ""
  change(run, reference, value) {
    const { name, place } = this.#binding.writer(run).find(reference)
    const problem = this.#all && tried(() => this.#runs.set(run, name, place, value))
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
    this.#doc.dispatchEvent(new Event("pencil-change"))
  }

  #makeBar() { // what it says is said in a place of its own, which is always there: only so is it read aloud
    const { body } = this.#doc, bar = this.#doc.createElement("section"), said = this.#doc.createElement("p")
    bar.className = "pencil-changed"
    bar.setAttribute("aria-label", "Your numbers")
    bar.hidden = true
    bar.innerHTML = '<span></span><button type="button">Back to the pencil numbers</button>'
    bar.lastChild.addEventListener("click", () => this.reset())
    said.className = "pencil-said"
    said.setAttribute("role", "status")
    body.append(said, bar)
    return { bar, said }
  }

  #say(words = "") {
    const { bar, said } = this.bar, { changes } = this.#runs, count = changes.length
    const one = ({ run, name, place }) => `${this.#binding.writer(run).named(name, place)} is yours, and all that follows from it`
    const yours = `${count === 1 ? one(changes[0]) : `${count} numbers on this page are yours, and all that follows from them`}. Sums written out in a sentence stay.`
    said.textContent = words || (count ? yours : bar.hidden ? "" : "The pencil numbers are back.")
    bar.firstChild.textContent = yours
    bar.hidden = count === 0
    this.#doc.documentElement.classList.toggle("pencil-yours", count > 0)
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
    const { location, history } = this.#doc.defaultView, fragment = writeFragment([...this.#runs.changes, ...this.#labs.flatMap((lab) => lab.changes)])
    history.replaceState(null, "", fragment || location.pathname + location.search)
  }

  #readLink() { // numbers that break a sum are not taken: what stood here stays
    const changes = readFragment(decode(this.#doc.defaultView.location.hash))
    if (!changes) return
    this.#reading = true
    const of = (lab) => changes.filter(({ run }) => run === lab.name), rest = changes.filter(({ run }) => !this.#labs.some(({ name }) => name === run))
    const problems = [this.#all && tried(() => this.#runs.replace(rest)), ...this.#labs.map((lab) => lab.take(of(lab)))]
    this.#write()
    this.#reading = false
    if (problems.some(Boolean)) {
      this.#saveLink()
      this.#say("The numbers of this link break a sum of this page, so they were not taken.")
    }
    const changed = this.#labs.find((lab) => of(lab).length)?.box
    ;(this.#doc.querySelector("article .changed:not(.pencil-lab *)") ?? changed)?.scrollIntoView({ block: "center" })
  }

  // ---- what the kata marks by

  // A run's value on both tracks, as it stands now; and its worked lines, as HTML.
  value(run, name) { return this.#runs.get(run).sheet.values.get(name) }

  lines(run, reference) { return this.#binding.writer(run).html(reference) }

  // ---- opening

  opened(run, reference, track) { return this.#binding.writer(run, track).opened(reference) }

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
    const whose = this.#binding.whose(number.dataset.value)
    if (!whose || !this.#binding.writer(whose.run).isNumber(whose.reference)) return false
    if (sheet && !this.#all.some(({ element }) => element === sheet)) return false
    this.#card.open(number, whose.run, whose.reference, this)
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
