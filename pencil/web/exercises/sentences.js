// Every sentence that is said to an answer, one function for each kind of diagnosis; only the messages of known
// mistakes come with the exercise. Who translates the book's verdicts translates this file.

import { PROBLEMS } from "../engine/typed.js"

const MOST = 2 // mistakes that are told at once
const ONCE_TOO_OFTEN = "something was multiplied or divided once too often, or not at all"
const ROUND = "Round at the end of each line, and carry on with what you wrote."
const FACTORS = { 2: "two", 3: "three", 4: "four" }

// A diagnosis: { kind, ...what its sentence needs } -> what is said
export const sentence = (diagnosis) => SENTENCES[diagnosis.kind](diagnosis)

const SENTENCES = {
  right: () => "Right.",
  other_order: ({ first }) => `Right, in the other order: ${first} comes first.`,
  follows: ({ step }) => `This follows from what you wrote; the slip is in ${step || "an earlier answer"}.`,
  of_the_book: ({ message }) => `${message} This is about the book’s own numbers; you have changed some.`,
  mistakes: mistakesTold,

  // what cannot be read
  nothing: () => "There is nothing here yet. Type a number, such as 0.5 or −2.",
  ...PROBLEMS,
  still_a_sum: () => "This is still a sum. Work it out, and type what comes out.",
  letters: ({ letters, wanted }) => `Type the number${plural(wanted)} alone, without “${letters}”.`,
  choose: ({ choices }) => `Choose one of these${choices.length ? `: ${choices.join(", ")}` : ""}.`,

  // how the digits are written
  short: ({ isClear, isPlain }) =>
    `${isClear ? "So far, so good" : "Too short to tell"}. Write ${isPlain ? "three decimals" : "four figures"}.`,
  sign: ({ off, wanted }) => `Look at the sign${wanted > 1 ? ` of ${numbered(off)}` : ""}.`,
  another_order: () => "The numbers stand in another order.",
  cut_off: ({ off, wanted }) =>
    `You cut the digits off${within(off, wanted)}. Round: the first digit that is left out says whether to round up.`,
  digits_swapped: ({ off, wanted }) =>
    `Two digits have changed places${within(off, wanted)}. Look at what you wrote down.`,
  close: ({ off, isCarried }) =>
    `${off.length ? `In ${numbered(off)} you are close.` : "Close."} Was a number rounded too soon? ` +
    `${isCarried ? "" : "Carry three decimals. "}${ROUND}`,
  too_rough: () => "Whole numbers are too rough here. Carry three decimals.",
  all_to_one: () => "You gave everything to one. Another has a share as well. Carry three decimals.",
  point: () => "The digits are right. Count the zeros, and look where the point stands.",
  percent: () => "Is this per cent? Then write the sign behind it, or divide by a hundred.",

  // how the numbers differ from the right ones
  upside_down: () => "The fraction is upside down: this is one divided by the answer.",
  off_by_one: ({ off }) =>
    off.length
      ? `In ${numbered(off)}: you are off by one. Is something counted twice, or left out?`
      : "You are off by one. Was the first or the last counted twice, or left out?",
  factor: ({ by, off }) =>
    `${off ? `In ${numbered(off)} you` : "You"} are off by a factor of ${FACTORS[by]}: ${ONCE_TOO_OFTEN}.`,
  same_factor: ({ by }) => `Every number is off by the same factor${by ? `, ${FACTORS[by]}` : ""}: ${ONCE_TOO_OFTEN}.`,
  same_amount: () =>
    "Every number is off by the same amount: something was added to all of them, or taken off.",
  not_zero: ({ off }) =>
    `In ${numbered(off)} it is not zero. Work ${off.length === 1 ? "that line" : "those lines"} as well.`,
  twice: ({ off, twice }) =>
    `In ${numbered(off)} you have number ${twice + 1} once more. Each number has a line of its own.`,
  evenly: () => "You shared out evenly. Each has a share of its own.",
  no_whole: ({ isMore }) => `Shares make one whole. These add up to ${isMore ? "more" : "less"}.`,
  complement: () => "That is one minus the answer.",
  square: () => "That is the square of the answer. Was a root forgotten, or something squared once too often?",
  root: () => "That is the root of the answer. Was a root taken once too often, or a square forgotten?",
  exp: () => "That is e, raised to the answer. Stop a step earlier.",
  log: () => "That is the natural logarithm of the answer. Was e to be raised?",

  // how many numbers there are
  begun: (counts) => `So far, so good. ${counted(counts)}`,
  count: ({ which, ...counts }) => counted(counts) + WHICH[which],
  parts: ({ wanted }) => `These are the parts. Add them up${wanted > 1 ? ", number by number" : ""}.`,
  rows_added: () => "These are the rows, added up. Write the rows themselves.",
  parts_added: () => "These are the parts of the answer, added up. Write the parts themselves.",
  parts_averaged: () => "This is the average of the parts. Write the parts themselves.",
  sum_of_all: ({ wanted }) => `That is the sum of all. Write the ${wanted} numbers themselves.`,
  average_of_all: ({ wanted }) => `That is the average of all. Write the ${wanted} numbers themselves.`,
  zeros_left_out: ({ wanted }) => `You left the zeros out. Write them in their places: ${wanted} numbers are wanted.`,
  some_alone: ({ picked, wanted }) =>
    `${picked.length > 1 ? "These are" : "This is"} ${numbered(picked)} alone. ` +
    `Write ${wanted === 2 ? "both" : `all ${wanted}`}.`,
  not_yet: notYet,
}

const WHICH = {
  "": "",
  repeated: " You wrote the same more than once: once is enough.",
  first: " Keep only what you wrote first.",
  unclear: " Which of these does the question ask for?",
}

const plural = (count) => (count === 1 ? "" : "s")
const counted = ({ count, wanted }) =>
  `You typed ${count} number${plural(count)}; ${wanted} ${wanted === 1 ? "is" : "are"} wanted.`
const lowered = (message) => `${message[0].toLowerCase()}${message.slice(1)}`

function notYet({ wanted, good, first }) {
  if (wanted === 1) return "Not yet."
  if (good > 1 && good === wanted - 1) return `Not yet: number ${first + 1} alone differs. Work its line once more.`
  return `Not yet: number ${first + 1} is the first that differs.${good ? ` ${good} of ${wanted} are right.` : ""}`
}

// Mistakes in the order of their likelihood, after what else the numbers may be
function mistakesTold({ mistakes, also = [], off, perhaps, isNegated }) {
  const told = mistakes.map(mistakeTold)
  const messages = eachOnce([...also.map(sentence), ...told]).slice(0, MOST)
  const one = messages.join(" Or: ")
  const hedged = perhaps && !also.length ? `Perhaps ${lowered(one)}` : one
  return (off ? `In ${numbered(off)}: ${lowered(hedged)}` : hedged) + (isNegated ? " Look at the sign, too." : "")
}

// A mistake in the answer's own line, or in one before it: once, or in several values
function mistakeTold({ message, distance, step, times = 1 }) {
  if (!distance) return message
  return `The slip is further up${times > 1 ? ", more than once" : step && `, at ${step}`}: ${lowered(message)}`
}

// [0, 2] -> "numbers 1 and 3"
function numbered(off) {
  const called = off.map((k) => k + 1)
  const last = called.pop()
  return called.length ? `numbers ${called.join(", ")} and ${last}` : `number ${last}`
}

const within = (off, wanted) => (wanted > 1 ? ` in ${numbered(off)}` : "")

// Without messages of a box and of the catalogue that say the same, or share the first or last sentence
function eachOnce(messages) {
  const told = []
  for (const message of messages) if (!told.some((other) => sayTheSame(message, other))) told.push(message)
  return told
}

function sayTheSame(one, other) {
  const parts = [one, other].map((message) => message.replace(/\.$/, "").split(". "))
  const [mine, others] = parts.map(([, ...then]) => then.flatMap((part) => part.split(": ")))
  return parts[0][0] === parts[1][0] || mine.some((a) => others.some((b) => a.startsWith(b) || b.startsWith(a)))
}
