// Answers the questions of test_kata_parity.py, a line of JSON each: marks, and throws from a seed.
import { readFileSync, writeFileSync } from "node:fs"
import { Dice } from "../../pencil/kata/dice.js"
import { mark } from "../../pencil/kata/marking.js"

const [asked, answered] = process.argv.slice(2)
const answer = {
  mark: ({ exercise, answer }) => mark(exercise, answer),
  throws: ({ seed, count }) => { const dice = new Dice(seed); return Array.from({ length: count }, () => dice.throw()) },
  wholes: ({ seed, low, high, count }) => { const dice = new Dice(seed); return Array.from({ length: count }, () => dice.whole(low, high)) },
}
const lines = readFileSync(asked, "utf-8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
writeFileSync(answered, lines.map((question) => JSON.stringify(answer[question.ask](question)) + "\n").join(""))
