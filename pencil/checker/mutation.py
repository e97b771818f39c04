"""Mutation test of the checker: after changing any digit of a page, the check must fail; of changed words, the share that fails is told.

    python -m pencil.checker.mutation [--all] [--seed N] [PATH ...]

Each counted digit is replaced by one random other digit, or with --all by every other digit. In sentences with bound numbers, comparisons
are turned round, names and bindings exchanged, and units changed (`word_mutants`). Only the changed block is judged again.
"""

import random
import sys
from dataclasses import dataclass, field

from pencil.checker.check import NO_PAGES, WRONG, context_of, pages, says
from pencil.checker.digits import DIGIT, alternatives, replaced
from pencil.checker.library import with_libraries
from pencil.checker.numerals import find_numerals, line_of, with_text
from pencil.checker.page import load, read_page
from pencil.checker.verdict import judge
from pencil.checker.word_mutants import word_mutants
from pencil.errors import Parser

ENOUGH = 0.99
WHY = {
    "bound": "its reference shows these digits as well",
    "computed": "the equation is true with it as well",
    "quoted": "the code cells hold it as well",
    "declared": "it is declared as well",
}


@dataclass
class Outcome:
    """The number of mutants, and those that survived."""

    total: int = 0
    survivors: list = field(default_factory=list)

    @property
    def caught(self):
        """The share of mutants that the checker caught; 1 for a page without digits."""
        return 1 - len(self.survivors) / self.total if self.total else 1.0

    def add(self, other):
        """Count the mutants of another page as well."""
        self.total += other.total
        self.survivors += other.survivors


def mutate(text, values, seed=0, every=False):  # str, values -> Outcome
    """Judge all mutants of a page. Raises ValueError for a page that fails unmutated."""
    page = read_page(text)
    context, outcome, rng = context_of(page, values), Outcome(), random.Random(seed)
    for block in page.blocks:
        for wrong in judge(block, context).failures:
            raise ValueError(f"line {wrong.line}: {wrong.written} fails as it stands; run the checker first")
        for at, digit in _mutants(block, rng, every):
            outcome.total += 1
            mutant = with_text(block, replaced(block.text, at, digit))
            verdict = judge(mutant, context)
            if not verdict.failures:
                outcome.survivors.append(_describe(block, verdict, at, digit))
    return outcome


def mutate_words(text, values):  # str, values -> {kind: Outcome}
    """Judge the sentences of a page with changed words."""
    page, outcomes = read_page(text), {}
    context = context_of(page, values)
    for block in page.blocks:
        for kind, changed, what in word_mutants(block):
            outcome = outcomes.setdefault(kind, Outcome())
            outcome.total += 1
            if not judge(with_text(block, changed), context).failures:
                outcome.survivors.append(f"{block.line}: {what}")
    return outcomes


def _mutants(block, rng, every):
    for start, end in find_numerals(block):
        for at in range(start, end):
            others = alternatives(block.text[at]) if DIGIT.match(block.text[at]) else ""
            for digit in others if every else rng.sample(others, min(1, len(others))):
                yield at, digit


def _describe(block, verdict, at, digit):
    start, end = next(span for span in find_numerals(block) if span[0] <= at < span[1])
    now = replaced(block.text, at, digit)[start:end]
    why = next((WHY[way] for span, way in verdict.ways.items() if span[0] <= at < span[1]), "it no longer counts")
    return f"{line_of(block, at)}: {block.text[start:end]} -> {now} — {why}"


def main(argv=None):
    """Print the catch rate of every page, and the digits that survived with the reason. Returns 1 if the rate of digits is below 99 %."""
    parser = Parser(prog="python -m pencil.checker.mutation", description=__doc__)
    parser.add_argument("--all", action="store_true", help="replace each digit by every other, not by one")
    parser.add_argument("--seed", type=int, default=0, help="which other digit is chosen")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="pages or folders; by default the whole book")
    asked, digits, words, failed = parser.parse_args(argv), Outcome(), {}, False
    found = pages(asked.paths)
    if not found:
        print(NO_PAGES)
        return 1
    for page, library in with_libraries(found):
        named = page.as_posix()
        try:
            values = library.beside(page).fresh()
            outcome = mutate(load(page), values, asked.seed, asked.all)
            of_words = mutate_words(load(page), values)
        except WRONG as wrong:
            print(f"{named}: {says(wrong)}")
            failed = True
            continue
        for survivor in outcome.survivors:
            print(f"{named}:{survivor}")
        print(f"{named}: {_rate(outcome)} mutants caught")
        digits.add(outcome)
        for kind, one in of_words.items():
            words.setdefault(kind, Outcome()).add(one)
    print(f"{_rate(digits)} mutants caught")
    print("of words: " + (", ".join(f"{kind} {_rate(one)}" for kind, one in sorted(words.items())) or "none"))
    return 1 if failed or len(digits.survivors) > (1 - ENOUGH) * digits.total else 0


def _rate(outcome):
    return f"{outcome.total - len(outcome.survivors)} of {outcome.total}"


if __name__ == "__main__":
    sys.exit(main())
