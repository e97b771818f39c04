// Styles that are set on single elements, because a rule for the page would be recalculated for thousands of numbers.

const STICKY = ":is(.pencil-steps, .pencil-part.drawing:last-child, .pencil-machine .pencil-drawing:last-child)"

// Keep sticky elements at the bottom above a bar of variable height. Safari before 16.4 has no sheets made by a script:
// there the whole page is restyled.
export function standAbove(bar) {
  const sheets = document.adoptedStyleSheets // eslint-disable-line no-restricted-properties
  const sheet = sheets && new CSSStyleSheet()
  sheets?.push(sheet)
  const put = sheet
    ? (height) => sheet.replaceSync(`${STICKY} { --bar: ${height} }`) // eslint-disable-line no-restricted-properties
    : (height) => document.documentElement.style.setProperty("--bar", height)
  new ResizeObserver(() => put(`${bar.offsetHeight}px`)).observe(bar)
}

// Suppress the tooltip with the exact value while a card is open, and in prose with changed numbers, where it is wrong.
export function mute(isCarded, isYours) {
  const isMute = (number) => isCarded || (isYours && !number.closest(".pencil-worked"))
  for (const number of document.querySelectorAll(".pencil-number:is(.mute, :hover, :focus)"))
    number.classList.toggle("mute", number.matches(":hover, :focus") && isMute(number))
}
