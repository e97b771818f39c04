// What moves in a drawing besides what CSS can move. Nothing does for a reader who wants no motion.

const [QUICK, SLOW] = [200, 700] // milliseconds
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches

// Puts a mark where a changed number has it, such as the end of a line or the place of a text. The attribute is there
// at once; an animation on top of it comes from where it was. There are many rectangles: these CSS moves.
export function glide(element, attribute, value) {
  const from = element.getAttribute(attribute)
  element.setAttribute(attribute, value)
  if (from !== value && !element.matches("rect") && !isStill()) move(element, attribute, from, value, QUICK)
}

function move(element, attributeName, from, to, time) {
  const animate = document.createElementNS(element.namespaceURI, "animate")
  const as = { attributeName, from, to, dur: `${time}ms`, begin: "indefinite" }
  for (const name in as) animate.setAttribute(name, as[name])
  animate.addEventListener("endEvent", () => animate.remove())
  element.append(animate)
  animate.beginElement()
}

// Draws the lines of a step from where they begin, and lets its bars grow.
export function drawStep(group) {
  if (isStill()) return
  for (const part of group.querySelectorAll("line, path, rect[data-paint^=width]")) {
    const of = (name) => part.getAttribute(name)
    if (part.matches("line")) for (const axis of "xy") move(part, `${axis}2`, of(`${axis}1`), of(`${axis}2`), SLOW)
    else if (of("width")) part.animate({ width: ["0px", `${of("width")}px`] }, SLOW)
    else {
      const long = part.getTotalLength()
      part.animate({ strokeDasharray: [`0 ${long}`, `${long} 0`] }, SLOW)
    }
  }
}
