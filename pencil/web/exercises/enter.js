// A form that is never submitted, which a frame may forbid: the Enter key acts instead
export function onEnter(form, act) {
  form.onsubmit = (event) => {
    event.preventDefault()
    act()
  }
  form.onkeydown = (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return
    event.preventDefault()
    act()
  }
}
