// Takes the changes of a page and of its labs back, step by step: a drag is one step, and so is what is typed in one
// go, or a press of an arrow key.

const STEP = /^(Arrow|Page|Enter|Tab|Home|End| )/ // keys that begin a step; a blank does not where it is typed
const TYPED = "textarea, input:not([type=range], [type=checkbox], [type=radio])"
const MOST = 200
// Fields whose own text is taken back by the browser: all but the card's and the labs', save what these refuse
const FIELDS = "input:is(:not([type]), [type=text], [type=search])"
const OWN = `textarea, ${FIELDS}:not(.pencil-card *, .pencil-cell, .pencil-ink), [aria-invalid=true]`

const isUndo = ({ key, ctrlKey, metaKey, shiftKey, altKey }) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === "z"

export class Undo {
  #changes
  #restore
  #steps = [] // the changes before each step
  #now
  #begins = true
  #restoring = false

  // changes() -> all that the reader changed; restore(changes) brings such back
  constructor(changes, restore) {
    this.#changes = changes
    this.#restore = restore
    this.#now = changes()
    for (const type of ["pointerdown", "focusin"]) document.addEventListener(type, () => this.begin(), true)
    document.addEventListener("keydown", (event) => this.#pressed(event), true)
  }

  // The next change begins a step.
  begin() {
    this.#begins = true
  }

  // Something has changed.
  note() {
    const now = this.#changes()
    if (this.#restoring || isSame(now, this.#now)) return
    if (this.#begins) this.#steps = [...this.#steps, this.#now].slice(-MOST)
    this.#begins = false
    this.#now = now
  }

  // One step back. -> whether there was one
  back() {
    const last = this.#steps.findLastIndex((before) => !isSame(before, this.#now))
    if (last < 0) return false
    const before = this.#steps[last]
    this.#steps.length = last
    this.#restoring = true
    this.#restore(before)
    this.#restoring = false
    this.#now = before
    this.begin()
    return true
  }

  #pressed(event) {
    const { key, repeat, target } = event
    if (STEP.test(key) && !repeat && !(key === " " && target.matches(TYPED))) this.begin()
    if (isUndo(event) && !event.target.matches(OWN) && this.back()) event.preventDefault()
  }
}

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b)
