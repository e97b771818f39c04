// Loads the bundle for exact arithmetic on demand.

import { make } from "../render/element.js"

const HERE = globalThis.document?.currentScript.src

export const fractionsOf = (page) => ({
  // Calls then() once, after the bundle has loaded.
  fetch(then) {
    if (window.pencilFractions) return
    const src = HERE.replace(/[^/]*$/, "pencil-fractions.js")
    document.head.append(make("script", { src, onload: then }))
  },

  // [["fraction", "14/3"]] for the card of a number; empty if it is irrational
  rows(run, reference) {
    const { name, place } = page.writer(run).find(reference)
    const { data, now } = page.runs.get(run)
    const fraction = window.pencilFractions?.(data.program, now, name, place)
    return fraction ? [["fraction", fraction]] : []
  },
})
