// How far a reader's numbers reach: a block of a section in which something follows them says so, for its words, and
// those below it in its section, were written for the pencil numbers.

export class Reach {
  #changed = new Map() // block -> the places in it that are not as they were

  // A place of the page has changed, or is as it was.
  put(place, isChanged) {
    const block = place.closest("section > *") // the child of a section in which it stands
    if (!block) return
    if (!this.#changed.has(block)) this.#changed.set(block, new Set())
    this.#changed.get(block)[isChanged ? "add" : "delete"](place)
  }

  // On the page; its styles are worked out anew for it, so it is done once all has followed.
  show() {
    for (const [block, places] of this.#changed) block.toggleAttribute("data-reached", places.size > 0)
  }
}
