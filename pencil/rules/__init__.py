"""The rules of a chapter's form. Each is a function from a `Chapter` to `Finding`s: file, line, and a sentence that says what to do.

`python -m pencil chapter-check NN` tells all that they find, and the tests hold every chapter to them. What the numbers of the prose have to
obey is the checker's (`pencil.checker`).

    template    what `python -m pencil chapter` writes
    chapter     Chapter, which reads each part once, and Finding
    form        boxes, cells, and what still stands as the template has it
    bridge      the section on library code
    words       the field's words, and those of a source
    questions   hints and worked lines
    place       path.yml, _toc.yml, lessons, links, glossary
    programs    what the cells put out, and the published runs
    held        `broken`: all of them, for one chapter
"""
