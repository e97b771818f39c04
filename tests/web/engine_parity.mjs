// Answers the questions of node_runner.py, a line of JSON each. It judges nothing: that is done in Python.
import { createReadStream, createWriteStream } from "node:fs"
import { createInterface } from "node:readline"
import { Exactly } from "../../pencil/web/engine/exactly.js"
import { FORMATS } from "../../pencil/web/engine/formats.js"
import { written as asFraction } from "../../pencil/web/engine/fractions.js"
import { tokenize, trainBpe } from "../../pencil/web/engine/bpe.js"
import { EngineError, operation } from "../../pencil/web/engine/operations.js"
import { load } from "../../pencil/web/engine/program.js"
import { asGiven, isWhole, roundHalfUp, settle, show } from "../../pencil/web/engine/rounding.js"
import { unpack } from "../../pencil/web/widgets/exported.js"
import { readClaim } from "../../pencil/web/page/claims.js"
import { open, reading } from "../../pencil/web/widgets/opened.js"

const plain = (numbers) => Array.from(numbers, (x) => (Number.isFinite(x) ? x : String(x)))
const floats = (numbers) => Float64Array.from(numbers, Number)

function refusing(f) {
  try {
    return f()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { refused: error.step, message: error.message }
  }
}

const exactly = (x) => (Object.is(x, -0) ? "-0" : plain([x])[0]) // JSON forgets the sign of zero, a word does not

function written({ numbers, places, figures }) {
  const options = places === undefined ? {} : { places, figures }
  return numbers.map(Number).map((x) => ({
    show: show(x, options), whole: show(x, { ...options, whole: true }), given: asGiven(x), isWhole: isWhole(x),
    paper: exactly(roundHalfUp(x, options)), settled: exactly(Number.isFinite(x) ? settle(x) : x),
  }))
}

function ran(program, givens) {
  const values = (map) => ({ values: Object.fromEntries([...map].map(([name, { exact, paper }]) => [name, { exact: plain(exact), paper: plain(paper) }])) })
  const sheet = refusing(() => load(program))
  if (sheet.refused !== undefined) return [sheet]
  return [values(sheet.values), ...givens.map((given) => refusing(() => values(sheet.run(given))))]
}

function step({ step, shapes, args }) {
  const out = new Float64Array(step.shape.reduce((n, k) => n * k, 1))
  operation(step, shapes)(args.map(floats), out)
  return plain(out)
}

// For each of these givens the value that refuses the program, or null
function refusals({ program, givens }) {
  const sheet = load(program)
  return givens.map((given) => refusing(() => sheet.run(given)).refused ?? null)
}

const signed = (numbers) => Array.from(numbers, exactly)

// Of every format what it makes of an array
function rounded({ numbers }) {
  return Object.fromEntries(Object.entries(FORMATS).map(([name, round]) => {
    const out = new Float64Array(numbers.length)
    round(floats(numbers), out)
    return [name, signed(out)]
  }))
}

// A program in every format, with each of its givens
function inFormats({ program, givens }) {
  const sheet = refusing(() => load(program))
  if (sheet.refused !== undefined) return [sheet]
  const names = [...sheet.values.keys()]
  const values = () => Object.fromEntries(Object.keys(FORMATS).map((track) => [track, names.map((name) => signed(sheet.numbers(name, track)))]))
  return [{}, ...(givens ?? [])].map((given) => refusing(() => {
    sheet.run(given)
    return { names, values: values() }
  }))
}

// Each named value without rounding, null where it has none; with the program's own givens, and with each of these
function inFractions({ program, givens }) {
  const names = program.steps.flatMap(({ name }) => name ?? [])
  return [{}, ...(givens ?? [])].map((given) => {
    const exactly = new Exactly(program, new Map(Object.entries(given).map(([name, row]) => [name, floats(row)])))
    return Object.fromEntries(names.map((name) => [name, exactly.numbers(name)?.map(asFraction) ?? null]))
  })
}

// The machine of a page's script at each of these texts, with these gates of its heads
function opened({ script, asked }) {
  const window = {}
  new Function("window", script)(window)
  const data = unpack(window.pencilExported)
  const sheet = load(data.program, ["exact"])
  return asked.map(({ text, gates }) => {
    const { letters, read, strange, early } = reading(text, data)
    const found = open(data, sheet, letters.filter((_, k) => read[k]), gates)
    const each = (count, f) => Array.from({ length: count }, (_, k) => f(k))
    const grid = (f) => each(found.ids.length, (t) => plain(f(t)))
    return {
      read, strange, early, loss: found.loss, losses: found.losses, alike: found.alike,
      weights: each(found.weights.length, (head) => grid((t) => found.row(head, t))),
      scores: each(found.weights.length, (head) => found.scores(head)),
      lens: each(found.lens.length, (depth) => grid((t) => found.probs(t, depth))),
    }
  })
}

// Whether each claim holds, for its own values
function claims({ claims }) {
  return claims.map(({ claim, values }) => readClaim(claim).holds((reference, track) => floats(values[track][reference])))
}

const answers = {
  claims,
  opened,
  written,
  refusals,
  inFractions,
  rounded,
  inFormats,
  pieces: ({ text }) => ({ words: tokenize(text), steps: trainBpe(tokenize(text)) }),
  run: ({ program, givens, steps }) => ({ runs: ran(program, givens), steps: (steps ?? []).map(step) }),
}

const out = createWriteStream(process.argv[3])
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const question = JSON.parse(line)
  out.write(JSON.stringify(answers[question.ask](question)) + "\n")
}
out.end()
