// The interactive page. Every number of a run opens a card that leads back to the inputs; inputs can be changed, and
// worked lines, pictures and bound numbers of the prose are updated.

import { dataOf } from "../engine/data.js"
import { Address } from "./address.js"
import { Binding } from "./binding.js"
import { Card, trackOf } from "./card.js"
import { claim } from "./claims.js"
import { fractionsOf } from "./fractions.js"
import { Queue } from "./idle.js"
import { Reach } from "./reach.js"
import { mute, standAbove } from "./restyle.js"
import { Runs, tried, yours } from "./runs.js"

const OF_THE_PENCIL = "Words beside a dashed line were written for the pencil numbers."
const BROKEN = "The numbers of this link break a sum of this page, so they were not taken."
const BAR =
  '<p class="pencil-said" role="status"></p><section class="pencil-changed" aria-label="Your numbers" hidden>' +
  `<span></span><span>${OF_THE_PENCIL}</span><button type="button">Back to the pencil numbers</button></section>`
const DOOR =
  '<button type="button" class="pencil-door">Open the numbers: arrows move, Enter opens, Escape leaves</button>'

// Called once by the page's script. Lab: the class of ordinary labs; exported: {selector: class} of labs with a trained
// model. -> null on a page without runs
export function startPage(Lab, exported) {
  const store = document.getElementById("pencil-runs")
  return store ? new Page(dataOf(store), Lab, exported) : null
}

class Page {
  runs
  fractions = fractionsOf(this)
  #card
  #labs = []
  #keys = false
  #address = new Address(() => this.#changes, (link) => this.#take(link))
  #mute = () => mute(this.#card.isOpen, this.runs.changes.length > 0)

  constructor(data, Lab, exported) {
    this.runs = new Runs(data)
    this.binding = new Binding(this.runs, undefined, { reach: new Reach(), claim, Queue })
    this.#card = new Card(undefined, this.#mute)
    this.bar = this.#makeBar()
    document.documentElement.classList.add("pencil-live")
    document.addEventListener("pointerdown", ({ target }) => touch(target.closest?.(".pencil-number")))
    for (const type of ["pointerover", "focusin"])
      document.addEventListener(type, ({ target }) => this.#pointed(target))
    document.addEventListener("click", (event) => this.#clicked(event))
    document.addEventListener("keydown", (event) => this.#pressed(event))
    addEventListener("beforeprint", () => this.binding.restore())
    addEventListener("afterprint", () => this.binding.followAll())
    this.#addDoor()
    this.exported = Object.entries(exported).flatMap(([selector, Exported]) =>
      [...document.querySelectorAll(selector)].map((box) => new Exported(box)),
    )
    this.#labs = [...document.querySelectorAll(".pencil-lab:not([data-script])")].map((box) => {
      const state = dataOf(box.querySelector("script"))
      return new Lab(box, state, this.#card, () => this.#address.saveSoon())
    })
    this.#address.read()
    this.binding.bindWhenIdle()
  }

  // ---- changes

  // Replaces inputs: a number, or a row. -> error message, or ""
  change(run, reference, ...values) {
    const writer = this.binding.writer(run)
    const { name } = writer.find(reference)
    const changes = writer.places(reference).map((place, k) => ({ run, name, place, value: values[k] }))
    const problem = tried(() => this.runs.apply(changes))
    if (!problem) {
      this.#changed()
      this.#address.saveSoon()
    }
    return problem
  }

  // Update the page and tell the exercises
  #changed({ all } = {}) {
    if (all) this.binding.followAll()
    else this.binding.follow()
    this.#card.refresh()
    this.#say()
    document.dispatchEvent(new Event("pencil-change"))
  }

  // A live region has to exist before its text changes, or screen readers do not announce it
  #makeBar() {
    const { body } = document
    body.insertAdjacentHTML("beforeend", BAR)
    const bar = body.lastElementChild
    bar.lastChild.onclick = () => this.reset()
    standAbove(bar)
    return { bar, said: bar.previousElementSibling }
  }

  // words: a message about a link
  #say(words = "") {
    const { bar, said } = this.bar
    const { changes } = this.runs
    const count = changes.length
    const called = () => this.binding.writer(changes[0].run).named(changes[0].name, changes[0].place)
    const now = words || (count ? yours(count, called, " on this page") : "")
    const more = count ? ` ${OF_THE_PENCIL}` : ""
    said.textContent = now ? now + more : bar.hidden ? "" : "The pencil numbers are back."
    bar.firstChild.textContent = now
    bar.hidden = !now
    document.documentElement.classList.toggle("pencil-yours", count > 0)
    this.#mute()
  }

  // Restores the original numbers.
  reset() {
    this.runs.reset()
    this.#changed({ all: true })
    this.#address.save()
    this.door?.focus({ preventScroll: true }) // the focused button has been removed
  }

  // Of the page and of its labs
  get #changes() {
    return [...this.runs.changes, ...this.#labs.flatMap((lab) => lab.changes)]
  }

  // The numbers of a link. If the run fails, the previous ones stay
  #take({ asked, changes }) {
    const labOf = ({ run }) => this.#labs.find(({ name }) => name === run)
    const of = (lab) => changes.filter(({ run }) => run === lab.name)
    const rest = changes.filter((change) => !labOf(change))
    const problems = [tried(() => this.runs.replace(rest)), ...this.#labs.map((lab) => lab.take(of(lab)))]
    this.#changed({ all: true })
    const has = ({ run, name, place }) => place < this.runs.get(run)?.pencil.get(name)?.length
    const taken = changes.filter((change) => labOf(change)?.has(change) ?? has(change)).length
    const lost = taken < asked && `${taken} of ${asked} numbers of the link can be read.`
    const words = problems.some(Boolean) ? BROKEN : lost
    if (words) {
      this.#address.save()
      this.#say(words)
    }
    const changedLab = this.#labs.find((lab) => of(lab).length)?.box
    const changed = document.querySelector("article .changed:not(.pencil-lab *)") ?? changedLab
    changed?.scrollIntoView({ block: "center" })
  }

  // ---- for marking exercises

  // The current value of a run on both tracks; its worked lines as HTML.
  value(run, name) {
    return this.runs.get(run).sheet.values.get(name)
  }

  // The sheet of a run, which knows what a value would be with others before it.
  sheet(run) {
    return this.runs.get(run).sheet
  }

  lines(run, reference, track) {
    return this.binding.writer(run, track).html(reference)
  }

  // ---- opening cards

  // Make the numbers of a line interactive before a tap, and fetch the tooltip when one is pointed at
  #pointed(target) {
    this.#mute()
    const sheet = target.closest?.(".pencil-worked[data-show]")
    if (sheet) this.binding.open(sheet)
    const number = target.closest?.(
      ":is(.pencil-worked, .pencil-picture, .pencil-drawing li) .pencil-number[data-value]",
    )
    if (!number || number.closest(".pencil-card")) return
    const { value } = number.dataset
    const lab = this.#labOf(number)
    const { run, reference } = (lab ? { reference: value } : this.binding.whose(value)) ?? {}
    if (!reference) return
    const { exact, more, labelled } = (lab ?? this).writer(run, trackOf(number)).described(reference)
    put(number, "data-label", labelled)
    put(number, "data-exact", more && exact)
  }

  #labOf(number) {
    return this.#labs.find(({ box }) => box.contains(number))
  }

  writer(run, track) {
    return this.binding.writer(run, track)
  }

  was(run, reference, track) {
    return this.runs.changes.length ? this.binding.was(run, reference, track) : ""
  }

  #clicked(event) {
    const { target, clientX, clientY } = event
    // On a touch screen the same tap may have made the line interactive
    const tapped = target.matches?.(".pencil-worked, .pencil-worked p") && document.elementFromPoint(clientX, clientY)
    const number = (tapped || target).closest?.(".pencil-number[data-value]")
    // Focus the field of an input; not on touch, where the keyboard would cover the page
    if (number && this.#open(number)) return event.pointerType === "touch" || this.#card.focus()
    if (!event.target.closest?.(".pencil-card")) this.#card.close()
  }

  #open(number) {
    const lab = this.#labOf(number)
    const sheet = number.closest(".pencil-worked[data-show]")
    if (lab) {
      lab.open(number)
      return true
    }
    const whose = this.binding.whose(number.dataset.value)
    if (!whose) return false
    if (sheet && !this.binding.open(sheet)) return false
    this.#card.open(number, whose.run, whose.reference, this)
    return true
  }

  // ---- keyboard: a button that is visible on focus only, from which arrow keys move between numbers

  #addDoor() {
    const title = document.querySelector("article h1")
    title?.insertAdjacentHTML("afterend", DOOR)
    this.door = title?.nextElementSibling
    this.door?.addEventListener("click", (event) => {
      event.stopPropagation()
      this.binding.openAll()
      this.#keys = true
      this.#stand(this.#numbers()[0])
    })
  }

  #numbers() {
    return [...document.querySelectorAll("article .pencil-number[data-value]")].filter(
      (n) => !n.closest(".pencil-card") && n.getClientRects().length,
    )
  }

  // The focused number is described as one that can be opened
  #stand(number) {
    if (!number) return
    touch(number)
    const said = { role: "button", "aria-haspopup": "dialog" }
    for (const [name, value] of Object.entries(said)) number.setAttribute(name, value)
    number.onblur = () => Object.keys(said).forEach((name) => number.removeAttribute(name))
    number.focus()
  }

  #pressed(event) {
    if (event.key === "Escape" && this.#card.isOpen) return this.#card.close()
    if (!this.#keys || !event.target.matches?.(".pencil-number")) return
    const all = this.#numbers()
    const at = all.indexOf(event.target)
    const to = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (to !== undefined) this.#stand(all[Math.max(0, Math.min(all.length - 1, to))])
    else if (event.key === "Enter" || event.key === " ") this.#open(event.target) && this.#card.focus()
    else if (event.key === "Escape") {
      this.#keys = false
      this.door.focus()
    } else return
    event.preventDefault()
  }
}

// Focusable, but not in the Tab order
function touch(number) {
  if (number) number.tabIndex = -1
}

function put(element, attribute, value) {
  if (value) element.setAttribute(attribute, value)
  else element.removeAttribute(attribute)
}
