// What a page has to keep to. What stands at "off" is a way of writing HTML, not a mistake in it, save where it says more.
module.exports = {
  root: true,
  extends: ["html-validate:standard"],
  elements: ["html5", { summary: { permittedContent: ["@phrasing", "@heading", "p"] } }], // the paragraphs in its folded cells are myst-nb's
  rules: {
    "attribute-boolean-style": "off",
    "no-implicit-input-type": "off",
    "no-inline-style": "off", // a shade is its number: style="--v:0.953"
    "no-trailing-whitespace": "off",
    "prefer-native-element": "off",
    "prefer-tbody": "off",
    "void-style": "off",
    "wcag/h32": "off", // the theme's search has no button: the Enter key sends it
  },
}
