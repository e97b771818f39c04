// The HTML of a lab's parts: inputs in cells, worked lines, pictures, and the largest number. The fields of a part are
// documented in Part of pencil/widgets/lab.py.

import { html } from "../render/element.js"
import { groupedLine, paragraphs } from "../render/fragments.js"
import { picture } from "../render/pictures.js"
import { ink } from "./paint.js"

const DRAWS = { 1: "again", 100: "a hundred times" }

// part: from pencil/widgets/lab.py; worked: the Worked of its run
export function written(part, worked) {
  const { kind, show, label = "" } = part
  if (kind === "lines") {
    const lines = html`<div class="pencil-worked" translate="no">${paragraphs(linesOf(part, worked))}</div>`
    return label ? html`<p>${label}</p>${lines}` : lines
  }
  if (kind === "says") return html`<p role="status">${said(part, worked)}</p>`
  if (kind === "given") return given(part, worked)
  return html`<div class="pencil-picture" tabindex="0">${picture(worked, kind, show, label)}</div>`
}

export const linesOf = ({ show, by }, worked) =>
  show.split(" ").flatMap((one) => worked.html(one, by).map(groupedLine))

// The word of the largest paper value; equal digits are a tie
export function said({ show, label, words, blank }, worked) {
  if (blank && [...worked.find(blank[0]).exact].every((x) => x === 0)) return blank[1]
  const { paper } = worked.find(show)
  const most = Math.max(...paper)
  const highest = words.filter((_, k) => paper[k] === most)
  return highest.length === 1 ? `${label} ${highest[0]}.` : `${highest.join(" and ")} are equal.`
}

const option = (word, k, text) =>
  html`<option value="${k}"${`${k}` === text ? html` selected` : ""}>${word}</option>`

function given({ show, label = "", range, paint, clear, draw, words }, worked) {
  const { whole } = worked.find(show).array
  const cell = ({ text }, place) => {
    const called = worked.named(show, place)
    const field = html`data-name="${show}" data-place="${place}" value="${text}" aria-label="${called}"`
    if (paint) return ink(field, place)
    if (words) return html`<select ${field}>${words.map((word, k) => option(word, k, text))}</select>`
    const slider = range
      ? html`<input type="range" min="${range[0]}" max="${range[1]}" step="${range[2]}" ${field}>`
      : ""
    const count = whole ? html` data-count=1` : ""
    const typed = html`class="pencil-cell" maxlength="40" autocomplete="off" spellcheck="false"`
    return html`<input ${typed} ${field}${count}>${slider}`
  }
  const button = (act, says) => html`<button type="button" ${act}>${says}</button>`
  const buttons = [
    ...(clear ? [button(html`data-clear`, clear)] : []),
    ...Object.entries(draw ? DRAWS : {}).map(([times, says]) =>
      button(html`data-draw="${times}"`, `${draw[2] ?? "Draw"} ${says}`),
    ),
  ]
  const controls = buttons.length ? html`<div class="pencil-controls">${buttons}</div>` : ""
  return html`${picture(worked, "given", show, label, cell)}${controls}<p class="wrong" role="alert"></p>`
}
