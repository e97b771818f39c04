// What a page carries for its script, as book/_ext/pencil_book/shared.py wrote it.

const SHARED = "pencil-shared"
let table

// What a script of the page holds. What stands there as { "=": 12 } is in a list that all scripts of the page share.
export function dataOf(script) {
  table ??= unshared(JSON.parse(document.getElementById(SHARED)?.textContent ?? "[]"))
  return whole(JSON.parse(script.textContent), table)
}

// In the list itself each leans only on those before it
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
  if ("steps" in data && "places" in data) // a program; of its steps, the shared ones stand there as their place alone
    data.steps = data.steps.map((step) => (typeof step === "number" ? list[step] : step))
  return data
}
