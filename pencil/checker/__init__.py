"""The number checker: every numeral of a page has to be bound to a published value, part of a true equation, or declared.

`python -m pencil check` runs it on the pages; `python -m pencil.checker.mutation` is its mutation test, which changes one digit
after another. In reading order:

    digits      the digit characters, and the alternatives to each
    words       numbers written as words
    arithmetic  parse and evaluate an expression in plain text
    equations   find equations in a text, decide whether they hold and which of their digits they determine
    page        split a page into front matter, code cells and blocks of text
    markdown    tokenize the text of a block with MyST's own parser
    numerals    the numerals of a block that count
    rendered    the rendered text of a block, with each bound number as one character
    affixes     signs and units beside a number, which are read as part of it
    statements  sums and comparisons in other notations, or in words
    reading     what the rendered text states with its numbers, beyond their digits
    cells       literal numbers in what a code cell shows
    values      the values that a chapter publishes, and references to them
    library     the published values of all chapters; stale notebooks are refused
    bindings    check the digits of {v}`0.953 <nolan.weights[ended]>` against the value
    claims      check the condition of {when}`liked <tick > 0.5>`
    declared    numerals that a page declares by name, such as years
    verdict     judge one block, a pure function
    check       the command, which prints a line for each failure
    mutation    the mutation test of the checker
"""
