// What every script has to keep to; it runs in a browser, and in the oldest ones that pencil/web/package.json names.
import js from "@eslint/js"
import globals from "globals"

import { properties, tooNew } from "./too_new.mjs"

const OWN = ["changed", "draw", "element", "format", "lost", "range", "take", "to"] // also names of the page's own properties
const message = "The oldest browsers of pencil/web/package.json do not have it."
const LOOKBEHIND = String.raw`/\(\?<[=!]/`
const patterns = [`Literal[value=${LOOKBEHIND}]`, `Literal[regex.pattern=${LOOKBEHIND}]`, `TemplateElement[value.raw=${LOOKBEHIND}]`]
const HAS = ["Literal[value=/:has\\(/]", "TemplateElement[value.raw=/:has\\(/]"]

const isGlobal = ({ owner, part }) => !part || owner === "Window"
const isStatic = ({ owner, part }) => part && owner in globals.builtin

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-globals": ["error", ...tooNew.filter(isGlobal).map(({ owner, part }) => ({ name: part ?? owner, message }))],
      "no-restricted-properties": [
        "error",
        ...properties.filter((name) => !OWN.includes(name)).map((property) => ({ property, message })),
        ...tooNew.filter(isStatic).map(({ owner, part }) => ({ object: owner, property: part, message })),
      ],
      "no-restricted-syntax": ["error", ...[...patterns, ...HAS].map((selector) => ({ selector, message }))],
    },
  },
  { files: ["**/*started.js"], languageOptions: { ecmaVersion: 5, sourceType: "script" } }, // any browser has to read it
]
