/* Loaded after pencil.js, in the JavaScript of 2009, which every browser reads: where that script did not come to its end,
   the line for readers without scripts is shown. */
(function () {
  var line = document.querySelector("noscript.pencil-unscripted")
  var isStarted = document.documentElement.classList.contains("pencil-started")
  if (line && !isStarted) line.outerHTML = line.textContent
})()
