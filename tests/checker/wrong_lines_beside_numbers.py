"""The checker attacked a fourth time: what touches a number, what a sum leads to, what rises and falls, ordinals and ratios in words, front matter.

Each wrong line must fail; beside them stand right lines of the same make, each of which must pass.
"""

# fmt: off

V = "{v}`8 <nolan.scores[ended]>`"
W = "{v}`2 <nolan.scores[nolan]>`"
F = "{v}`4 <nolan.scaled[ended]>`"

ORDINALS = [
    "It is the ninth.", "The winner is the seventh.", "It was the eleventh.", "It is the ninth of all words.", "Nolan is the fifth word.",
    "The ninth is the largest.", "It lands on the ninth place.", "It takes ninth place.", "The ninth word wins.", "the ninth largest",
    "It is ninth from the left.", "The answer is the twelfth row.", "It becomes the ninth.", "The model puts it ninth.",
    "It stands in ninth place.",
]
RATIOS = [
    "a seventh of the words", "A seventh of the words are wrong.", "two sevenths of the share", "It has a ninth of the weight.",
    "It keeps three fifths of its weight.", "About a fifth of the share goes to *ended*.", "It gets a third of the weight.",
    "*Ended* takes four fifths.", "It shrinks to a third.", "It falls to two fifths of what it was.", "half as large as the other: it is a fifth",
    "It has five times the weight of *nolan*.", "It is nine times as likely.", "It shrinks by a factor of nine.", "It drops to a fifth.",
    "Nearly two thirds of the words are wrong.", "It trebles.", "It quadruples.", "a factor of seven",
]
SUMS = [
    f"{V} + {W}, {V}", f"{V} + {W}, {V}.", f"{V} + {W}; {V}.", f"{V} + {W}. {V}.", f"{V} + {W}, giving {V}.", f"{V} + {W}, thus {V}.",
    f"{V} + {W}; that is, {V}.", f"{V} + {W}, hence {V}.", f"{V} + {W}, therefore {V}.", f"{V} + {W} and so {V}.", f"{V} + {W} leads to {V}.",
    f"{V} + {W} produces {V}.", f"{V} + {W} brings {V}.", f"{V} + {W} has the value {V}.", f"{V} + {W} is worth {V}.",
    f"{V} + {W} evaluates to {V}.", f"{V} + {W} reduces to {V}.", f"{V} + {W} simplifies to {V}.", f"{V} + {W} rounds to {V}.",
    f"{V} + {W} is approximately {V}.", f"{V} + {W} is therefore {V}.", f"{V} + {W} must be {V}.", f"{V} + {W} has to be {V}.",
    f"{V} + {W} would be {V}.", f"{V} + {W} stays {V}.", f"{V} + {W} remains {V}.", f"{V} + {W} is always {V}.", f"{V} + {W} means {V}.",
    f"{V} + {W} is the number {V}.", f"{V} + {W} is simply {V}.", f"{V} + {W} is precisely {V}.", f"{V} + {W} is not quite {V}, it is {W}.",
    f"{V} multiplied with {W} is {V}.", f"The square of {W} is {V}.", f"The mean of {V} and {W} is {V}.", f"The average of {V} and {W} is {V}.",
    f"The larger of {V} and {W} is {W}.", f"The maximum of {V} and {W} is {W}.", f"The smaller of {V} and {W} is {V}.", f"{V} doubled is {V}.",
    f"{V} halved is {V}.", f"A third of {V} is {W}.", f"A quarter of {V} is {F}.", f"{V} is a third of {W}.", f"{V} is a quarter of {W}.",
    f"{V} is the square of {W}.", f"{V} is the double of {W}.",
]
COMPARED = [
    f"{V} is less than or equal to {W}.", f"{V} is smaller than or equal to {W}.", f"{V} is much smaller than {W}.", f"{V} is far below {W}.",
    f"{V} is slightly less than {W}.", f"{V} is a little smaller than {W}.", f"{V}, smaller than {W}, wins.", f"{V} lies between {W} and {F}.",
    f"{V} is between {W} and {F}.", f"{W} tops {V}.", f"{W} outweighs {V}.", f"{W} wins over {V}.", f"{V} does not exceed {W}.",
    f"{V} is not more than {W}.", f"{V} falls short of {W}.", f"{V} matches {W}.", f"{V} is identical to {W}.", f"{V} is the same number as {W}.",
    f"{V} rises to {W}.", f"{V} falls to {V}.", f"It rises from {V} to {W}.", f"It falls from {W} to {V}.", f"It drops from {W} to {V}.",
    f"It grows from {V} to {W}.", f"It shrinks from {W} to {V}.", f"{V} grows to {W}.", f"{V} shrinks to {V}.", f"It goes up from {V} to {W}.",
    f"It goes down from {W} to {V}.", f"{V} is equal or less than {W}",
]
AFFIXES = [
    f"It is minus the number {V}.", f"It is the negative of {V}.", f"It is the opposite of {V}: {V}.", f"one over {V}", f"It is one {V}th.",
    f"{V}ths of it", f"{V} th of it", f"{V}fold", f"{V} pc", f"{V} ppm", f"{V} parts per million", f"{V} per thousand", f"{V} per hundred",
    f"{V} hundredweight", f"{V} Mrd.", f"{V} Ki", f"{V} kilo", f"{V} mega", f"{V} giga", f"{V} to the third", f"{V} to the third power",
    f"{V} to the fifth", f"{V} raised to the fourth", f"{V} to the minus one", f"{V} point five", f"a hundred {V}", f"twenty-{V}",
    f"zero point {V}", f"point {V}", f".{V}", f"O{V}", f"l{V}", f"I{V}", f"{V}O", f"{V}l", f"{V} halves", f"{V} thirds", f"{V} quarters",
    f"{V} fifths", f"{V} sevenths", f"log {V}", f"ln {V}", f"exp {V}", f"exp({V})", f"√ ( {V} )", f"|{V}|", f"⌊{V}⌋", f"{V}̄", f"<s>{V}</s>",
    f"<del>{V}</del>", f"({V})!", f"({V}) %", f"[{V}] per cent", f"“{V}” per cent", f"{V}) %", f"{V}, per cent,",
]
JOINED = [
    f"{V}|{W}", f"{V};{W}", f"{V}…{W}", f"{V} . {W}", f"{V} , {W}", f"{V} point {W}", f"{V} comma {W}", f"{V}({W})", f"{V}[{W}]", f"{V} ^ {W}",
    f"{V} out of {W}", f"{V} : {W}", f"{V} mod {W}", f"{V} choose {W}", f"{V}・{W}", f"{V}。{W}", f"{V}︒{W}", f"{V}⸳{W}",
]
RESULTS = [
    "They add to two.", "The sum comes out nine.", "Nolan: nine", "*Ended* gets a nine.", "It reaches nine.", "It climbs to nine.",
    "It drops to nine.", "It is nine.", "It was nine.", "we land on nine", "we arrive at nine", "the score stands at nine", "has the value nine",
    "Two and two are five.", "Three squared is eight.", "with nine as its score", "nine is the score", "nine is its score",
    "Nine is what it gets.", "six and a half", "six and a half words", "two and a half times", "one and a half times as large", "nil point five",
    "oh point five", "nine tenths of the weight", "nine per mille", "a thousandth of the weight", "thrice as large", "It is triple the other.",
    "a triple of it", "quadruple the size", "quintuple",
]
SIGNS = [
    "🅀", "㏇", "㍘", "㋀", "㏠ of it", "𓏽 words", "🕗 o'clock", "🂨", "🎱", "⚇", "⚅ words", "🀎", "🁣", "䷁", "MCM", "Head V wins.",
]
FRONT = [
    "---\ntitle: 0.777\n---\nx", "---\nsubtitle: 0.777 of all\n---\nx", "---\ndescription: 0.777\n---\nx",
    "---\nhtml_meta:\n  description: 0.777\n---\nx", "---\nsubstitutions:\n  a: 0.777\n---\n{{ a }}",
    "---\nmyst:\n  substitutions:\n    a: '0.777'\n---\n{{ a }}", "---\nabstract: seventy-three\n---\nx",
    "---\nmyst:\n  html_meta:\n    description: '0.777'\n---\nx",
]
TYPED = [
    "print(chr(48) + '.777')", "print(np.full(3, 0.777))", "print(np.linspace(0, 0.777, 2))", "print(dict(a=0.777))", "print(b'0.777')",
    "print('VIII')", "print('The sum is nine')", "x = 0.777\ny = x\nprint(y)", "def f(): return 0.777\nf()", "x = [0.777]\nfor y in x: print(y)",
    "print('dreiundsiebzig')", "print('1e3')", "print('.777')", "print('a0.777')", "print(not 0.777 or 0.777)", "print(0.777 and 0.777)",
    "print(True and 0.777)", "print(np.array([0.777]).item())", "print(torch.tensor(0.777))", "torch.tensor([0.777])",
]

AGAIN = [
    f"{V} divided by {W} squared is {V}.", f"{V} over the square of {W} is {V}.", f"{V} divided by a quarter of {F} is {W}.",
    "The model picks the sixth.", "The sixth word gets the largest share.", "Of all words the ninth gets most.", "It stands ninth among them.",
    "Its place is the fifth.", "It ranks as the seventh.", "a fifth as large", "three sevenths of it", "nine elevenths",
    "It grew by a factor of eight.", "It is eight times larger.", "It is seven times the size.", "It goes down by a sixth.",
    "It costs a seventh more.", "Five sixths remain.", "The share drops below a ninth.", "More than a seventh of the share is lost.",
    "nearly nine tenths of all words", "The score is then nine.", "We obtain nine.", "The output is nine.", "The index is nine.",
    "The count: nine.", f"The sum of {V}, {W} and {F} is {V}.", f"{V} + {W} (that is {V})", f"{V} − {W}, leaving {V}.",
    f"{V} / {W} yields a total {V}.", f"{W} · {W}: that makes {V}.", f"from {V} take {W}: {V}.", f"{V} diminished by {W} is {V}.",
    f"{V} increased by {W} is {V}.", f"{V} raised by {W} is {V}.", f"{W} more than {V} is {V}.", f"{W} less than {V} is {V}.",
    f"{V} shared among {W} is {V}.", f"{V} split by {W} is {V}.", f"{V} times itself is {V}.", f"The ratio of {V} to {W} is {V}.",
    f"The quotient of {V} and {W} is {V}.", f"The gap between {V} and {W} is {V}.", f"{V} exceeds {W} by {W}.", f"{V} and {W} differ by {W}.",
    f"{V} is well below {W}.", f"{V} ranks below {W}.", f"{W} is way above {V}.", f"{V} is the smaller of {V} and {W}.",
    f"{W} is the larger of {V} and {W}.", f"{W} is more than twice {V}.", f"{V} is less than half of {W}.", f"{V} is under half {W}.",
    f"It sinks by half, from {W} to {V}.", f"It climbs back from {V} to {W}.", f"It has risen from {V} to {W}.", f"Up from {V} to {W}.",
    f"It doubles from {V} to {W}.", f"from {V} down to {V}", f"{V}a", f"a{V}", f"{V}π", f"π{V}", f"{V}i", f"{V}j", f"{V}n", f"{V}̅",
    f"{V} kilobillion", f"thirty-{V}", f"{V} negative", f"{V} below zero", f"the inverse of {V} is {V}", "[x](y 'seventy-three')",
    "[^n]\n\n[^n]: It is the ninth.", "> It is the ninth.", "- It is the ninth.", "1. It is the ninth.", "---\ntitle: The total is nine\n---\nx",
    "% of nine\n\nit is the ninth", "<!-- a --> it is the ninth", ":::{note}\nIt is the ninth.\n:::",
]
TYPED_AGAIN = [
    "print('It is the ninth')", "print(0.7 + 0.07 + 0.007)", "print(str(0.777).rjust(9))", "def f(x=0.777): return x\nprint(f())",
    "print('nine in ten are right')", "'The total is nine'", "display(HTML('<b>It is the ninth</b>'))", "print(float('.777'))", "print(0.777j)",
    "print('IX heads')",
]
CELL = "```{{code-cell}} ipython3\n{}\n```"

RIGHT = [
    "The second, the third.", "Here is the fourth word once more.", "Which is the ninth?", "the third and the fourth row",
    "the fifth of our chapters",
    "A fifth token is drawn.", "a fourth grid", "in the first place", "It is a second look.", "It comes second.", "the tenth place", "the ninth pass",
    "half of it", "a third of a third", "a tenth of a pass", "three quarters of the way", "twice as often", "four times as many",
    "ten times as long",
    "It doubles.", "It is halved.", f"{V} of the words, a fifth of all {{v}}`40,008 <dials>` / 1000.2 = 40",
    f"It takes {V} seconds, four times as long.",
    f"It is six times as large: {V} · 6 = 48.", f"A pass over five words does not take five times as long as {W}.", f"an eighth of the {V} words",
    f"{F} + {F}, that is {V}", f"{F} + {F} brings us {V}.", f"{F} + {F}, so {V}.", f"{F} + {F}. {V}.", f"{W} · {F} comes down to {V}.",
    f"{V} over the square of {W} is {W}.", f"{V} divided by the mean of {F} and {F} is {W}.",
    f"{V} divided by the ratio of {F} to {W} is {F}.", f"{F} minus the gap between {F} and {W} is {W}.",
    f"{F} + {F}, or {W} of them.", f"{F} + {F} divided by {W}.", f"{F} + {F} and {W}.", "√4 = 2",
    f"The mean of {F} and {F} is {F}.", f"The larger of {W} and {V} is {V}.", f"The square of {W} is {F}.", f"{W} doubled is {F}.",
    f"{V} halved is {F}.",
    f"A quarter of {V} is {W}.", f"{V} is twice {F}.", f"One divided by twice {F}, 0.125 = 1 / 8.",
    f"It rises from {W} to {V}.", f"It falls from {V} to {W}.", f"It falls, again, from {V} to about {W}.", f"{W} grows to {V}.",
    f"{V} shrinks to {W}.",
    f"{W} is much smaller than {V}.", f"{W} is less than or equal to {W}.", f"{F} lies between {W} and {V}.", f"{F} lies between {V} and {W}.",
    f"{W} out of {V}", f"{V} does not exceed {V}.", f"a million, and one stays just below one, from {W} on",
    f"the {V}th word", f"an {V}-word text", f"{V}-fold", f"({V})", f"(in all {V})", f"“{V}” and '{W}'", f"GPT-{V}", f"{V}—so many", f"{V}…", f"{V}?)",
    f"{W}·{F} = {V}", f"{W}×{F}={V}", f"{V}·(1 − {V}) = −56", f"tanh of {V}", f"the log of {V}", f"*{V}*, **{W}**", f"{V}.", f"{V}; {W}", f"{V}: {W}",
    f"a thousand cover {V}", f"the word {V}", "a ✓ and a © and a →", f"{V} °", "the head i", "an LLM and the CNN",
    "It reaches one.", "It climbs to zero.", "It is one.", "from one to ten", "He gets two.", "place one with place two, three with four",
    "---\nkernelspec: {name: python3, display_name: Python 3}\n---\nx", "---\ntitle: The words\n---\nx",
    f"{W} more than {W} is {F}.", f"The gap between {W} and {V} is 6 = {V} − {W}.", f"{V} exceeds {F} by {F}.", f"{F} and {V} differ by {F}.",
    f"The ratio of {V} to {F} is {W}.", f"from {V} take {F}: {F}.", f"up from {W} to {V}", f"from {V} down to {W}", f"It doubles from {F} to {V}.",
    f"{W} is more than twice {F} / {V}.", f"{V} ranks above {W}.", f"{V} is far above {W}.", "[a link](a.html 'of the words')",
    CELL.format("x = [1, 2]\ny = x\nprint(y, sum(y))"), CELL.format("x = 0.5\ny = x\nprint(y, y + x)"), CELL.format("show()"),
    CELL.format("print('nolan ended', b'ab')"), CELL.format("color = '#8899aa'"), CELL.format("print(table.get('a', 0))"),
    CELL.format("print(f'{0.9 <= share}')"), CELL.format("def double(x):\n    return 2 * x\ndouble(4)"),
]

# fmt: on
WRONG = [*ORDINALS, *RATIOS, *SUMS, *COMPARED, *AFFIXES, *JOINED, *RESULTS, *SIGNS, *FRONT, *AGAIN]
WRONG += [CELL.format(code) for code in (*TYPED, *TYPED_AGAIN)]
