"""Adversarial lines that account for all their digits and would be read as something else. Each wrong one must fail, each right one pass."""

from itertools import product

# fmt: off

V = "{v}`8 <nolan.scores[ended]>`"
W = "{v}`2 <nolan.scores[nolan]>`"
F = "{v}`4 <nolan.scaled[ended]>`"
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

SIGNED += [
    f"less: ⁻{V}", f"﹘{V}", f"⸺{V} of", f"⊖{V}"
]
UNITS += [
    f"{S} <sup>%</sup>", f"{S} hundredths", f"{V} mio", f"{V} ! (factorial)", f"{V} mille", f"{V} lakh", f"{V} tenths",
    f"{V} to the power of two", f"{V}<sup>th</sup> power", f"{V} times ten", f"{V} Mio.", f"{V} p.c.", f"{V} in %", f"{V} factorial",
    f"{V} quadrillion",
]
AFFIXES = [
    f"It is minus the number {V}.", f"It is the negative of {V}.", f"It is the opposite of {V}: {V}.", f"one over {V}", f"It is one {V}th.",
    f"{V}ths of it", f"{V} th of it", f"{V}fold", f"{V} pc", f"{V} ppm", f"{V} parts per million", f"{V} per thousand", f"{V} per hundred",
    f"{V} hundredweight", f"{V} Mrd.", f"{V} Ki", f"{V} kilo", f"{V} mega", f"{V} giga", f"{V} to the third", f"{V} to the third power",
    f"{V} to the fifth", f"{V} raised to the fourth", f"{V} to the minus one", f"{V} point five", f"a hundred {V}", f"twenty-{V}",
    f"zero point {V}", f"point {V}", f".{V}", f"O{V}", f"l{V}", f"I{V}", f"{V}O", f"{V}l", f"{V} halves", f"{V} thirds", f"{V} quarters",
    f"{V} fifths", f"{V} sevenths", f"log {V}", f"ln {V}", f"exp {V}", f"exp({V})", f"√ ( {V} )", f"|{V}|", f"⌊{V}⌋", f"{V}̄", f"<s>{V}</s>",
    f"<del>{V}</del>", f"({V})!", f"({V}) %", f"[{V}] per cent", f"“{V}” per cent", f"{V}) %", f"{V}, per cent,",
    f"{V}a", f"a{V}", f"{V}π", f"π{V}", f"{V}i", f"{V}j", f"{V}n", f"{V}̅", f"{V} kilobillion", f"thirty-{V}", f"{V} negative",
    f"{V} below zero",
]
JOINED += [
    f"{V}∶{W}", f"{V}<sup> {W}</sup>",
    f"{V}|{W}", f"{V};{W}", f"{V}…{W}", f"{V} . {W}", f"{V} , {W}", f"{V} point {W}", f"{V} comma {W}", f"{V}({W})", f"{V}[{W}]", f"{V} ^ {W}",
    f"{V} : {W}", f"{V} mod {W}", f"{V} choose {W}", f"{V}・{W}", f"{V}。{W}", f"{V}︒{W}", f"{V}⸳{W}",
]

COMPARED = [f"{V} {sign} {W}" for sign in "<≤=≈≡＝＜≪≦⩽⪅≲≺≅≃∼≊≐≑⪇⋜∈"]
COMPARED += [f"{W} {sign} {V}" for sign in ">≥＞≫≧⩾=≈≳≻"] + [f"{V} {sign} {V}" for sign in "≠<>＜＞≉"]
COMPARED += [
    f"{V} \\< {W}", f"{V} != {V}", f"{V} <= {W}", f"{W} >= {V}", f"{V} == {W}", f"**{V}** = **{W}**", f"({V} < {W})", f"{V}<{W}",
    f"{S} = {W}", f"{V} &lt; {W}", f"{W} &gt; {V}", f"{W} < {V} < {W}", f"{V} = {V} = {W}", f"{V} / {W} < {W}", f"{V} − {W} > {V}",
    f"√{V} = {W}", f"{V} $<$ {W}", f"- ≈ {V}",
]
SUMS = [f"{V} + {W} {sign} {S}" for sign in (*"→≡＝∼⇒⟶≔≅⟹↦∴≟≕⩵⟺⇔⇨", "->", "=>", "==", ":=")]
SUMS += [f"{V} {sign} {W} = {S}" for sign in (*"xX*⋅∙•✕✖⨯+–∕÷∗⁄∶＋﹢⊗⊙∘⋆⨉⊕", "\\*")]
SUMS += [
    f"{V}x{W} = {S}", f"{V}\\*{W} = {S}", f"{V} + {W}\n= {S}", f"{V} + {W} =\n{S}", f"{V} $+$ {W} $=$ {V}", f"{V} + {W}\n\n= {V}",
    f"{V} (= {W} + {W})", f"| a | b |\n|---|---|\n| {V} + {W} | {V} |", f"| a | b | c |\n|---|---|---|\n| {V} + {W} | = | {V} |",
]
WORDS = [
    "It turns by seventy-three degrees.", "It has forty-three dials.", "There are twenty-seven words.", "About ninety-one in a hundred.",
    "It needs seventeen moves.", "Three hundred and five dials.", "It has twelve thousand and one dials.", "Some four thousand and fifty dials.",
    ":::{note} Seventy-three degrees\nNo.\n:::", "The seventeenth head looks back.", "It is a nineteenth.", "a hundred and one heads",
    "fifteen dozen words",
    "# One\n\n```{code-cell} ipython3\nwidth = 48\n```\n\n## Two\n\nThere are forty-eight words.\n", "[x](y 'seventy-three')",
]
ROMAN = ["It has XLII heads.", "There are VIII words.", "Head IV is best.", "ⅷ heads", "xvii of them", "chapter xiv"]
SCRIPTS = [
    "五十 words", "八 heads", "〇 words", "㊂ words", "🔟 words", "&half; of it", "&frac12; of it", "८ heads", "٨ words", "𝟖 words", "⑧ words",
    "❽ words",
    "㈧ words", "８ words", "८ words", "Ⅷ words", "一 word", "壹 word", "↊ words", "𝍠 words", "🄌 words",
    "𐄇 words",
    "&#x1F51F; words", "8️⃣ words",
]

SCRIPTS += [
    "🅀", "㏇", "㍘", "㋀", "㏠ of it", "𓏽 words", "🕗 o'clock", "🂨", "🎱", "⚇", "⚅ words", "🀎", "🁣", "䷁", "MCM", "Head V wins.",
]
LANGUAGES = [
    "Die Summe ist neun.", "Das Ergebnis ist dreiundsiebzig.", "Es sind siebzehn Wörter.", "La somme est neuf.", "soixante-treize", "dix-sept mots",
    "La suma es nueve.", "diecisiete palabras", "La somma è nove.", "diciassette", "Het zijn zeventien woorden.", "dezessete", "novem",
    "siedemnaście", "devět", "девять", "δεκαεπτά", "סכום תשע", "تسعة",
]
FRONT = [
    "---\ntitle: 0.777\n---\nx", "---\nsubtitle: 0.777 of all\n---\nx", "---\ndescription: 0.777\n---\nx",
    "---\nhtml_meta:\n  description: 0.777\n---\nx", "---\nsubstitutions:\n  a: 0.777\n---\n{{ a }}",
    "---\nmyst:\n  substitutions:\n    a: '0.777'\n---\n{{ a }}", "---\nabstract: seventy-three\n---\nx",
    "---\nmyst:\n  html_meta:\n    description: '0.777'\n---\nx",
]
LINKS = [
    "Words\n[0.777]: https://a.org", "Words [0.777] here.\n\n[0.777]: https://a.org", "Words\n[a]: 0.777", "A note.[^0.777]", "A note.[^777]",
    "A note.[^777]\n\n[^777]: A note.", "See <https://a.org/0.777>.", "See https://a.org/0.777 there.", "See <a0.777@b.org>.",
    "See `[`0.777](a.html).", "See `[a`](0.777).", "See [a`](0.777)`.", "`[`](0.777 `)`", "See [`](a_0.777)`.", "![a`](0.777.png)`",
    "[a]: https://a.org '0.777'\n\nSee [a].", "See [a](b.html '0.777').", "See [0.777](b.html).", "See {ref}`0.777 <a>`.",
    "See [](#a-0.777 '0.777').",
]

RIGHT = [
    f"The score is {V}.", f"{W} + {V} = 10", f"{W} < {V}", f"{V} > {W}", f"{W} ≤ {V}", f"{V} ≠ {W}", f"{W} $<$ {V}", f"{V}·{W} = 16",
    f"{V} − {W} = 6",
    f"({V})", f"“{V}”", f"{V}: a lot", f"{V} words", f"{V} times", f"{V}, {W} and {S}", f"{V}? No, {W}", f"| a | b |\n|---|---|\n| {V} | {W} |",
    f"- {V}\n- {W}", f"1. {V}\n1. {W}", f"> {V}", f"# A heading\n\n{V}", f"see [{V}](a.html)", "{v}`95.3 % <nolan.weights[ended]>` of it",
    "{v}`½ <half>` of it", "{v}`forty thousand and eight <dials>` dials", "{v}`40,008 <dials>` dials", "8 / 2 = 4", "It has twelve heads.",
    "I think he is right.", "√4 = 2", f"the {V}th word", f"an {V}-word text", f"{V}-fold", f"(in all {V})", f"“{V}” and '{W}'", f"GPT-{V}",
    f"{V}—so many", f"{V}…", f"{V}?)", f"{W}·{F} = {V}", f"{W}×{F}={V}", f"{V}·(1 − {V}) = −56", f"tanh of {V}", f"the log of {V}",
    f"*{V}*, **{W}**", f"{V}.", f"{V}; {W}", f"{V}: {W}", f"a thousand cover {V}", f"the word {V}", "a ✓ and a © and a →", f"{V} °", "the head i",
    "an LLM and the CNN", "---\nkernelspec: {name: python3, display_name: Python 3}\n---\nx", "---\ntitle: The words\n---\nx",
    f"{V} of the ten words",
    "[a link](a.html 'of the words')", "Elf and dix are words, too.", "Otto has an exit sign.", "naïve Bayes, café, Łukasz Kaiser", "μ and σ",
    f"| a | b |\n|---|---|\n| {F} + {F} | {V} |", f"| a | b | c |\n|---|---|---|\n| {F} + {F} | = | {V} |",
    "The seventeenth one.\n\n```{code-cell} ipython3\nrow = x[16]\n```",
    "# One\n\n```{code-cell} ipython3\nwidth = 48\n```\n\nSo forty-eight words.", f"{W} → {V}", f"{V} x {W}",
]

# fmt: on
WRONG = [*SIGNED, *UNITS, *AFFIXES, *JOINED, *COMPARED, *SUMS, *WORDS, *ROMAN, *SCRIPTS, *LANGUAGES, *FRONT, *LINKS]
