// Marks the prose that may no longer be true after a change: blocks with a changed number or a false claim. Sums in
// sentences, printed outputs and curves cannot be updated; they are marked from the first block of their section that
// has changed, or from a cell with the tag `still`, whose output depends on inputs.

const WORDS = "p, dt, caption, figcaption, .pst-scrollable-table-container"
const STILL = "section > .tag_still" // MyST-NB's class for the tag

export class Reach {
  #changed = new Map() // block: the changed elements in it

  // An element has changed, or has its original number again.
  put(place, isChanged) {
    const block = place.closest("section > *")
    for (const part of new Set([block, wordsOf(place)])) if (part) this.#note(part, place, isChanged)
  }

  #note(part, place, isChanged) {
    if (!this.#changed.has(part)) this.#changed.set(part, new Set())
    this.#changed.get(part)[isChanged ? "add" : "delete"](place)
  }

  // Update the marks; once after all changes, since it causes a style recalculation.
  show(isYours) {
    for (const cell of document.querySelectorAll(STILL)) this.#note(cell, cell, isYours)
    for (const [part, places] of this.#changed) part.toggleAttribute("data-reached", places.size > 0)
  }
}

// The text to mark: of a picture its title, unless it is a question. Worked lines have none.
function wordsOf(place) {
  const picture = place.closest(".pencil-drawing, .pencil-picture")
  if (!picture) return place.closest(WORDS)
  const title = picture.querySelector("caption, figcaption")
  return title?.textContent.trim().endsWith("?") ? null : title
}
