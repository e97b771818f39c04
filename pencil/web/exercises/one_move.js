// Numbers that are one move away from the right ones: what is missing to one, a square, a root, e raised to them, their
// logarithm. The same as pencil/exercises/one_move.py.

import { means } from "./answers.js"
import { say } from "./unrecognised.js"

const CLEAR = 3 // significant digits that no other move comes to by chance
const MOVES = [
  [(x) => (x > 0 && x < 1 ? 1 - x : NaN), "That is one minus the answer."],
  [
    (x) => x * x,
    "That is the square of the answer. Was a root forgotten, or something squared once too often?",
  ],
  [
    (x) => (x > 0 ? Math.sqrt(x) : NaN),
    "That is the root of the answer. Was a root taken once too often, or a square forgotten?",
  ],
  [(x) => (x < CLEAR ? Math.exp(x) : NaN), "That is e, raised to the answer. Stop a step earlier."],
  [
    (x) => (x > 0 ? Math.log(x) : NaN),
    "That is the natural logarithm of the answer. Was e to be raised?",
  ],
]

export function oneMoveOff({ right }, typed) {
  if (typed.length !== right.exact.length || typed.some(({ figures }) => figures < CLEAR)) return null
  const isMade = ([move]) =>
    typed.every((one, k) => [right.paper[k], right.exact[k]].some((number) => means(one, move(number))))
  const made = MOVES.find(isMade)
  return made ? say("wrong", made[1]) : null
}
