// Answers the questions of test_kata_parity.py, a line of JSON each: marks, and throws from a seed.
import { readFileSync, writeFileSync } from "node:fs"
import { deal } from "../../pencil/kata/deal.js"
import { Dice } from "../../pencil/kata/dice.js"
import { mark } from "../../pencil/kata/marking.js"
import { paper } from "../../pencil/kata/paper.js"
import { Worked } from "../../pencil/widgets/worked.js"

const [asked, answered] = process.argv.slice(2)
const answer = {
  mark: ({ exercise, answer }) => mark(exercise, answer),
  throws: ({ seed, count }) => { const dice = new Dice(seed); return Array.from({ length: count }, () => dice.throw()) },
  wholes: ({ seed, low, high, count }) => { const dice = new Dice(seed); return Array.from({ length: count }, () => dice.whole(low, high)) },
}
const sheets = new Map() // topic -> what the page has of it
answer.topic = ({ data }) => { sheets.set(data.topic, data); return true }
answer.deal = ({ topic, seed }) => { const { values } = deal(sheets.get(topic), seed); return Object.keys(sheets.get(topic).givens).map((name) => [...values.get(name).exact]) }
answer.paper = ({ topic, seed }) => { const data = sheets.get(topic); return paper(data, new Worked(data.run, deal(data, seed)), seed) }
answer.place = ({ topic, seed, places }) => { const { values } = deal(sheets.get(topic), seed); return places.map(({ name, at }) => at.map((k) => values.get(name).exact[k])) }
const lines = readFileSync(asked, "utf-8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
writeFileSync(answered, lines.map((question) => JSON.stringify(answer[question.ask](question)) + "\n").join(""))
