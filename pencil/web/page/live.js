// The interactive page. Every number of a run opens a card that leads back to the inputs; inputs can be changed, and
// worked lines, pictures and bound numbers of the prose are updated.

import { dataOf } from "../engine/data.js"
import { html } from "../render/element.js"
import { Address } from "./address.js"
import { Binding } from "./binding.js"
import { boundTo } from "./bound.js"
import { Card, calledBy, trackOf } from "./card.js"
import { fractionsOf } from "./fractions.js"
import { Queue } from "./idle.js"
import { Keys } from "./keys.js"
import { startPaper } from "./paper.js"
import { Reach } from "./reach.js"
import { mute, standAbove } from "./restyle.js"
import { Runs, tried, yours } from "./runs.js"
import { Undo } from "./undo.js"

const OF_THE_PENCIL = "Words beside a dashed line were written for the pencil numbers."
const BROKEN = "The numbers of this link break a sum of this page, so they were not taken."
const IS_SPELLED = /[/ln]/ // 14/3 or ln 2, in lines that Python alone writes
const BAR =
  html`<p class="pencil-said" role="status"></p><section class="pencil-changed" aria-label="Your numbers" hidden
><span></span><span>${OF_THE_PENCIL}</span><p><label>On paper
<select><option>my numbers</option><option>pencil numbers</option></select></label>
<button type="button">Undo</button>
<button type="button">Back to the pencil numbers</button></p></section>`

// Called once by the page's script. Lab: the class of labs, without those with a trained model. -> null on a page
// without runs
export function startPage(Lab) {
  const store = document.getElementById("pencil-runs")
  return store ? new Page(dataOf(store), Lab) : null
}

class Page {
  runs
  fractions = fractionsOf(this)
  #card
  #labs = []
  #keys = new Keys({
    openAll: () => this.binding.openAll(),
    open: (number) => this.#open(number) && this.#card.focus(),
    called: (number) => this.#called(number),
  })
  #address = new Address(() => this.changes, (link) => this.#take(link))
  #undo
  #mute = () => mute(this.#card.isOpen, this.runs.changes.length > 0)

  constructor(data, Lab) {
    this.runs = new Runs(data)
    this.binding = new Binding(this.runs, undefined, { reach: new Reach(), boundTo, Queue })
    this.#card = new Card(undefined, this.#mute)
    this.bar = this.#makeBar()
    document.documentElement.classList.add("pencil-live")
    for (const type of ["pointerover", "focusin"])
      document.addEventListener(type, ({ target }) => this.#pointed(target))
    document.addEventListener("click", (event) => this.#clicked(event))
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#card.isOpen) this.#card.close()
      else this.#keys.pressed(event)
    })
    startPaper(this)
    this.#labs = [...document.querySelectorAll(".pencil-lab:not([data-script])")].map((box) => {
      const state = dataOf(box.querySelector("script"))
      return new Lab(box, state, this.#card, () => this.#changedOne(), () => this.#undo.back())
    })
    this.#undo = new Undo(() => this.changes, (changes) => this.restore(changes))
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
      this.#changedOne()
    }
    return problem
  }

  // A number of the page or of a lab
  #changedOne() {
    this.#undo?.note()
    this.#address.saveSoon()
  }

  // The address of the page with the numbers of now.
  address() {
    this.#address.save()
    return location.href
  }

  // Update the page and tell the exercises
  #changed({ all, isUndone } = {}) {
    if (all) this.binding.followAll()
    else this.binding.follow()
    this.#card.refresh(isUndone)
    this.#say()
    document.dispatchEvent(new Event("pencil-change"))
  }

  // A live region has to exist before its text changes, or screen readers do not announce it
  #makeBar() {
    const { body } = document
    body.insertAdjacentHTML("beforeend", BAR)
    const bar = body.lastElementChild
    const [undo, reset] = bar.querySelectorAll("button")
    undo.onclick = () => this.#undo.back()
    reset.onclick = () => this.reset()
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
    this.#undo.begin()
    this.#changed({ all: true })
    this.#changedOne()
    this.#address.save()
    this.#keys.door?.focus({ preventScroll: true }) // the focused button has been removed
  }

  // Brings back the changes before a step.
  restore(changes) {
    const inBar = this.bar.bar.contains(document.activeElement)
    for (const lab of this.#labs) {
      const own = changes.filter(({ run }) => run === lab.name)
      if (JSON.stringify(own) !== JSON.stringify(lab.changes)) lab.take(own)
    }
    this.runs.replace(changes.filter(({ run }) => this.runs.get(run)))
    this.#changed({ isUndone: true })
    this.#address.save()
    if (inBar && this.bar.bar.hidden) this.#keys.door?.focus({ preventScroll: true })
  }

  // Of the page and of its labs
  get changes() {
    return [...this.runs.changes, ...this.#labs.flatMap((lab) => lab.changes)]
  }

  // The numbers of a link. If the run fails, the previous ones stay
  #take({ asked, changes, at }) {
    const labOf = ({ run }) => this.#labs.find(({ name }) => name === run)
    const of = (lab) => changes.filter(({ run }) => run === lab.name)
    const rest = changes.filter((change) => !labOf(change))
    const problems = [tried(() => this.runs.replace(rest)), ...this.#labs.map((lab) => lab.take(of(lab)))]
    this.#undo.begin()
    this.#changed({ all: true })
    this.#undo.note()
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
    const place = at && document.getElementById(at)
    if (place) place.scrollIntoView()
    else changed?.scrollIntoView({ block: "center" })
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
    const [worked, reference] = this.#writing(number)
    if (!reference) return
    const { exact, more, labelled } = worked.described(reference)
    put(number, "data-label", labelled)
    put(number, "data-exact", (more || IS_SPELLED.test(number.textContent)) && exact)
  }

  // What writes a number, and its reference there; [] for one without a run
  #writing(number) {
    const { value } = number.dataset
    const lab = this.#labOf(number)
    const { run, reference } = (lab ? { reference: value } : this.binding.whose(value)) ?? {}
    return reference ? [(lab ?? this).writer(run, trackOf(number)), reference] : []
  }

  #called(number) {
    const [worked, reference] = this.#writing(number)
    return worked ? calledBy(worked, reference, number) : number.textContent
  }

  get door() {
    return this.#keys.door
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
}

function put(element, attribute, value) {
  if (value) element.setAttribute(attribute, value)
  else element.removeAttribute(attribute)
}
