"""The checker attacked again, in the families of the first attack: other signs, units, verbs, and other ways to type what a cell shows.

Each wrong line must fail; beside them stand right lines of the same make, each of which must pass.
"""

# fmt: off

V = "{v}`8 <nolan.scores[ended]>`"
W = "{v}`2 <nolan.scores[nolan]>`"
S = "{v}`0.953 <nolan.weights[ended]>`"

SIGNED = [
    f"less: ⁻{V}", f"﹘{V}", f"⸺{V} of", f"⊖{V}",
]
UNITS = [
    f"{S} <sup>%</sup>", f"{S} hundredths", f"{V} mio", f"{V} ! (factorial)", f"{V} mille", f"{V} lakh", f"{V} tenths",
    f"{V} to the power of two", f"{V}<sup>th</sup> power", f"{V} times ten", f"{V} Mio.", f"{V} p.c.", f"{V} in %", f"{V} factorial",
    f"{V} quadrillion",
]
JOINED = [
    f"{V}∶{W}", f"{V}<sup> {W}</sup>",
]
COMPARED = [
    f"{V} is below {W}", f"{W} is above {V}", f"{W} exceeds {V}", f"{V} is under {W}", f"{V} ⪇ {W}", f"{V} ⋜ {W}", f"{V} is as large as {W}",
    f"{W} beats {V}", f"{V} is half {W}", f"{V}, which is less than {W}", f"{V} and {W} are equal", f"{V} is twice {W}", f"{W} is four times {V}",
    f"{V} is as much as {W}", f"{V} $<$ {W}", f"{V} ∈ {W}", f"{V} is now less than {W}", f"{V} was less than {W}", f"{V} stays below {W}",
]
SUMS = [
    f"{V} and {W} make {V}.", f"{V} and {W} add up to {V}.", f"{V} and {W} are {V} together", f"The sum of {V} and {W} is {V}.",
    f"{V} ⋆ {W} = {V}", f"{V} ⨉ {W} = {V}", f"{V} ⊕ {W} = {V}", f"{V} + {W} ≕ {V}", f"{V} + {W} ⩵ {V}", f"{V} + {W} ⟺ {V}", f"{V} + {W} ⇔ {V}",
    f"{V} + {W} ⇨ {V}", f"{V} + {W} totals {V}", f"{V} + {W} results in {V}", f"{V} + {W} amounts to {V}", f"Double {W} is {V}",
    f"Half of {V} is {W}.", f"the root of {V} is {W}", f"{V} + {W} works out to {V}", f"{V} less {W} is {V}", f"{V} + {W} was {V}",
    f"{V} + {W} will be {V}", f"{V} + {W} turns into {V}", f"{V} + {W} becomes {V}", f"{V} + {W} returns {V}", f"{V} $+$ {W} $=$ {V}",
]
TYPED = [
    "x, y = 0.777, 1\nprint(x)", "x: float = 0.777\nprint(x)", "print((lambda: 0.777)())", "from decimal import Decimal\nprint(Decimal('0.777'))",
    "from fractions import Fraction\nprint(Fraction(777, 1000))", "print('٠.٧٧٧')", "print('½')", "import warnings\nwarnings.warn('0.777')",
    "import logging\nlogging.warning('0.777')", "plt.plot([1], [2], label='0.777')", "ax.set(title='0.777')",
    "ax.bar_label(bars, labels=['0.777'])", "ax.table(cellText=[['0.777']])", "import pandas as pd\npd.DataFrame({'a': [0.777]})",
    "'0.777'.join(['a', 'b'])", "print(*(x for x in [0.777]))", "print([x for x in [0.777]])", "!echo 0.777", "x = y = 0.777\nprint(y)",
    "x += 0.777\nprint(x)", "print(x := 0.777)", "def f(x=0.777):\n    print(x)\nf()", "pp = print\npp(0.777)",
    "import pprint\npprint.pprint(0.777)", "print(np.float64(0.777))",
]
WORDS = [
    "one point five is the total", "The total is one point five.", "nought point nine five", "zero point nine five three",
    "The score is a hundred.", "a hundred and one heads", "the sum is minus two", "The answer, six, is right", "We get nine.", "You get nine",
    "which makes nine", "which gives eleven.", "that is nine in all", "nine altogether", "the result (nine)", "the sum, nine, is",
    "nine is the sum.", "Nine is the total.", "makes a total of nine", "with a mean of six.", "an average of six",
]

CELL = "```{{code-cell}} ipython3\n{}\n```"

RIGHT = [
    f"The score is {V}.", f"The scores are {W} and {V}.", f"{W} + {V} = 10", f"{W} < {V}", f"{V} > {W}", f"{W} ≤ {V}", f"{V} ≠ {W}", f"{V} ≮ {W}",
    f"**{V}** is larger than **{W}**.", f"{W} is below {V}.", f"{V} exceeds {W}.", f"{W}, which is less than {V}, loses.", f"{W} $<$ {V}",
    f"{V} is four times {W}.", f"{W} and {V} are different.", f"The sum of {W} and {W} is below {V}.",
    f"The product of {W} and {W} is less than {V}.", f"{V}·{W} = 16",
    f"{W} × {W} × {W} ⇒ {V}", f"{W} ⋆ {W} ⋆ {W} = {V}", f"{V} less {W} less {W} less {W} is {W}.", f"{V} − {W} = 6",
    f"Double {W} is less than {V}.", f"{W} + {W} + {W} + {W} becomes {V}.",
    f"*Nolan* has {V}; *ended* {W}.", f"({V})", f"“{V}”", f"{V}: a lot", f"{V} words", f"{V} times", f"{V}, {W} and {S}", f"{V}? No, {W}.",
    f"| a | b |\n|---|---|\n| {V} | {W} |", f"- {V}\n- {W}", f"1. {V}\n1. {W}", f"> {V}", f"# A heading\n\n{V}", f"see [{V}](a.html)",
    "{v}`95.3 % <nolan.weights[ended]>` of it", "{v}`½ <half>` of it", "{v}`forty thousand and eight <dials>` dials", "{v}`40,008 <dials>` dials",
    "8 / 2 = 4", "A sum of four.", "What is one is the average square, not the spread.", "E to the power of zero is above zero.",
    "One of the two is above zero.", "a hundred words, and a thousand more", "The shares add up to one.", "It has twelve heads.",
    "I think he is right.",
    CELL.format("x = [1, 2]\nprint(sum(x))"), CELL.format("n = 3\nprint('n is', n, n * 2)"), CELL.format("sheet.show('weights')"),
    CELL.format("sizes = [4, 10]\nfor size in sizes:\n    print(size, size * 2, [part + 1 for part in sizes])"),
    CELL.format("ax.scatter([1], [2], s=60)\nax.set(xlim=(0, 10.3), xlabel='first number')"), CELL.format("print('x²', 'H₂O')"),
]

# fmt: on
WRONG = [*SIGNED, *UNITS, *JOINED, *COMPARED, *SUMS, *WORDS, *(CELL.format(code) for code in TYPED)]
