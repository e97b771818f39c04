"""Adversarial lines that account for all their digits but state something false. Each must fail."""

from itertools import product

# fmt: off

V = "{v}`8 <nolan.scores[ended]>`"
W = "{v}`2 <nolan.scores[nolan]>`"
S = "{v}`0.953 <nolan.weights[ended]>`"

DASHES = "-−–—‐‑‒―⁃﹣－➖˗"
SIGNS = [*DASHES, "±", "∓", "√", "∛", "∜", "¬", "∼", "~", "minus", "Minus", "negative", "plus or minus", "**minus**", "\\-", "\\~"]
SIGNED = [
    f"The score is {sign}{gap}{V}."
    for sign, gap in product(SIGNS, ("", " ", "\u00a0", "\u200b"))
    if not (sign[-1:].isalpha() and not gap.strip("\u200b"))
]
SIGNED += [f"| word | score |\n|---|---|\n| ended | {sign}{V} |" for sign in DASHES]
SIGNED += (
    [f"- {sign} {V}" for sign in "–—−√±"]
    + [f"({sign}{V})" for sign in "–‐−√±"]
    + [f"<b>−</b>{V}", f"*–* {V}", f"`−`{V}", f"[−](a.html){V}", f"$-${V}"]
)

PER_CENT = [
    "%", "％", "﹪", "٪", "‰", "‱", "\\%", "**%**", "*%*", "`%`", "$\\%$", "<b>%</b>", "[%](a.html)", "per cent", "percent", "*per cent*", "pct",
    "{sub}`%`",
]
SCALES = ["thousand", "million", "billion", "trillion", "hundred", "dozen", "k", "K", "M", "bn", "million million", "squared", "cubed", "and a half"]
UNITS = [f"The score is {S}{gap}{unit} of all." for unit in PER_CENT for gap in ("", " ", "\u00a0")]
UNITS += [f"The score is {V}{gap}{unit} of all." for unit in SCALES for gap in (" ", "\u00a0", "-")] + [
    f"The score is {V}{unit}." for unit in ("k", "K", "M", "!", "!!", "e5", "E5", "x", "∞", "′")
]
UNITS += [f"The score is **{V}** {unit} of all." for unit in ("%", "thousand", "million", "per cent")] + [
    f"{S}<!-- -->%", f"{S}\u200b%", f"{V}\nthousand",
]

JOINTS = [
    "", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", ",", ".", "/", "^", "'", "’", ":", "_", "\u00a0", "\u202f", "\u2009", " ", "\n",
]
JOINTS += ["<sup></sup>", "<wbr>", "<!-- -->", "****", "**", "e", "E", "∕", "⁄", "٫", "⸴", "،", "˙", "‚", "\\^", "`.`", "`,`", "<b>.</b>", "²", "⁻"]
JOINED = [f"The score is {V}{joint}{W} here." for joint in JOINTS]
JOINED += [
    f"**{V}**{W}", f"{V}*{W}*", f"[{V}](a.html)[{W}](b.html)", f"{V}<sup>{W}</sup>", f"{V}<sub>{W}</sub>",
    f"{{when}}`so <nolan.scores[ended] > 1>`{V}{W}", f"<b>{V}</b><i>{W}</i>",
]

COMPARED = (
    [f"{V} {sign} {W}" for sign in "<≤=≈≡＝＜≪≦⩽⪅≲≺≅≃∼≊≐≑"]
    + [f"{W} {sign} {V}" for sign in ">≥＞≫≧⩾=≈≳≻"]
    + [f"{V} {sign} {V}" for sign in "≠<>＜＞≉"]
)
COMPARED += [
    f"{V} \\< {W}", f"{V} != {V}", f"{V} <= {W}", f"{W} >= {V}", f"{V} == {W}", f"**{V}** = **{W}**", f"({V} < {W})", f"{V}<{W}", f"{S} = {W}",
    f"{V} &lt; {W}", f"{W} &gt; {V}",
]
COMPARED += [
    f"{W} < {V} < {W}", f"{V} = {V} = {W}", f"{V} is less than {W}", f"{W} is more than {V}", f"{V} equals {W}", f"{V} is equal to {W}",
    f"{W} is greater than {V}", f"{V} is smaller than {W}",
]
COMPARED += [
    f"{V} is at most {W}", f"{W} is at least {V}", f"{W} is larger than {V}", f"{V} is not {V}", f"{V} / {W} < {W}", f"{V} − {W} > {V}",
    f"√{V} = {W}",
]

EQUALS = [
    "is", "equals", "→", "≡", "＝", "∼", "makes", "gives", "is equal to", "comes to", "⇒", "⟶", "->", "=>", "==", ":=", "≔", "≅", "⟹", "↦", "yields",
    "leaves", "add up to", "is about", "∴", "≟",
]
SUMS = [f"So {V} + {W} {sign} {S}." for sign in EQUALS] + [
    f"{V} {sign} {W} = {S}"
    for sign in (
        "x", "X", "*", "\\*", "⋅", "∙", "•", "✕", "✖", "⨯", "times", "plus", "+", "minus", "–", "divided by", "∕", "÷", "∗", "⁄", "∶", "＋", "﹢",
        "⊗", "⊙", "∘",
    )
]
SUMS += [f"{V} {sign} {W} is {S}" for sign in ("+", "·", "×", "−", "/", "times", "plus")] + [
    f"{V}x{W} = {S}", f"{V}\\*{W} = {S}", f"The sum {V} + {W} + {V} is {W}.", f"{V} + {W}\n= {S}", f"{V} + {W} =\n{S}",
]

RESULTS = ["is", "equals", "adds up to", "makes", "gives", "comes to", "=", "is about", "is exactly", "leaves"]
WORDS = [f"So {V} + {W} {verb} {word}." for verb, word in product(RESULTS, ("two", "eleven"))]
WORDS += [
    "It turns by seventy-three degrees.", "The shares add up to two.", "The row sums to seven.", "It is right in eighty-seven per cent.",
    "The sum is eleven.", "The dot product is nine.", "The score equals five.", "The miss comes to nine.", "It has forty-three dials.",
    "There are twenty-seven words.", "About ninety-one in a hundred.", "It needs seventeen moves.", "Three hundred and five dials.",
    "It has twelve thousand and one dials.", "Some four thousand and fifty dials.", "Adds up to **two**.", "# The shares add up to two",
    "![the shares add up to two](a.png)", ":::{note} Seventy-three degrees\nNo.\n:::", "The total is five.", "The answer is twelve.",
    "The average is six.", "The mean is six.", "The result is four.",
]
TOLD = [
    "turns out to be", "turn out to be", "works out to",
    "works out at", "results in", "comes out as", "comes out at", "totals", "amounts to", "sums to",
]
AMOUNTS = ["two", "half", "a half", "one half", "two thirds", "three quarters", "one and a half", "three and a third", "twice", "a dozen"]
WORDS += [f"The row {verb} {amount}." for verb, amount in product(TOLD, AMOUNTS)]
WORDS += [f"The {noun} is {amount}." for noun in ("sum of the shares", "norm", "length", "maximum", "largest score") for amount in ("five", "half")]
WORDS += ["The row's total: two.", "The sum: nine.", "The shares add up to **one** and a half.", "Their sum is about a third."]
WORDS += [f"The scores {verb} {word}." for verb, word in product(("add up to", "come to", "sum to", "total"), ("one", "zero", "exactly one"))]
WORDS += ["The total is one.", "The sum of the scores is zero.", "The dot product is zero.", "They add up to one."]
WORDS += ["Shares? The scores add up to one."]
NOUNS = ["row", "column", "share", "gap", "variance", "square", "count", "width", "slope", "number", "weight of *ended*", "rank"]
WORDS += [f"The {noun} {verb} {word}." for noun, (verb, word) in product(NOUNS, [("is", "seven"), ("becomes", "about half")])]
ELSEWHERE = "# One\n\n{}\n\n## Two\n\nThere are forty-eight words.\n"
WORDS += [ELSEWHERE.format("```{code-cell} ipython3\nwidth = 48\n```")]
ROMAN = ["It has XLII heads.", "There are VIII words.", "Head IV is best.", "ⅷ heads", "xvii of them", "chapter xiv"]
SCRIPTS = [
    "五十 words", "八 heads", "〇 words", "㊂ words", "🔟 words", "&half; of it", "&frac12; of it", "८ heads", "٨ words", "𝟖 words", "⑧ words",
    "❽ words",
    "㈧ words", "８ words", "८ words", "Ⅷ words", "一 word", "壹 word", "↊ words", "𝍠 words", "🄌 words",
    "𐄇 words",
    "&#x1F51F; words", "8️⃣ words",
]

CELL = "```{{code-cell}} ipython3\n{}\n```"
TYPED = [
    'print("share", 0.777)', 'print("share 0.777x")', 'print("share 0.777")', 'print(f"share {0.777}")', 'print(f"share 0.777")',
    "0.777", '"0.777"',
    "share = 0.777\nprint(share)", "share = 0.777\nshare", 'said = "share 0.777"\nprint(said)', "print(*[0.777])", "print(0.7 + 0.077)",
    "print(round(0.777, 3))", "print(str(0.777))", 'print("share %s" % 0.777)', 'print("share {}".format(0.777))', 'print("seventy-three")',
    "display(0.777)", "from IPython.display import HTML\nHTML('<b>0.777</b>')", "from IPython.display import Markdown\nMarkdown('share 0.777')",
    "x = [0.777]\nprint(x)", "x = {'share': 0.777}\nprint(x['share'])", "for x in (0.777,):\n    print(x)", "print('share', end=' 0.777')",
    "import sys\nsys.stdout.write('0.777')", "print(float('0.777'))", "import numpy as np\nprint(np.array([0.777]))",
    "def share():\n    return 0.777\nprint(share())", "print(777 / 1000)", "ax.set_title('share 0.777')", "ax.text(1, 2, '0.777')",
    "print('''share\n0.777''')",
    'print("share %s"\n % 0.777)', "if True:\n    %matplotlib inline\nprint(0.777)",
]
CELLS = [CELL.format(code) for code in TYPED]
META = ["alt: A bar at 0.777", "alt: A bar at seventy-three", "title: 0.777 of all", 'alt: "0.777"']
CELLS += [CELL.format(f"---\nmystnb:\n  image:\n    {line}\n---\ndraw()") for line in META] + [
    CELL.format(f"---\nmystnb:\n  figure:\n    {line}\n---\ndraw()")
    for line in ("caption: 0.777 of all", "caption: |\n      Some words\n      and 0.777", "name: a\n    caption: 0.777")
]
CELLS += [
    CELL.format(":tags: [learn]\n\nprint('0.777')"), CELL.format(":mystnb: {image: {alt: '0.777'}}\n\ndraw()"),
    CELL.format("---\ntags: [hide-input]\nmystnb:\n  code_prompt_show: 'Show 0.777'\n---\ndraw()"),
]
CELLS += [
    "- A list\n\n  ```{code-cell} ipython3\n  print(0.777)\n  ```", "> ```{code-cell} ipython3\n> print(share)\n> ```",
    "1. A list\n\n   ```{code-cell} ipython3\n   share\n   ```", ":::{note}\n```{code-cell} ipython3\nshare\n```\n:::",
]

LINKS = [
    "Words\n[0.777]: https://a.org", "Words [0.777] here.\n\n[0.777]: https://a.org", "Words\n[a]: 0.777", "A note.[^0.777]", "A note.[^777]",
    "A note.[^777]\n\n[^777]: A note.", "See <https://a.org/0.777>.", "See https://a.org/0.777 there.", "See <a0.777@b.org>.",
    "See `[`0.777](a.html).", "See `[a`](0.777).", "See [a`](0.777)`.", "`[`](0.777 `)`", "See [`](a_0.777)`.", "![a`](0.777.png)`",
    "[a]: https://a.org '0.777'\n\nSee [a].", "See [a](b.html '0.777').", "See [0.777](b.html).", "See {ref}`0.777 <a>`.",
    "See [](#a-0.777 '0.777').",
]

# fmt: on
WRONG = [*SIGNED, *UNITS, *JOINED, *COMPARED, *SUMS, *WORDS, *ROMAN, *SCRIPTS, *CELLS, *LINKS]
