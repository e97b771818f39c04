// The exercises of a built page: its questions answer back, sheets deal themselves, and what was solved is kept in
// this browser.

import { dataOf } from "../engine/data.js"
import { Drawer } from "./drawer.js"
import { Progress } from "./progress.js"
import { showDue } from "./review.js"
import { startSheets } from "./sheet.js"
import { answerQuestions } from "./questions.js"

// Called once by the page's script, after the live page, by whose runs the questions are marked. A page without
// exercises is left alone. store: { kept, keep }, as Progress takes it
export function startExercises(doc, page, store) {
  const [asked, topics] = ["pencil-questions", "pencil-topics"].map((id) => {
    const data = doc.getElementById(id)
    return data && dataOf(data)
  })
  const drawers = doc.querySelectorAll(".pencil-progress")
  if (!asked && !topics && !drawers.length) return
  const progress = new Progress(store)
  if (asked) answerQuestions(doc, asked, page, progress)
  if (asked) showDue(doc, progress, asked.chapter)
  for (const place of drawers) new Drawer(place, progress)
  if (topics) startSheets(doc, progress, topics)
}
