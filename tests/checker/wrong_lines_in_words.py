"""The checker attacked a third time: ordinals, parts of a whole, sums and results parted by a colon, labels of figures, other languages.

Each wrong line must fail; beside them stand right lines of the same make, each of which must pass.
"""

# fmt: off

V = "{v}`8 <nolan.scores[ended]>`"
W = "{v}`2 <nolan.scores[nolan]>`"
F = "{v}`4 <nolan.scaled[ended]>`"

ORDINALS = [
    "The result is the ninth.", "The largest share is the eighth one.", "The answer is a ninth.", "It comes out as the fifth.",
    "The winner is the forty-third of them.", "Ninth: the twenty-first word wins.", "The share is one ninth.", "The share is a ninth of all.",
    "The result: the ninth.", "The seventeenth head looks back.", "It is a nineteenth.", "a ninety-ninth of it", "It ranks ninth.",
    "She comes ninth.", "*ended* is ninth", "The rank is ninth.", "The size is nine-tenths.", "It is {v}`eighth <half>`.",
]
PARTS = [
    "nine out of ten are right", "nine in a hundred are wrong", "It gets nine in ten.", "one time in seven", "The chance is one in nine.",
    "It grows ninefold.", "It is sevenfold.", f"{V} out of ten", f"{V} in ten.", f"{V} of a hundred", f"{W} and two thirds", "two dozen words",
    "The odds are nine.", "fifteen dozen words",
]
PARTED = [f"{V} {sign} {W}{joint}{V}" for sign, joint in [
    ("+", ": "), ("·", ": "), ("/", ": "), ("+", " — "), ("+", " … "), ("+", "? "), ("+", ", or "), ("+", ", that is "), ("+", ", i.e. "),
    ("+", ", in all "), ("+", ", together "), ("+", " result: "), ("+", ", total: "), ("times", ": "), ("multiplied by", ": "), ("minus", ": "),
    ("take away", ": "), ("added to", ": "), ("shared by", " is "), ("take away", " is "),
]]
PARTED += [
    f"| a | b |\n|---|---|\n| {V} + {W} | {V} |", f"| a | b | c |\n|---|---|---|\n| {V} + {W} | = | {V} |",
    f"{V} + {W} ({V})", f"{V} + {W} [{V}]", f"{V} (= {W} + {W})", f"{V} + {W}\n\n= {V}", f"- ≈ {V}", f"{V} is {V} and {W} together",
]
TOLD = [
    f"{V}, the sum of {V} and {W}", f"{V} is the sum of {V} and {W}", f"{V} is the product of {V} and {W}", f"{V} is {W} more than {V}",
    f"{V} is {W} less than {V}", f"Add {V} to {W}: {V}", f"Add {V} and {W}: {V}.", f"Adding {V} and {W} gives {V}",
    f"Add {V} and {W} and you have {V}", f"Multiply {V} by {W}: {V}.", f"Divide {V} by {W}: {V}", f"Subtract {W} from {V}: {V}",
    f"Take {W} from {V} and {V} is left", f"Take {W} away from {V}: {V}", f"{V} added to {W} is {V}",
]
LABELS = [
    "ax.set_xticks([1, 2], ['0.777', '0.888'])", "ax.set_xticklabels(['0.777'])", "ax.set_yticklabels([0.777])", "plt.xticks([1], ['0.777'])",
    "ax.xaxis.set_ticklabels(['0.777'])", "ax.pie([1, 2], autopct='77.7%%')", "ax.bar(['0.777'], [1])", "ax.plot(['0.777', 'b'], [1, 2])",
    "fig.supxlabel('0.777')", "ax.annotate(text='0.777', xy=(1, 2))", "ax.set(xticklabels=['0.777'])", "ax.xaxis.set_major_formatter('0.777')",
    "ax.xaxis.set_major_formatter(lambda x, pos: '0.777')", "axis.set_major_formatter(FixedFormatter(['0.777']))", "cbar.set_label('0.777')",
    "ax.clabel(c, fmt='0.777')", "ax.quiverkey(q, 1, 2, 3, '0.777')", "line.set_label('0.777')", "t.set_text('0.777')",
    "ax.add_artist(AnchoredText('0.777', loc=1))", "labels = ['0.777', 'b']\nax.set_xticklabels(labels)", "names = ['0.777']\nax.bar(names, [1])",
    "ax.bar(['seventy-three'], [1])", "show_bars({'0.777': 1})",
]
LANGUAGES = [
    "Die Summe ist neun.", "Das Ergebnis ist dreiundsiebzig.", "Es sind siebzehn Wörter.", "La somme est neuf.", "soixante-treize", "dix-sept mots",
    "La suma es nueve.", "diecisiete palabras", "La somma è nove.", "diciassette", "Het zijn zeventien woorden.", "dezessete", "novem",
    "siedemnaście", "devět", "девять", "δεκαεπτά", "סכום תשע", "تسعة",
]
RESULTS = [
    "That makes nine.", "This leaves nine.", "leaving nine", "making nine in total", "nine remain.", "nine comes out.", "what comes out is nine",
    "nine is what comes out", "nine all told", "The result, then, is nine.", "The result must be nine.", "The result will be nine.",
    "The total was nine.", "Its sum has to be nine.", "The sum of the two scores is nine.", "The sum of all the scores in the row is nine.",
    "sum → nine", "the answer being nine", "*Ended* scores nine.", "*Ended* has a score of nine.", "with a share of one half",
    "a weight of seven",
]

CELL = "```{{code-cell}} ipython3\n{}\n```"

RIGHT = [
    "The second, the third and the fourth word.", "the eighth of our chapters", "A ninth evening is there for those who want it.",
    "Which word comes third, after this one?", "Softmax comes first.", "A tenth is too long a push.", "A third machine comes.",
    "a hundredth, a thousandth, a millionth", "whole hundredths", "A tenth of it.", "Take the first two.", "The third of the words is next.",
    f"The seventeenth one.\n\n{CELL.format('row = x[16]')}", f"The seventeenth one.\n\n{CELL.format('width = 17')}",
    "twofold and threefold, each by its name", "Does it get nine in ten right?", "two words in one block", "four numbers in two rows",
    "What about the chance of the second?", f"{V} of the ten words", f"{V} in one dictionary", f"{V} of all", "a few dozen letters", "dozens of them",
    f"| a | b |\n|---|---|\n| {F} + {F} | {V} |", f"| a | b | c |\n|---|---|---|\n| {F} + {F} | = | {V} |",
    f"| a | b |\n|---|---|\n| {W} · {F} = {V} | {W} |", f"| a | b |\n|---|---|\n| {W} | {V} |", f"| a | b |\n|---|---|\n| {F} + {F} for it | {W} |",
    f"{F} + {F}: {V}", f"{W} + {W}: {F}", f"{W}·{F} ({V})", f"{F} + {F}, that is {V}", f"{F} + {F} is {V} in all.", f"{W} and {V}: so many words",
    f"{V}: {W} of them, and more", f"{W} and {V} — so many", f"{V}? {W}.", f"The scores are {W}, {V}.", f"{V} ({W})", f"{W}·{W}: {W} rows",
    f"{W}, or {V}", f"Two of them: {W} and {V}", f"{V} − {F} is {F}", f"{V} is {F} more than {F}.", f"{F} is {F} less than {V}.",
    f"Add {F} to {F}: {V}.", f"Add {W} and {V}, and then halve it.", f"Multiply {F} by {W}: {V}.", f"Divide {V} by {W}: {F}.",
    f"Subtract {F} from {V}: {F}.", f"Take {F} from {V} and {F} is left.", f"Take {W} from each.", f"{V}, the product of {F} and {W}",
    f"The sum of {W} and {V}, over and over", f"{V} take away {F} is {F}.", f"{F} added to {F} is {V}.", f"{V} is the sum of {F} and {F}.",
    CELL.format("ax.set_xticks([1, 2], ['first', 'second'])"), CELL.format("ax.set_xticks([4, 9], ['4', '9'])"),
    CELL.format("print(f'{name:<12}{value:>7.3f}')"), CELL.format("for key in '345':\n    print(runs[key])"), CELL.format("x = table['2014']"),
    CELL.format("sizes = [4, 10]\nax.bar([str(size) for size in sizes], sizes)"), CELL.format("color = '#8899aa'\nax.plot(x, color='C0')"),
    "It makes one whole.", "The shares leave none over; that makes one.", "A share of zero.", "He scores zero.",
    "the scores two, one and zero", "One remains.", "Elf and dix are words, too.", "Otto has an exit sign.", "naïve Bayes, café, Łukasz Kaiser",
    "μ and σ", "The answer is the second row.",
]

# fmt: on
WRONG = [*ORDINALS, *PARTS, *PARTED, *TOLD, *LANGUAGES, *RESULTS, *(CELL.format(code) for code in LABELS)]
