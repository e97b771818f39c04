// The HTML of a lab's parts: inputs in cells, worked lines, pictures, and the largest number. The fields of a part are
// documented in Part of pencil/widgets/lab.py.

import { escape, grouped, paragraphs } from "../render/fragments.js"
import { picture } from "../render/pictures.js"
import { ink } from "./paint.js"

const DRAWS = { 1: "again", 100: "a hundred times" }

// part: from pencil/widgets/lab.py; worked: the Worked of its run
export function written(part, worked) {
  const { kind, show, label = "" } = part
  if (kind === "lines") {
    const lines = `<div class="pencil-worked" translate="no">${paragraphs(linesOf(part, worked))}</div>`
    return label ? `<p>${escape(label)}</p>${lines}` : lines
  }
  if (kind === "says") return `<p role="status">${escape(said(part, worked))}</p>`
  if (kind === "given") return given(part, worked)
  return `<div class="pencil-picture">${picture(worked, kind, show, label)}</div>`
}

export const linesOf = ({ show, by }, worked) =>
  show.split(" ").flatMap((one) => worked.html(one, by).map(grouped))

// The word of the largest paper value; equal digits are a tie
export function said({ show, label, words, blank }, worked) {
  if (blank && [...worked.find(blank[0]).exact].every((x) => x === 0)) return blank[1]
  const { paper } = worked.find(show)
  const most = Math.max(...paper)
  const highest = words.filter((_, k) => paper[k] === most)
  return highest.length === 1 ? `${label} ${highest[0]}.` : `${highest.join(" and ")} are equal.`
}

const option = (word, k, text) =>
  `<option value="${k}"${`${k}` === text ? " selected" : ""}>${escape(word)}</option>`

function given({ show, label = "", range, paint, clear, draw, words }, worked) {
  const { whole } = worked.find(show).array
  const cell = ({ text }, place) => {
    const called = escape(worked.named(show, place))
    const field = `data-name="${show}" data-place="${place}" value="${text}" aria-label="${called}"`
    if (paint) return ink(field, place)
    if (words) return `<select ${field}>${words.map((word, k) => option(word, k, text)).join("")}</select>`
    const slider = range
      ? `<input type="range" min="${range[0]}" max="${range[1]}" step="${range[2]}" ${field}>`
      : ""
    const count = whole ? " data-count=1" : ""
    return `<input class="pencil-cell" ${field}${count} maxlength="40" autocomplete="off" spellcheck="false">${slider}`
  }
  const button = (act, says) => `<button type="button" ${act}>${escape(says)}</button>`
  const buttons = [
    ...(clear ? [button("data-clear", clear)] : []),
    ...Object.entries(draw ? DRAWS : {}).map(([times, says]) =>
      button(`data-draw="${times}"`, `${draw[2] ?? "Draw"} ${says}`),
    ),
  ]
  const controls = buttons.length ? `<div class="pencil-controls">${buttons.join("")}</div>` : ""
  return `${picture(worked, "given", show, label, cell)}${controls}<p class="wrong" role="alert"></p>`
}
