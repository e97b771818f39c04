// Sets up the exercises of a page: questions, worksheets and progress.

import { dataOf } from "../engine/data.js"
import { Drawer } from "./drawer.js"
import { make } from "../render/element.js"
import { Progress } from "./progress.js"
import { showDue } from "./review.js"
import { startSheets } from "./sheet.js"
import { answerQuestions } from "./questions.js"

// Called once by the page's script, after the live page, whose runs are needed for marking. store: { kept, keep }, for
// Progress; ofTab: such a store that ends with the tab
export function startExercises(page, store, ofTab) {
  const [asked, topics] = ["pencil-questions", "pencil-topics"].map((id) => {
    const data = document.getElementById(id)
    return data && dataOf(data)
  })
  const drawers = document.querySelectorAll(".pencil-progress")
  if (!asked && !topics && !drawers.length) return
  const progress = new Progress(store)
  addEventListener("storage", ({ key }) => progress.heed(key))
  document.addEventListener("pencil-checked", ({ target }) => progress.isKept || sayNotKept(target), { once: true })
  if (asked) answerQuestions(asked, page, progress)
  if (asked) showDue(progress, asked.chapter)
  for (const place of drawers) new Drawer(place, progress)
  if (topics) startSheets(progress, topics, ofTab)
}

// Once, below the first answer
function sayNotKept(box) {
  const textContent = "This browser keeps nothing for a page opened so: what you solve is forgotten when you leave."
  box.querySelector(".says").after(make("p", { className: "not-kept", role: "note", textContent }))
}
