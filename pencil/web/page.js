// The script of a built page: makes numbers, labs and exercises interactive.

import { startCode } from "./page/code.js"
import { startGivens } from "./page/given.js"
import { startPage } from "./page/live.js"
import { startPlace } from "./page/place.js"
import { startDrawings } from "./page/steps.js"
import { keep, kept } from "./page/store.js"
import { startTracks } from "./page/tracks.js"
import { startWords } from "./page/words.js"
import { DigitsLab } from "./widgets/digits.js"
import { Lab } from "./widgets/lab.js"
import { OpenWriterLab } from "./widgets/open_writer.js"
import { WriterLab } from "./widgets/writer.js"
import { startExercises } from "./exercises/start.js"

// For the console and for browser tests
window.pencil = startPage(Lab, {
  ".pencil-digits": DigitsLab,
  ".pencil-writer": WriterLab,
  ".pencil-open": OpenWriterLab,
})
startCode()
startDrawings()
startWords(() => window.pencil?.binding.bindLines())
if (window.pencil) {
  startGivens(window.pencil)
  startTracks(window.pencil)
}
startExercises(window.pencil, { kept, keep })
startPlace()
document.documentElement.classList.add("pencil-started") // else book/_static/started.js says so
