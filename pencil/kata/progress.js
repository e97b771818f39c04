// What a reader has solved, kept in this browser and nowhere else. It can be cleared, taken along as a file, and brought back.

const KEPT = "pencil.kata", FORMAT = "transformers-by-pencil kata 1"
const LONGEST = 200_000, MOST = 2_000
const NAME = /^\d\d:[a-z0-9]+(?:-[a-z0-9]+)*$/, TOPIC = /^[a-z]{2,20}$/

const isCount = (x) => Number.isInteger(x) && x >= 0 && x <= 1e9
const isSeed = (x) => Number.isInteger(x) && x >= 0 && x < 2 ** 32
const isEntry = ([name, entry]) => NAME.test(name) && typeof entry?.solved === "boolean" && isCount(entry.tries)
const isTime = (time) => TOPIC.test(time?.topic) && isSeed(time.seed) && isCount(time.seconds) && /^\d{4}-\d\d-\d\d$/.test(time.day)

export class Progress {
  #storage; #entries = {}; #times = []; #listeners = []

  // storage: the browser's, where it gives one (from a file some give none); else all is forgotten with the page
  constructor(storage) {
    this.#storage = storage
    const { entries = {}, times = [] } = readText(this.#read()) ?? {}
    this.#entries = entries
    this.#times = times
  }

  #read() {
    try { return this.#storage?.getItem(KEPT) ?? "" } catch { return "" }
  }

  #save() {
    try { this.#storage?.setItem(KEPT, this.text) } catch { this.#storage = null } // full, or forbidden: this page still knows
    this.#listeners.forEach((tell) => tell())
  }

  get isKept() {
    try { return Boolean(this.#storage) && this.#storage.getItem(KEPT) !== undefined } catch { return false }
  }

  get text() { return JSON.stringify({ format: FORMAT, entries: this.#entries, times: this.#times }, null, 1) }
  get entries() { return Object.entries(this.#entries) }
  get times() { return [...this.#times] }

  onChange(tell) { this.#listeners.push(tell) }
  isSolved(name) { return this.#entries[name]?.solved === true }

  put(name, solved) { // one more try; what was solved once stays solved
    const before = this.#entries[name] ?? { solved: false, tries: 0 }
    this.#entries[name] = { solved: before.solved || solved, tries: before.tries + 1 }
    this.#save()
  }

  addTime(time) {
    this.#times = [...this.#times, time].filter(isTime).slice(-MOST)
    this.#save()
  }

  clear() {
    this.#entries = {}
    this.#times = []
    this.#save()
  }

  // Takes what another browser gave, on top of what is here. -> "" or a sentence that says why not
  take(text) {
    const brought = readText(text)
    if (!brought) return "This is no file of the kata's progress; choose one that was saved here."
    for (const [name, { solved, tries }] of Object.entries(brought.entries)) {
      const here = this.#entries[name] ?? { solved: false, tries: 0 }
      this.#entries[name] = { solved: here.solved || solved, tries: Math.max(here.tries, tries) }
    }
    const known = new Set(this.#times.map((time) => JSON.stringify(time)))
    this.#times = [...this.#times, ...brought.times.filter((time) => !known.has(JSON.stringify(time)))].slice(-MOST)
    this.#save()
    return ""
  }
}

function readText(text) { // -> { entries, times }; null for what was not written by us
  if (typeof text !== "string" || text.length > LONGEST) return null
  let read
  try { read = JSON.parse(text) } catch { return null }
  if (read?.format !== FORMAT || typeof read.entries !== "object" || !read.entries || !Array.isArray(read.times)) return null
  const entries = Object.entries(read.entries)
  if (entries.length > MOST || read.times.length > MOST || !entries.every(isEntry) || !read.times.every(isTime)) return null
  const kept = entries.map(([name, { solved, tries }]) => [name, { solved, tries }])
  return { entries: Object.fromEntries(kept), times: read.times.map(({ topic, seed, seconds, day }) => ({ topic, seed, seconds, day })) }
}

// The browser's own store, or null where it refuses one.
export function storageOf(window) {
  try { return window.localStorage } catch { return null }
}
