"""Code cells that show a number which no code has worked out. Each wrong one must fail, each right one pass."""

# fmt: off

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
TYPED += [
    "x, y = 0.777, 1\nprint(x)", "x: float = 0.777\nprint(x)", "print((lambda: 0.777)())", "from decimal import Decimal\nprint(Decimal('0.777'))",
    "from fractions import Fraction\nprint(Fraction(777, 1000))", "print('٠.٧٧٧')", "print('½')", "import warnings\nwarnings.warn('0.777')",
    "import logging\nlogging.warning('0.777')", "plt.plot([1], [2], label='0.777')", "ax.set(title='0.777')",
    "ax.bar_label(bars, labels=['0.777'])", "ax.table(cellText=[['0.777']])", "import pandas as pd\npd.DataFrame({'a': [0.777]})",
    "'0.777'.join(['a', 'b'])", "print(*(x for x in [0.777]))", "print([x for x in [0.777]])", "!echo 0.777", "x = y = 0.777\nprint(y)",
    "x += 0.777\nprint(x)", "print(x := 0.777)", "def f(x=0.777):\n    print(x)\nf()", "pp = print\npp(0.777)",
    "import pprint\npprint.pprint(0.777)", "print(np.float64(0.777))",
]
TYPED += [
    "print(chr(48) + '.777')", "print(np.full(3, 0.777))", "print(np.linspace(0, 0.777, 2))", "print(dict(a=0.777))", "print(b'0.777')",
    "print('VIII')", "x = 0.777\ny = x\nprint(y)", "def f(): return 0.777\nf()", "x = [0.777]\nfor y in x: print(y)",
    "print('dreiundsiebzig')", "print('1e3')", "print('.777')", "print('a0.777')", "print(not 0.777 or 0.777)", "print(0.777 and 0.777)",
    "print(True and 0.777)", "print(np.array([0.777]).item())", "print(torch.tensor(0.777))", "torch.tensor([0.777])",
    "print(0.7 + 0.07 + 0.007)", "print(str(0.777).rjust(9))", "def f(x=0.777): return x\nprint(f())", "print(float('.777'))", "print(0.777j)",
    "print('IX heads')",
]
TYPED += [
    "ax.set_xticks([1, 2], ['0.777', '0.888'])", "ax.set_xticklabels(['0.777'])", "ax.set_yticklabels([0.777])", "plt.xticks([1], ['0.777'])",
    "ax.xaxis.set_ticklabels(['0.777'])", "ax.pie([1, 2], autopct='77.7%%')", "ax.bar(['0.777'], [1])", "ax.plot(['0.777', 'b'], [1, 2])",
    "fig.supxlabel('0.777')", "ax.annotate(text='0.777', xy=(1, 2))", "ax.set(xticklabels=['0.777'])", "ax.xaxis.set_major_formatter('0.777')",
    "ax.xaxis.set_major_formatter(lambda x, pos: '0.777')", "axis.set_major_formatter(FixedFormatter(['0.777']))", "cbar.set_label('0.777')",
    "ax.clabel(c, fmt='0.777')", "ax.quiverkey(q, 1, 2, 3, '0.777')", "line.set_label('0.777')", "t.set_text('0.777')",
    "ax.add_artist(AnchoredText('0.777', loc=1))", "labels = ['0.777', 'b']\nax.set_xticklabels(labels)", "names = ['0.777']\nax.bar(names, [1])",
    "ax.bar(['seventy-three'], [1])", "show_bars({'0.777': 1})",
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

RIGHT = [
    CELL.format("x = [1, 2]\nprint(sum(x))"),
    CELL.format("n = 3\nprint('n is', n, n * 2)"),
    CELL.format("sheet.show('weights')"),
    CELL.format("sizes = [4, 10]\nfor size in sizes:\n    print(size, size * 2, [part + 1 for part in sizes])"),
    CELL.format("ax.scatter([1], [2], s=60)\nax.set(xlim=(0, 10.3), xlabel='first number')"),
    CELL.format("print('x²', 'H₂O')"),
    CELL.format('row = x[16]'),
    CELL.format('width = 17'),
    CELL.format("ax.set_xticks([1, 2], ['first', 'second'])"),
    CELL.format("ax.set_xticks([4, 9], ['4', '9'])"),
    CELL.format("print(f'{name:<12}{value:>7.3f}')"),
    CELL.format("for key in '345':\n    print(runs[key])"),
    CELL.format("x = table['2014']"),
    CELL.format("sizes = [4, 10]\nax.bar([str(size) for size in sizes], sizes)"),
    CELL.format("color = '#8899aa'\nax.plot(x, color='C0')"),
    CELL.format("x = [1, 2]\ny = x\nprint(y, sum(y))"),
    CELL.format("x = 0.5\ny = x\nprint(y, y + x)"),
    CELL.format("show()"),
    CELL.format("print('nolan ended', b'ab')"),
    CELL.format("color = '#8899aa'"),
    CELL.format("print(table.get('a', 0))"),
    CELL.format("print(f'{0.9 <= share}')"),
    CELL.format("def double(x):\n    return 2 * x\ndouble(4)"),
]

# fmt: on
WRONG = CELLS
