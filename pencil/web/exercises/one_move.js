// Numbers that are one move away from the right ones: what is missing to one, a square, a root, e raised to them, their
// logarithm.

import { CLEAR, means } from "./comparing.js"

const MOVES = {
  complement: (x) => (x > 0 && x < 1 ? 1 - x : NaN),
  square: (x) => x * x,
  root: (x) => (x > 0 ? Math.sqrt(x) : NaN),
  exp: (x) => (x < CLEAR ? Math.exp(x) : NaN),
  log: (x) => (x > 0 ? Math.log(x) : NaN),
}

export function oneMoveOff({ right }, typed) {
  if (typed.length !== right.exact.length || typed.some(({ figures }) => figures < CLEAR)) return null
  const isMade = ([, move]) =>
    typed.every((one, k) => [right.paper[k], right.exact[k]].some((number) => means(one, move(number))))
  const [kind] = Object.entries(MOVES).find(isMade) ?? []
  return kind ? { kind } : null
}
