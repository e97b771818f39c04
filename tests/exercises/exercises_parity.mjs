// Answers the questions of test_exercises_parity.py, a line of JSON each: throws from a seed, mistakes, sheets.
import { readFileSync, writeFileSync } from "node:fs"
import { load } from "../../pencil/web/engine/program.js"
import { Mulberry32 } from "../../pencil/web/engine/random.js"
import { Worked } from "../../pencil/web/render/worked.js"
import { draws } from "../../pencil/web/exercises/generate.js"
import { paper } from "../../pencil/web/exercises/paper.js"
const generate = (data, seed) => [...draws(data, seed)].at(-1)

const [asked, answered] = process.argv.slice(2)
const answer = {
  throws: ({ seed, count }) => { const rng = new Mulberry32(seed); return Array.from({ length: count }, () => rng.nextUint32()) },
  outside: ({ low, high }) => { try { return new Mulberry32(1).randint(low, high) } catch (refused) { return refused.message } },
  wholes: ({ seed, low, high, count }) => { const rng = new Mulberry32(seed); return Array.from({ length: count }, () => rng.randint(low, high)) },
}
const loaded = new Map() // a program, as text -> the engine's sheet
answer.substituted = ({ program, names }) => {
  const key = JSON.stringify(program)
  if (!loaded.has(key)) loaded.set(key, load(program))
  const { exact, paper } = loaded.get(key).substituted(...names)
  return { exact: [...exact], paper: [...paper] }
}
const sheets = new Map() // topic -> what the page has of it
answer.topic = ({ data }) => { sheets.set(data.topic, data); return true }
answer.deal = ({ topic, seed }) => { const { values } = generate(sheets.get(topic), seed); return Object.keys(sheets.get(topic).givens).map((name) => [...values.get(name).exact]) }
answer.paper = ({ topic, seed }) => { const data = sheets.get(topic); return paper(data, new Worked(data.run, generate(data, seed)), seed) }
answer.place = ({ topic, seed, places }) => { const { values } = generate(sheets.get(topic), seed); return places.map(({ name, at }) => at.map((k) => values.get(name).exact[k])) }
const lines = readFileSync(asked, "utf-8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
writeFileSync(answered, lines.map((question) => JSON.stringify(answer[question.ask](question)) + "\n").join(""))
