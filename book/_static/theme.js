/* What the theme writes into each page itself: a host may forbid that (pencil_book/policy.py). It comes before the page
   is shown. */
;(function () {
  var stored = function (name) {
    try {
      return localStorage.getItem(name) || "auto"
    } catch {
      return "auto"
    }
  }
  var press = { print: function () { print() }, fullscreen: function () { window.toggleFullScreen() } }
  document.documentElement.setAttribute("data-mode", stored("mode"))
  document.documentElement.setAttribute("data-theme", stored("theme"))
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("[data-press]")
    if (button) press[button.getAttribute("data-press")]()
  })
})()
