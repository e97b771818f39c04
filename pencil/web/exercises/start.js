// Sets up the exercises of a page: questions, worksheets and progress.

import { dataOf } from "../engine/data.js"
import { Drawer } from "./drawer.js"
import { Progress } from "./progress.js"
import { showDue } from "./review.js"
import { startSheets } from "./sheet.js"
import { answerQuestions } from "./questions.js"

// Called once by the page's script, after the live page, whose runs are needed for marking. store: { kept, keep }, for
// Progress
export function startExercises(page, store) {
  const [asked, topics] = ["pencil-questions", "pencil-topics"].map((id) => {
    const data = document.getElementById(id)
    return data && dataOf(data)
  })
  const drawers = document.querySelectorAll(".pencil-progress")
  if (!asked && !topics && !drawers.length) return
  const progress = new Progress(store)
  if (asked) answerQuestions(asked, page, progress)
  if (asked) showDue(progress, asked.chapter)
  for (const place of drawers) new Drawer(place, progress)
  if (topics) startSheets(progress, topics)
}
