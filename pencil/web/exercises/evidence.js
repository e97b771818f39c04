// The certainty of a diagnosis: a single short number may agree with a mistake by chance, and then the message says
// "perhaps". The same as pencil/exercises/evidence.py.

import { means } from "./answers.js"
import { BENT_KEY, NEARBY_KEY } from "./explaining.js"
import { MIN_FIGURES, offIn, PARTS_KEY } from "./unrecognised.js"

const STORY = /^(In numbers? [^:]*: )?(the slip|you)(?![\p{L}\d_])/iu // messages about what the reader did

// Adds "perhaps" to a mark if its mistake rests on a single short number
export function hedged(given, exercise, typed) {
  const isStory = given.wrong && given.wrong !== PARTS_KEY && STORY.test(given.message)
  if (!isStory || !isThin(given, exercise, typed)) return given
  const perhaps = (_, where, who) => `${where ?? ""}${where ? "perhaps" : "Perhaps"} ${who.toLowerCase()}`
  return { ...given, message: given.message.replace(STORY, perhaps) }
}

// Whether the wrong numbers are a single one, possibly repeated, with few digits
function isThin({ wrong: key }, exercise, typed) {
  const { right, wrong, places } = exercise
  const off = typed.length === right.exact.length ? offIn(right, typed, places) : typed.map((_, k) => k)
  const figures = new Map(off.map((k) => [Math.abs(typed[k].value), typed[k].figures]).filter(([size]) => size))
  if (figures.size > 1) return false
  const numbers = (wrong[key] ?? exercise.upstream[key])?.[0]
  const isMeant = (k) => k >= numbers.exact.length || means(typed[k], numbers.exact[k])
  const isMany = [BENT_KEY, NEARBY_KEY].some((begin) => key.startsWith(begin)) // easily by chance
  const most = numbers && off.every(isMeant) && !isMany ? MIN_FIGURES : MIN_FIGURES + 1
  return [...figures.values()].reduce((sum, count) => sum + count, 0) <= most
}
