// The order of the choices of a question: another one each day, so that nobody learns where the right one is.

import { Mulberry32 } from "../engine/random.js"

// words, the name of the question, "2026-11-27" -> the words; the same for the same question and day
export function ofTheDay(words, name, day) {
  const seed = [...`${name} ${day}`].reduce((seed, sign) => (seed * 31 + sign.codePointAt(0)) % 2 ** 32, 7)
  const rng = new Mulberry32(seed)
  const left = [...words]
  return words.map(() => left.splice(rng.randint(0, left.length - 1), 1)[0])
}
