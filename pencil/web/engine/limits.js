// The numbers that an input may have. The same as pencil/trace/limits.py.

import { asGiven } from "./rounding.js"

// A message about the first number outside the limits of an input, or "". shared: the number that its own has to divide
export function outside({ name, least, most = Infinity, whole, divides }, numbers, shared) {
  const isOff = (x) => x < least || x > most || (whole && x % 1) || (divides && shared % x)
  const odd = numbers.find(isOff)
  if (odd === undefined) return ""
  let near = Math.min(Math.max(whole ? Math.round(odd) : odd, least), most)
  while (isOff(near)) near--
  const kind = whole ? "whole number" : "number"
  const to = most < Infinity ? `to ${asGiven(most)}` : "on"
  const also = divides ? ` that divides '${divides}'` : ""
  const is = `'${name}' is a ${kind} from ${least} ${to}${also}`
  return `${is}, and ${asGiven(odd)} is none; type ${near}, for example`
}
