// How far a reader's numbers reach. Words beside a number that is another now, or with a verdict that holds no more,
// were written for the pencil numbers and say so. A sum in a sentence, a print and a curve cannot be worked out anew:
// they say so from the first block of their section on in which something follows, or which is a cell tagged `still`:
// its print stands on given numbers, and nothing that follows them need stand before it.

const WORDS = "p, dt, caption, figcaption, .pst-scrollable-table-container"
const STILL = "section > .tag_still" // as MyST-NB writes the tag of a cell

export class Reach {
  #changed = new Map() // words, or a block of a section -> the places in it that are not as they were

  // A place of the page has changed, or is as it was.
  put(place, isChanged) {
    const block = place.closest("section > *") // the child of a section in which it stands
    for (const part of new Set([block, wordsOf(place)])) if (part) this.#note(part, place, isChanged)
  }

  #note(part, place, isChanged) {
    if (!this.#changed.has(part)) this.#changed.set(part, new Set())
    this.#changed.get(part)[isChanged ? "add" : "delete"](place)
  }

  // On the page; its styles are worked out anew for it, so it is done once all has followed.
  show(isYours) {
    for (const cell of document.querySelectorAll(STILL)) this.#note(cell, cell, isYours)
    for (const [part, places] of this.#changed) part.toggleAttribute("data-reached", places.size > 0)
  }
}

// Of a picture its title; a question is true of all numbers. Worked lines have no words.
function wordsOf(place) {
  const picture = place.closest(".pencil-drawing, .pencil-picture")
  if (!picture) return place.closest(WORDS)
  const title = picture.querySelector("caption, figcaption")
  return title?.textContent.trim().endsWith("?") ? null : title
}
