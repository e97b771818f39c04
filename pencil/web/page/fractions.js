// What works without rounding is a script of its own, which few readers ask for.

const HERE = globalThis.document?.currentScript.src

export const fractionsOf = (page) => ({
  // Calls then() once it is there; not again.
  fetch(then) {
    if (window.pencilFractions) return
    const src = HERE.replace(/[^/]*$/, "pencil-fractions.js")
    document.head.append(Object.assign(document.createElement("script"), { src, onload: then }))
  },

  // [["fraction", "14/3"]], for the card of a number; nothing where it is none
  rows(run, reference) {
    const { name, place } = page.writer(run).find(reference)
    const { data, now } = page.runs.get(run)
    const fraction = window.pencilFractions?.(data.program, now, name, place)
    return fraction ? [["fraction", fraction]] : []
  },
})
