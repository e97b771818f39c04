"""The number checker: every numeral of a page has to be bound to a published value, part of a true equation, or declared.

`python -m pencil check` runs it on the pages; `python -m pencil.checker.mutation` is its mutation test, which changes one digit
after another. In reading order:

    digits      which signs are digits, and which others of the same kind there are
    words       numbers that are written as words
    arithmetic  one sum in plain text, worked out
    equations   where equations stand in a text, whether they hold, which of their digits are forced
    page        a page cut into front matter, code cells and blocks of text
    markdown    what MyST's own parser makes of the text of a block
    numerals    which numerals of a block count
    rendered    a block as its reader sees it, each bound number as one sign
    affixes     signs and units beside a number, which make it another
    statements  sums and comparisons in whatever signs or words
    relations   what everyday words say two numbers are to each other
    results     words that state a result, and numbers in letters
    ratios      fractions and multiples in words, and the numbers that bear them out
    reading     what the rendered text says with its numbers, beyond their digits
    cells       numbers that are typed into what a code cell shows
    values      what a chapter publishes, and how a reference finds it
    library     the published values of all chapters, refused where a notebook is out of date
    bindings    whether the digits of {v}`0.953 <nolan.weights[ended]>` are what its reference shows
    claims      words that hold while a condition on values does, such as {when}`liked <tick > 0.5>`
    declared    numerals that a page declares by name, such as years
    verdict     judge one block, a pure function
    check       the command, which prints a line for each failure
    mutation    the mutation test of the checker
"""
