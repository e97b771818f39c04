// The script of a built page: makes numbers, labs and exercises interactive.

// The bundle has the sources in this order, in which a server packs it smallest
import { keep, kept, ofTab } from "./page/store.js"
import { startExercises } from "./exercises/start.js"
import { startCode } from "./page/code.js"
import { startTracks } from "./page/tracks.js"
import { drawStep } from "./page/motion.js"
import { startDrawings } from "./page/steps.js"
import { startPage } from "./page/live.js"
import { Lab } from "./widgets/lab.js"
import { startPlace } from "./page/place.js"
import { startCopy } from "./page/copy.js"
import { startWords } from "./page/words.js"
import { startGivens } from "./page/given.js"
import { startWide } from "./page/wide.js"

// For the console and for browser tests
window.pencil = startPage(Lab)
startCode()
startWide()
startCopy()
startDrawings(drawStep)
startWords(() => window.pencil?.binding.bindLines())
if (window.pencil) {
  startGivens(window.pencil)
  startTracks(window.pencil)
}
startExercises(window.pencil, { kept, keep }, ofTab)
startPlace()
document.documentElement.classList.add("pencil-started") // else book/_static/started.js says so
