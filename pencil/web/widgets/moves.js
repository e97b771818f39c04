// The controls above a lab: choices, the reset button, and the steps.

import { escape } from "../render/fragments.js"

// state: the data of pencil/widgets/lab.py; steps: of the variant; then the current variant and step
export function moves({ choices, variants }, steps, { variant, step }) {
  const button = (act, to, label) =>
    `<button type="button" data-do="${act}" data-to="${to}"${to === "" ? " disabled" : ""}>${escape(label)}</button>`
  let stride = variants.length
  const chosen = choices.map(({ label, options, add, remove }) => {
    stride /= options.length
    const at = Math.floor(variant / stride) % options.length
    const to = (k) => (options[k] === undefined ? "" : variant + (k - at) * stride)
    if (add) return button("variant", to(at + 1), add) + button("variant", to(at - 1), remove)
    const choice = (option, k) =>
      `<option value="${to(k)}"${k === at ? " selected" : ""}>${escape(option)}</option>`
    const listed = options.map(choice).join("")
    return `<label>${escape(label)} <select data-do="variant">${listed}</select></label>`
  })
  const chosenAndReset = chosen.join("") + button("reset", 0, "Reset this lab")
  if (steps.length < 2) return chosenAndReset
  const to = (k) => {
    if (!steps[k]) return button("step", "", k < 0 ? "← Start" : "End →")
    return button("step", k, k < step ? `← ${steps[k].label}` : `${steps[k].label} →`)
  }
  const here = `<strong>${step + 1} of ${steps.length}: ${escape(steps[step].label)}</strong>`
  return `${chosenAndReset}<div class="pencil-moves">${to(step - 1)}${here}${to(step + 1)}</div>`
}
