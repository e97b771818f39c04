// Writes what worked_oracle.py asks for, a line of JSON each. It judges nothing: that is done in Python.
import { createReadStream, createWriteStream } from "node:fs"
import { createInterface } from "node:readline"
import { EngineError } from "../../pencil/web/engine/operations.js"
import { load } from "../../pencil/web/engine/program.js"
import { Worked } from "../../pencil/web/render/worked.js"

function refusing(f) {
  try {
    return f()
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof RangeError)) throw error
    return { refused: error.message }
  }
}

// A number with what opens on it
function whole(worked, number) {
  const local = worked.run ? number.reference.slice(worked.run.length + 1) : number.reference
  return { ...number, ...worked.described(local) }
}

function written(worked, reference, layouts) {
  const isWhole = worked.find(reference).name === reference
  return {
    lines: layouts.map((by) => worked.lines(reference, by)), html: layouts.map((by) => worked.html(reference, by)),
    sums: worked.sums(reference),
    ...(isWhole && { numbers: worked.numbers(reference).map((number) => whole(worked, number)), row: worked.row(reference) }),
    opened: worked.opened(reference),
  }
}

// One program, written in several ways and on several draws of its givens.
function answer({ data, ways, draws, references }) {
  const sheet = load(data.program), writers = ways.map((way) => new Worked({ ...data, ...way }, sheet))
  return draws.map((given) =>
    refusing(() => {
      sheet.run(given)
      return writers.map((worked) => references.map((asked) => refusing(() => written(worked, ...asked))))
    }),
  )
}

// What a card says of a machine: bills, formats, and where each format first shows other digits.
function machine({ data, names, numbers, tracks }) {
  const worked = new Worked(data, load(data.program))
  return {
    bills: names.map((name) => worked.bill(name)),
    formats: numbers.map((reference) => worked.inFormats(reference)),
    changes: tracks.map((track) => worked.firstChange(track) ?? null),
  }
}

const out = createWriteStream(process.argv[3])
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const question = JSON.parse(line)
  out.write(JSON.stringify(refusing(() => (question.tracks ? machine : answer)(question))) + "\n")
}
out.end()
