// The script of a deck of slides: the steps of the drawings, one slide after another, and the full screen.

import { startDrawings } from "./page/steps.js"

startDrawings()
const slides = [...document.querySelectorAll(".pencil-deck > *")]
const KEYS = { ArrowRight: 1, " ": 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }
const BY_STEPS = ["ArrowRight", "ArrowLeft"]

// The slide that fills the window: the last one that begins above its middle
const current = () => slides.findLastIndex((slide) => slide.getBoundingClientRect().top < innerHeight / 2)

function go(way, withSteps) {
  const at = current()
  const button = withSteps && slides[at]?.querySelector(`[data-go="${way}"]:not([aria-disabled="true"])`)
  if (button && (way > 0 || slides[at].querySelector(".stepping"))) return button.click()
  slides[Math.max(0, Math.min(slides.length - 1, at + way))]?.scrollIntoView()
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("a, button")) return
  if (event.key === "f" && !button.hidden) fill()
  if (!KEYS[event.key]) return
  event.preventDefault()
  go(KEYS[event.key], BY_STEPS.includes(event.key))
})

/* eslint-disable no-restricted-properties -- the button is hidden where there is no full screen */
const fill = () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
const button = document.querySelector(".pencil-fill")
button.hidden = !document.fullscreenEnabled
button.onclick = fill
