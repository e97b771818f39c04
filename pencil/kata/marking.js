// Marking: right, or what the reader seems to have done, or how far it goes. The same as pencil/kata/marking.py.

import { goesThatFar, means, read } from "./answers.js"

const NEAR = 0.02 // an answer that is off by less than this share of the largest number was rounded on the way

// exercise: { right: { paper, exact }, wrong: { key: [numbers, what to say] } }; answer: text -> { right, says, wrong }
export function mark({ right, wrong }, answer) {
  const wanted = right.paper.length, { typed, problem } = read(answer, wanted)
  if (problem) return { right: false, says: problem, wrong: "" }
  if (areMeant(typed, right)) return { right: true, says: "Right.", wrong: "" }
  const taken = Object.entries(wrong).find(([, [numbers]]) => areMeant(typed, numbers))
  if (taken) return { right: false, says: taken[1][1], wrong: taken[0] }
  if (typed.length !== wanted) return { right: false, says: `You typed ${count(typed.length)}; ${wanted} ${wanted === 1 ? "is" : "are"} wanted.`, wrong: "" }
  return { right: false, says: howFar(right, typed), wrong: "" }
}

// A choice among words: { right, wrong: { word: what to say } }.
export function choose({ right, wrong }, word) {
  if (word === right) return { right: true, says: "Right.", wrong: "" }
  return word ? { right: false, says: wrong[word] ?? "Not yet.", wrong: word } : { right: false, says: "Choose one of these.", wrong: "" }
}

const isMeant = (typed, { paper, exact }, k) => means(typed, paper[k]) || means(typed, exact[k])
const areMeant = (typed, numbers) => typed.length === numbers.paper.length && typed.every((one, k) => isMeant(one, numbers, k))
const count = (n) => `${n} number${n === 1 ? "" : "s"}`

function howFar(right, typed) {
  const off = typed.flatMap((one, k) => (isMeant(one, right, k) ? [] : [k])), scale = Math.max(...right.exact.map(Math.abs)) // a whole number was not rounded: near it is no hint
  if (off.every((k) => goesThatFar(typed[k], right.exact[k]))) return "Right as far as it goes. Write three decimals."
  if (scale && off.every((k) => Math.abs(typed[k].value - right.exact[k]) <= NEAR * scale && right.exact[k] % 1)) return "Close. A number was rounded on the way; carry three decimals to the end."
  if (typed.length === 1) return "Not yet."
  const good = typed.length - off.length
  return `Not yet: number ${off[0] + 1} is the first that differs.${good ? ` ${good} of ${typed.length} are right.` : ""}`
}
