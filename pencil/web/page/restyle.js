// What as a style of the page would be worked out anew for each of its thousands of numbers, on those alone that it
// concerns.

const STICKY = ":is(.pencil-steps, .pencil-part.drawing:last-child, .pencil-machine .pencil-drawing:last-child)"

// What sticks to the foot of the page stands above a bar that is as high as it happens to be.
export function standAbove(bar) {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  new ResizeObserver(() => sheet.replaceSync(`${STICKY} { --bar: ${bar.offsetHeight}px }`)).observe(bar)
}

// What shows on a number that is pointed at is its exact value. An open card says it all; and a number of the prose
// knows that of the pencil number alone.
export function mute(isCarded, isYours) {
  const isMute = (number) => isCarded || (isYours && !number.closest(".pencil-worked"))
  for (const number of document.querySelectorAll(".pencil-number:is(.mute, :hover, :focus)"))
    number.classList.toggle("mute", number.matches(":hover, :focus") && isMute(number))
}
