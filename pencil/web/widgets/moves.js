// The controls above a lab: choices, the buttons that take changes back, and the steps.

import { html } from "../render/element.js"

// state: the data of pencil/widgets/lab.py; steps: of the variant; then the current variant and step
export function moves({ choices, variants }, steps, { variant, step, undo }) {
  const button = (act, to, label) =>
    html`<button type="button" data-do="${act}" data-to="${to}"${to === "" ? html` disabled` : ""}>${label}</button>`
  let stride = variants.length
  const chosen = choices.map(({ label, options, add, remove }) => {
    stride /= options.length
    const at = Math.floor(variant / stride) % options.length
    const to = (k) => (options[k] === undefined ? "" : variant + (k - at) * stride)
    if (add) return [button("variant", to(at + 1), add), button("variant", to(at - 1), remove)]
    const choice = (option, k) =>
      html`<option value="${to(k)}"${k === at ? html` selected` : ""}>${option}</option>`
    return html`<label>${label} <select data-do="variant">${options.map(choice)}</select></label>`
  })
  const back = undo ? button("undo", 0, "Undo") : ""
  const above = [...chosen, back, button("reset", 0, "Reset this lab")]
  if (steps.length < 2) return above
  const to = (k) => {
    if (!steps[k]) return button("step", "", k < 0 ? "← Start" : "End →")
    return button("step", k, k < step ? `← ${steps[k].label}` : `${steps[k].label} →`)
  }
  const here = html`<strong>${step + 1} of ${steps.length}: ${steps[step].label}</strong>`
  return html`${above}<div class="pencil-moves">${to(step - 1)}${here}${to(step + 1)}</div>`
}
