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
    reading     what signs and number words state beyond the bound digits
    units       units behind a number, and those that its name declares
    cells       numbers that are typed into what a code cell shows
    values      what a chapter publishes, and how a reference finds it
    library     the published values of all chapters, refused where a notebook is out of date
    bindings    whether the digits of {v}`0.953 <nolan.weights[ended]>` are what its reference shows
    claims      words that hold while a condition on values does, such as {when}`liked <tick > 0.5>`
    sentences   the sentences of a block, their bound numbers and their claims
    demand      which sentences need a claim, and whether a claim is written as its words say it
    owners      whose number it is: the words that a sentence names, and those that its bindings name
    confusable  which numbers beside one another need no claim: of one list, of other sizes, or distinguished by their words
    answers     whether a question, its answer and its worked answer agree
    declared    numerals that a page declares by name, such as years
    dependencies  what of the package a chapter's code reaches, and whether that has changed since its run
    verdict     judge one block, a pure function
    check       the command, which prints a line for each failure
    word_mutants  false sentences made of true ones
    mutation    the mutation test of the checker, of digits and of words
"""
