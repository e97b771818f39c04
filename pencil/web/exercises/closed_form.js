// The value of a closed form such as 3 ln 2, 2^3 or 1/(1+e^-4): a sum with a function, a power, or a bracket below the
// line; NaN for any other text. A factor may stand right before a letter, a root or a bracket.

import { plainSigns, respelled } from "../engine/typed.js"
import { CUSTOMS } from "./answers.js"

const { log: ln, exp, tanh, sin, cos, sqrt } = Math
const FUNCTIONS = new Map(Object.entries({ ln, log: ln, exp, tanh, sin, cos, "√": sqrt }))
const CONSTANTS = new Map(Object.entries({ e: Math.E, pi: Math.PI, π: Math.PI }))

export function closedForm(answer) {
  const text = respelled(plainSigns(String(answer)), CUSTOMS).toLowerCase().replace(/−/g, "-").replace(/×|·/g, "*")
  const tokens = text.match(/\d+(?:\.\d*)?|\.\d+|[a-z]+|√|\S/g) ?? []
  if (!/[a-z^]|[/√]\s*\(/.test(text)) return NaN
  let at = 0
  const next = (...signs) => signs.includes(tokens[at]) && tokens[at++]
  const sum = () => chain(product, { "+": (a, b) => a + b, "-": (a, b) => a - b })
  const product = () => chain(factors, { "*": (a, b) => a * b, "/": (a, b) => a / b })
  function chain(part, signs) {
    let value = part()
    for (let sign; (sign = next(...Object.keys(signs))); ) value = signs[sign](value, part())
    return value
  }
  function factors() {
    let value = power()
    while (/^[a-z(√π]/.test(tokens[at] ?? 0)) value *= power()
    return value
  }
  function power() {
    if (next("-")) return -power()
    const base = atom()
    return next("^") ? base ** power() : base
  }
  function atom() {
    const token = tokens[at++]
    if (token === "(") {
      const value = sum()
      return next(")") ? value : NaN
    }
    const work = FUNCTIONS.get(token)
    return work ? work(tokens[at] === "(" ? atom() : power()) : (CONSTANTS.get(token) ?? Number(token || NaN))
  }
  const value = sum()
  return at === tokens.length ? value : NaN
}
