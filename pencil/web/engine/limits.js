// The numbers that an input may have. The same as pencil/trace/limits.py.

import { asGiven } from "./rounding.js"

const TRIES = 1000

// A message about the first number outside the limits of an input, or "". shared: the number that its own has to divide
export function outside({ name, least, most = Infinity, whole, divides }, numbers, shared = Infinity) {
  const isOff = (x) => x < least || x > most || (whole && x % 1 !== 0) || (divides && shared % x !== 0)
  const odd = numbers.find(isOff)
  if (odd === undefined) return ""
  let near = Math.min(Math.max(whole ? Math.round(odd) : odd, least), most, shared)
  const stop = near - TRIES
  while (near > stop && isOff(near)) near--
  const low = asGiven(least)
  const range = most < Infinity ? ` from ${low} to ${asGiven(most)}` : `, ${low} or more`
  const also = divides ? `, that divides '${divides}'` : ""
  const hint = near > stop ? `. Type ${asGiven(near)}, for example` : ""
  return `'${name}' must be a ${whole ? "whole " : ""}number${range}${also}${hint}`
}
