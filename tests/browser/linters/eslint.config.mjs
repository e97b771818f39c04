// What every script has to keep to; it runs in a browser, and in the oldest ones that pencil/web/package.json names.
import js from "@eslint/js"
import globals from "globals"

import { properties, tooNew } from "./too_new.mjs"

const OWN = ["changed", "draw", "element", "format", "lost", "range", "take", "to"] // also names of the page's own properties
const message = "The oldest browsers of pencil/web/package.json do not have it."
const LOOKBEHIND = String.raw`/\(\?<[=!]/`
const patterns = [`Literal[value=${LOOKBEHIND}]`, `Literal[regex.pattern=${LOOKBEHIND}]`, `TemplateElement[value.raw=${LOOKBEHIND}]`]
const HAS = ["Literal[value=/:has\\(/]", "TemplateElement[value.raw=/:has\\(/]"]

const HTML = [
  "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]",
  "ObjectExpression > Property[key.name=/^(inner|outer)HTML$/]",
  "CallExpression[callee.property.name='insertAdjacentHTML'][arguments.1.type!=/^(Identifier|Literal|TemplateLiteral)$/]",
  "CallExpression[callee.property.name='insertAdjacentHTML'] > TemplateLiteral[expressions.length>0]",
]
const by = "Replace HTML by `fill` of render/element.js, add it by insertAdjacentHTML from a template without values, and put any other text into textContent."
const TAG = "value=/(^|[^?])<[a-z]/i" // not the name of a group in a regular expression
const UNTAGGED = [
  `:not(TaggedTemplateExpression) > TemplateLiteral[expressions.length>0]:has(> TemplateElement[${TAG.replace("value", "value.raw")}])`,
  `BinaryExpression[operator='+']:has(> Literal[${TAG}]):has(> :not(Literal):not(BinaryExpression))`,
]
const escaped = "Write HTML that has values in it with the tag `html` of render/element.js, which escapes them."
const tooOld = [...patterns, ...HAS].map((selector) => ({ selector, message }))

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
      "no-restricted-syntax": ["error", ...tooOld, ...HTML.map((selector) => ({ selector, message: by })), ...UNTAGGED.map((selector) => ({ selector, message: escaped }))],
    },
  },
  { files: ["**/*-fragments.js", "**/*-bound.js"], rules: { "no-restricted-syntax": ["error", ...tooOld, ...HTML.map((selector) => ({ selector, message: by }))] } }, // a line, number by number, and cut into its numbers again
  { files: ["**/*-element.js", "**/*-started.js"], rules: { "no-restricted-syntax": ["error", ...tooOld] } }, // `fill`, and a noscript's own text
  { files: ["**/*started.js"], languageOptions: { ecmaVersion: 5, sourceType: "script" } }, // any browser has to read it
]
