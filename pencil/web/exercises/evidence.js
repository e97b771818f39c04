// How sure a diagnosis is: one short number may come out of a mistake by chance, and then the sentence says "perhaps".
// The same as pencil/exercises/evidence.py.

import { means } from "./answers.js"
import { BENT_KEY, NEARBY_KEY } from "./explaining.js"
import { MIN_FIGURES, offIn, PARTS_KEY } from "./unknown.js"

const STORY = /^(In numbers? [^:]*: )?(the slip|you)(?![\p{L}\d_])/iu // what a reader did, not what the numbers are

// The mark as it is, or with "perhaps" where a mistake is told by one short number alone
export function hedged(given, exercise, typed) {
  const isStory = given.wrong && given.wrong !== PARTS_KEY && STORY.test(given.message)
  if (!isStory || !isThin(given, exercise, typed)) return given
  const perhaps = (_, where, who) => `${where ?? ""}${where ? "perhaps" : "Perhaps"} ${who.toLowerCase()}`
  return { ...given, message: given.message.replace(STORY, perhaps) }
}

// Of the numbers that are not right: is there one alone, twice perhaps, with few digits?
function isThin({ wrong: key }, exercise, typed) {
  const { right, wrong, places } = exercise
  const off = typed.length === right.exact.length ? offIn(right, typed, places) : typed.map((_, k) => k)
  const figures = new Map(off.map((k) => [Math.abs(typed[k].value), typed[k].figures]).filter(([size]) => size))
  if (figures.size > 1) return false
  const numbers = (wrong[key] ?? exercise.upstream[key])?.[0]
  const isMeant = (k) => k >= numbers.exact.length || means(typed[k], numbers.exact[k])
  const isMany = [BENT_KEY, NEARBY_KEY].some((begin) => key.startsWith(begin)) // and each has its number
  const most = numbers && off.every(isMeant) && !isMany ? MIN_FIGURES : MIN_FIGURES + 1
  return [...figures.values()].reduce((sum, count) => sum + count, 0) <= most
}
