// Binds the elements that show a run's numbers (worked lines, pictures, drawings, numbers in the prose) to the run. An
// element is bound when it is first needed, and updated when a number that it depends on changes.

import { Worked } from "../render/worked.js"
import { drawn } from "./drawn.js"
import { remind } from "./remind.js"

const PLACES = [
  ".pencil-worked[data-show]",
  ".pencil-worked:not([data-show], .pencil-lab *)",
  ".pencil-picture[data-show]",
  ".pencil-drawing [data-paint]",
  ".pencil-number[data-value]:not(.pencil-worked *)",
  "[data-when]",
]

export class Binding {
  #runs
  #home
  #writers = new Map()
  #places = null
  #bound = new Map()
  #reach
  #boundTo
  #inSight = null
  #track // in which worked lines are shown
  #watch = [] // functions that start observing visibility, called once
  #rest

  // home: the element whose contents are bound, or undefined for the page, except for elements with their own runs;
  // prose: the Reach of a page, the `boundTo` of bound.js, and the Queue for what can wait. A lab has none: the prose
  // is not about its numbers, and it is followed at once
  constructor(runs, home, { reach, boundTo = drawn, Queue } = {}) {
    this.#runs = runs
    this.#home = home
    this.#reach = reach
    this.#boundTo = (place) => boundTo(place, (reference) => this.whose(reference))
    this.#rest = Queue && new Queue((part) => (part instanceof Element ? this.#follow(part) : part()))
  }

  writer(run, track = "paper", whole = undefined) {
    return this.#writer(run, track, whole, this.#runs.get(run).sheet)
  }

  // The same for the original numbers, ignoring changes
  #before({ run, track = "paper", whole }) {
    return this.#writer(run, track, whole, this.#runs.get(run).began)
  }

  #began = (one) => this.#before(one)
  #current = ({ run, track, whole }) => this.writer(run, track, whole)

  // What a bound part writes, and the names that it read of its run; a claim may read other runs as well
  #reading(one, writerOf) {
    return writerOf(one).reading((worked) => one.write(worked, (run) => writerOf({ run })))
  }

  #writer(run, track, whole, sheet) {
    const { data, sheet: now } = this.#runs.get(run)
    const key = `${run} ${track} ${whole} ${sheet === now}`
    if (!this.#writers.has(key))
      this.#writers.set(key, new Worked({ ...data, track, whole: whole ?? data.whole }, sheet))
    return this.#writers.get(key)
  }

  // How a value is written with the original numbers; "" if that is how it is written now
  was(run, reference, track) {
    const written = this.#before({ run, track }).row(reference)
    return written === this.writer(run, track).row(reference) ? "" : written
  }

  // "swapped.nolan.query" -> the run "swapped", and the name of the value within it
  whose(reference) {
    const [first, ...rest] = reference.split(".")
    const run = this.#runs.get(first) && rest.length ? first : ""
    const local = run ? rest.join(".") : reference
    try {
      this.writer(run).find(local)
      return { run, reference: local }
    } catch {
      return null // a figure or a year, which has no run
    }
  }

  // The elements of a kind, except for those of labs and cards, which have their own runs.
  find(kind) {
    if (this.#home) return [...this.#home.querySelectorAll(kind)]
    return [...document.querySelectorAll(`article :is(${kind}):not(.pencil-lab *, .pencil-card *)`)]
  }

  get places() {
    return (this.#places ??= this.find(PLACES.join()))
  }

  // The bound parts of an element, binding it if necessary.
  at(place) {
    if (!this.#bound.has(place)) this.#bound.set(place, this.#bind(place))
    return this.#bound.get(place)
  }

  #bind(place) {
    const found = []
    for (const one of this.#boundTo(place)) {
      const [before, names] = this.#reading(one, this.#began)
      if (one.stands && !one.stands(before)) continue
      found.push({ ...one, before, now: before, names, version: 0 })
      if (one.stands) break
    }
    if (this.#track) found.forEach((one) => this.#turn(one))
    return found
  }

  // Show worked lines in another track; undefined for paper
  turnTo(track) {
    this.#track = track
    for (const sheet of this.find(PLACES[0])) this.at(sheet).forEach((one) => this.#turn(one))
  }

  // Lines with an explicit track keep it
  #turn(one) {
    if (!one.open || one.element.dataset.track) return
    one.track = this.#track
    if (this.#track) one.element.dataset.turned = this.#track
    else delete one.element.dataset.turned
    one.before = this.#reading(one, this.#began)[0]
    one.version = 0
    const [now, names] = this.#reading(one, this.#current)
    Object.assign(one, { names })
    put(one, now)
  }

  // Make the numbers of worked lines interactive. -> whether the lines are bound to their run
  open(sheet) {
    const [lines] = this.at(sheet)
    lines?.open(lines.now)
    return Boolean(lines)
  }

  // Lines are recognized by their text, so this has to run before anything else changes it
  bindLines() {
    this.find(PLACES[0]).forEach((sheet) => this.at(sheet))
  }

  openAll() {
    this.find(PLACES[0]).forEach((sheet) => this.open(sheet))
  }

  // Update visible elements at once, the rest when the browser is idle.
  follow() {
    const isInSight = (place) => this.#inSight?.has(blockOf(place)) ?? true
    this.places.filter(isInSight).forEach((place) => this.#follow(place))
    this.#rest.put([...this.#watch, ...this.places, () => this.#showReach()])
  }

  // Update everything at once.
  followAll() {
    this.places.forEach((place) => this.#follow(place))
    this.#showReach()
  }

  #showReach() {
    this.#reach?.show(this.#runs.changes.length > 0)
  }

  // Show the original numbers in elements that were drawn from another run with the same names.
  begin() {
    for (const place of this.places) {
      const { value } = place.dataset
      if (value) place.textContent = this.#before(this.whose(value)).row(value)
      else this.#boundTo(place).forEach((one) => one.put(this.#reading(one, this.#began)[0]))
    }
  }

  // Bind in idle time, before the first change. Visibility comes from an IntersectionObserver; measuring it at each
  // change would force a layout, also of folded parts.
  bindWhenIdle() {
    const observer = new IntersectionObserver((found) => {
      this.#inSight ??= new Set()
      for (const { target, isIntersecting } of found) this.#inSight[isIntersecting ? "add" : "delete"](target)
    })
    const watch = () => {
      new Set(this.places.map(blockOf)).forEach((block) => observer.observe(block))
      this.#watch = []
    }
    this.#watch = [watch]
    this.#rest.put([watch, ...this.places, ...this.#runs.all.map((run) => () => run.prepare())])
  }

  // Resolves when the whole page has been updated.
  settled() {
    return this.#rest.settled()
  }

  #follow(place) {
    const followed = this.at(place).filter((one) => {
      const run = this.#runs.get(one.run)
      if (!run.isNewer(one.names, one.version)) return false
      const [now, names] = this.#reading(one, this.#current)
      Object.assign(one, { names, version: run.version })
      return put(one, now)
    })
    if (followed.length) this.#reach?.put(place, this.at(place).some(isChanged))
  }
}

const isChanged = ({ now, before }) => now !== before

// -> whether the text has changed
function put(one, now) {
  if (now === one.now) return false
  one.now = now
  if (now === one.before && one.restore) one.restore()
  else one.put(now)
  const isChanged = now !== one.before
  one.element?.classList.toggle("changed", isChanged)
  if (one.element?.closest(".roomy")) remind(one.element, isChanged && one.before)
  return true
}

const blocks = new WeakMap() // a cache, since it is needed for each element at each change
function blockOf(place) {
  if (!blocks.has(place))
    blocks.set(place, place.closest(".pencil-worked, .pencil-drawing, .pencil-picture") ?? place.parentElement)
  return blocks.get(place)
}
