// The kata of a built page: its questions answer back, and what was solved is kept in this browser.

import { Drawer } from "./drawer.js"
import { Progress, storageOf } from "./progress.js"
import { answerTurns } from "./turns.js"

// Called once by the page's script, after the live page.
export function start(doc, page) {
  const progress = new Progress(storageOf(doc.defaultView)), store = doc.getElementById("pencil-turns")
  if (store) {
    const { chapter, turns } = JSON.parse(store.textContent)
    answerTurns(doc, turns, page, progress, chapter)
  }
  for (const place of doc.querySelectorAll(".pencil-progress")) new Drawer(place, progress)
  return { progress }
}
