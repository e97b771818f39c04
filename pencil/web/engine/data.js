// Reads the data of a page's scripts, which book/_ext/pencil_book/shared.py has deduplicated.

const SHARED = "pencil-shared"
let table

// The data of a script element. { "=": 12 } refers to an entry of the table that all scripts of the page share.
export function dataOf(script) {
  table ??= unshared(JSON.parse(document.getElementById(SHARED)?.textContent ?? "[]"))
  return whole(JSON.parse(script.textContent), table)
}

// Entries of the table refer to earlier ones only
function unshared(list) {
  const before = []
  for (const one of list) before.push(whole(one, before))
  return before
}

function whole(value, list) {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((one) => whole(one, list))
  if ("=" in value) return list[value["="]]
  const data = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one, list)]))
  if ("steps" in data && "places" in data) // a program, in whose steps a bare number is a reference
    data.steps = data.steps.map((step) => (typeof step === "number" ? list[step] : step))
  return data
}

// What a text of JSON holds, or null
export const parsed = (text) => orNull(() => JSON.parse(text))

// The result of an action, or null if it throws
export function orNull(action) {
  try {
    return action()
  } catch {
    return null
  }
}
