// The reader's progress: solved questions, and when to repeat those with mistakes. Stored in this browser only; it can
// be cleared, exported and imported.

import { parsed } from "../engine/data.js"

const KEPT = "pencil.exercises"
const ASIDE = "pencil.exercises.aside" // what was stored in a format that is not known here, such as a newer one
const PROBE = "pencil.probe" // a key for testing whether storage works
const FORMAT = "transformers-by-pencil kata 1"
const MOST = 2_000 // maximum number of questions, and of timed worksheets
export const LONGEST = 1_000_000 // characters of an import; more than the maximum progress needs
const TITLE = 80 // characters of a question's title
const NAME = /^\d\d[a-z]?:[a-z0-9]+(?:-[a-z0-9]+)*$/
const TOPIC = /^[a-z]{2,20}$/

const isCount = (x) => Number.isInteger(x) && x >= 0 && x <= 1e9
export const isSeed = (x) => Number.isInteger(x) && x >= 0 && x < 2 ** 32
const isDay = (day) => typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day)
const isTitle = (asks) => asks === undefined || (typeof asks === "string" && asks.length <= TITLE)
const isDue = ({ due, gap, asks }) => due === undefined || (isDay(due) && isCount(gap) && isTitle(asks))
const isEntry = ([name, entry]) =>
  NAME.test(name) && typeof entry?.solved === "boolean" && isCount(entry.tries) && isDue(entry)
const isTime = (time) =>
  typeof time?.topic === "string" &&
  TOPIC.test(time.topic) &&
  isSeed(time.seed) &&
  isCount(time.seconds) &&
  isDay(time.day)
const GAPS = [1, 3, 9] // days until a question is repeated: after a mistake, and after each success

// The local date, plus some days.
export function dayIn(days = 0, now = new Date()) {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, "0")).join("-")
}

export class Progress {
  #store
  #holds = true
  #entries = {}
  #times = []
  #comesBack = true
  #listeners = []

  // store: kept(key) returns the text or null; keep(key, text) stores it, or removes it for null, and returns whether
  // that succeeded. If storage fails, progress is lost with the page
  constructor(store) {
    this.#store = store
    this.#refresh()
  }

  // Reload, since another tab may have written
  #refresh() {
    const text = this.#holds ? this.#store.kept(KEPT) : null
    const kept = text && parse(text)
    if (text && !kept) this.#holds = this.#store.keep(ASIDE, text) // before it is written over
    if (!kept) return
    this.#entries = kept.entries // what is valid is kept, whatever else is in the store
    this.#times = kept.times
    this.#comesBack = kept.comesBack
  }

  // Another page has stored something under this key; null for all keys.
  heed(key) {
    if (key !== null && key !== KEPT) return
    this.#refresh()
    this.#tell()
  }

  #tell() {
    this.#listeners.forEach((tell) => tell())
  }

  // Sets an entry as the newest: the oldest go where there are too many
  #set(name, entry) {
    delete this.#entries[name]
    this.#entries[name] = entry
  }

  #save() {
    this.#entries = Object.fromEntries(this.entries.slice(-MOST))
    this.#holds &&= this.#store.keep(KEPT, this.text) // if storage fails, this page still has the progress
    this.#tell()
  }

  get isKept() {
    return this.#holds && this.#store.keep(PROBE, "") && this.#store.keep(PROBE, null)
  }

  get text() {
    const off = this.#comesBack ? {} : { comesBack: false }
    return JSON.stringify({ format: FORMAT, entries: this.#entries, times: this.#times, ...off }, null, 1)
  }

  get entries() {
    return Object.entries(this.#entries)
  }

  get times() {
    return [...this.#times]
  }

  onChange(tell) {
    this.#listeners.push(tell)
  }

  isSolved(name) {
    return this.#entries[name]?.solved === true
  }

  // Records an attempt; a solved question stays solved. After a mistake it is repeated tomorrow, and later after
  // successes.
  // asks: the beginning of the question, its title in the list of repetitions
  put(name, solved, today = new Date(), asks = "") {
    this.#refresh()
    const before = this.#entries[name] ?? { solved: false, tries: 0 }
    const kept = { solved: before.solved || solved, tries: before.tries + 1 }
    const back = this.#next(before, solved, today)
    const title = short(asks) || before.asks
    this.#set(name, { ...kept, ...back, ...(back.due && title && { asks: title }) })
    this.#save()
  }

  // The next repetition of a question: { due, gap }, gap being an index of GAPS; {} for none
  #next({ due, gap }, solved, today) {
    if (!solved) return { due: dayIn(GAPS[0], today), gap: 0 }
    if (due === undefined || due > dayIn(0, today)) return due === undefined ? {} : { due, gap }
    return gap + 1 < GAPS.length ? { due: dayIn(GAPS[gap + 1], today), gap: gap + 1 } : {}
  }

  // The questions that are due; none if the reader has switched repetition off
  due(today = new Date()) {
    const day = dayIn(0, today)
    const found = this.entries.filter(([, { due }]) => due && due <= day).map(([name]) => name)
    return this.#comesBack ? found.sort() : []
  }

  // The title of a question that is repeated; "" if it was not stored
  asks(name) {
    return this.#entries[name]?.asks ?? ""
  }

  get comesBack() {
    return this.#comesBack
  }

  set comesBack(on) {
    this.#refresh()
    this.#comesBack = on
    this.#save()
  }

  addTime(time) {
    this.#refresh()
    this.#times = [...this.#times, time].filter(isTime).slice(-MOST)
    this.#save()
  }

  clear() {
    this.#entries = {}
    this.#times = []
    this.#save()
  }

  // Merges an export of another browser. -> "" or an error message
  take(text) {
    const brought = text.length <= LONGEST && parse(text)
    if (!brought?.isWhole) return "This is no file of the kata’s progress; choose one that was saved here."
    const holds = Object.keys(brought.entries).length + brought.times.length
    if (!holds) return "This file holds no progress; nothing has changed."
    this.#refresh()
    const own = this.entries
    this.#entries = brought.entries // what this browser has counts as newer
    for (const [name, here] of own) {
      const there = brought.entries[name] ?? here
      const solved = here.solved || there.solved
      this.#set(name, { ...there, ...here, solved, tries: Math.max(here.tries, there.tries) })
    }
    const known = new Set(this.#times.map((time) => JSON.stringify(time)))
    const others = brought.times.filter((time) => !known.has(JSON.stringify(time)))
    this.#times = [...others, ...this.#times].slice(-MOST)
    this.#save()
    return ""
  }
}

// The first words of a question, with an ellipsis if truncated
function short(asks) {
  const words = asks.trim().replace(/\s+/g, " ")
  return words.length <= TITLE ? words : `${words.slice(0, TITLE - 2).replace(/\s+\S*$/, "")} …`
}

// What is valid in a text of our format -> { entries, times, comesBack, isWhole: whether nothing had to be left out };
// null for any other text
function parse(text) {
  const read = parsed(text)
  const isOurs = read?.format === FORMAT && Object(read.entries) === read.entries && Array.isArray(read.times)
  if (!isOurs) return null
  const all = Object.entries(read.entries)
  const entries = all.filter(isEntry).slice(-MOST).map(plainEntry)
  const times = read.times.filter(isTime).slice(-MOST).map(plainTime)
  const isWhole = entries.length === all.length && times.length === read.times.length
  return { entries: Object.fromEntries(entries), times, comesBack: read.comesBack !== false, isWhole }
}

const plainEntry = ([name, { solved, tries, due, gap, asks }]) => [
  name,
  { solved, tries, ...(due && { due, gap }), ...(due && asks && { asks }) },
]
const plainTime = ({ topic, seed, seconds, day }) => ({ topic, seed, seconds, day })
