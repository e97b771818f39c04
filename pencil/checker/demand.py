"""What the checker demands of a sentence: what it claims of bound numbers is put into {when}, where it is checked.

Nothing here reads English. Some words are known by sight: beside a bound number they have to be among the words of a claim. So has a
sentence with two bound numbers some claim, unless nobody can take one for the other (`confusable`). Or its mark says that it claims nothing of
them. A question claims nothing, and a sum in signs is checked as it is.

A claim is written as its sentence says it: with a sign of its word (`larger` has a >), and its values in the order of the sentence.
"""

import re

from pencil.checker import claims
from pencil.checker.confusable import none_confusable
from pencil.checker.numerals import MARK
from pencil.checker.sentences import sentences

_STEMS = (
    "larg|great|high|bigg|long|wid|heavi|strong|weak|small|low|short|narrow|few|near|clos|farth|fast|slow|cheap|likeli|deep|flatt|steep|loud|faint"
)
_UP = "(?:larg|great|high|bigg|long|wid|heavi|strong)er|more"
_DOWN = "(?:small|low|short|narrow|weak|few)er|less"
_RISES = "rises?|rose|grows?(?! alike)|grew|climbs?|climbed|increases?"
_FALLS = "falls?(?! behind)|fell|shrinks?|shrank|drops?|sinks?|sank|decreases?"
_SPELLED = {  # words: what in a condition bears them out
    _UP: "> ≥ max descending ascending",
    _DOWN: "< ≤ min ascending descending",
    "(?:larg|great|high|bigg|long|wid)est|(?<!at )most": "max > ≥ descending",
    "(?:small|low|short|narrow|few)est|(?<!at )least": "min < ≤ ascending",
    "(?<!almost the )(?<!nearly the )same|equals?|equally|ties?|tied|alike": "= ≈",
    "twice|doubles?|doubled": "twice 2",
    "half|halves|halved": "half 0.5",
    "a third|thirds": "third 3",
    "a quarter|quarters": "quarter 4 0.25",
    "positive": "positive",
    "negative": "negative",
    "none": "none ≠ ∉ 0",
    _RISES: "rises ascending",
    _FALLS: "falls descending",
}
FAMILIES = {
    re.compile(rf"\b(?:{words})\b", re.I): [float(one) if one[0].isdigit() else one for one in evidence.split()]
    for words, evidence in _SPELLED.items()
}
_JUDGES = re.compile(
    rf"\b(?:(?:{_STEMS})(?:er|est)|more|most|less|least|better|best|worse|worst|(?<!in )(?<!at )(?<!after )all|none|every|only|twice|half"
    rf"|positive|negative|same|equal|{_RISES}|{_FALLS})\b",
    re.I,
)
_DENIES = re.compile(r"\b(?:not|no|never|neither|nor|nothing|hardly)\b|n[’']t\b", re.I)
_SHOWN_AS = {"rises": "a < b, or a > 0", "falls": "a > b, or a < 0", "positive": "> 0", "negative": "< 0"}


def judge_sentences(verdict, context):  # Verdict, Context -> None
    """Add a failure for each sentence of a block that leaves a claim unchecked, and for each mark or claim that its words do not fit."""
    for sentence in sentences(verdict.block):
        wanted = _unclaimed(sentence, verdict.block.text, context.values)
        if wanted and sentence.mark is None:
            place, written, reason = wanted
            verdict.fail(place, written, f"{reason}: {_remedy(sentence)}")
        elif sentence.mark is not None and not wanted:
            verdict.fail(sentence.mark, MARK, "marks a sentence of which no claim is demanded: take it out")
        for claim in sentence.claims:
            for reason in _misfits(sentence, claim):
                verdict.fail(claim.start, verdict.block.text[claim.start : claim.end], reason)


def _unclaimed(sentence, text, values):  # -> (offset, what is written, reason), or None
    bound = [binding for binding in sentence.bindings if not binding.reference.startswith("page.")]
    if not bound or sentence.asks:
        return None
    for match in _JUDGES.finditer(sentence.text):
        place = sentence.places[match.start()]
        if not sentence.claim_at(place):
            return place, match[0], "judges, and stands beside a bound number"
    several = {_name(b.reference): b for b in bound if b.start not in sentence.summed and not b.reference.startswith("count ")}
    if sentence.ends and not sentence.claims and not none_confusable(sentence, several.values(), text, values):
        return sentence.start, sentence.text.split(" ")[0], "begins a sentence with two bound numbers and no claim"
    return None


def _remedy(sentence):
    one, *others = dict.fromkeys(_name(binding.reference) for binding in sentence.bindings)
    example = f"{one} > {others[0] if others else 0}"
    return f"put what it claims into a condition, as in {{when}}`larger <{example}>`, or end it with {MARK} where it claims nothing of its numbers"


def _name(reference):  # "exact  nolan.context" -> "nolan.context"
    return " ".join(reference.removeprefix("paper ").removeprefix("exact ").split())


def _misfits(sentence, claim):  # -> reasons
    try:
        condition = claims.read(claim.reference)
    except ValueError:  # `claims.objection` says so
        return
    words, evidence = sentence.words_of(claim), _evidence(condition)
    for known, accepted in FAMILIES.items():
        if (match := known.search(words)) and not _DENIES.search(words) and not evidence & {*accepted}:
            yield f"its condition has nothing that says {match[0]!r}, such as {_SHOWN_AS.get(accepted[0], accepted[0])}"
    at = {}
    for binding in sentence.bindings:
        at.setdefault(_name(binding.reference), binding.start)
    for one, sign, other in _steps(condition):
        if sign in "<>≤≥" and at.get(one, 0) > at.get(other, float("inf")):
            yield f"the sentence has the value of {other} before that of {one}: write the condition in its order"


def _steps(condition):  # -> (reference, sign, reference) of each comparison of two values
    for comparison in condition:
        for left, right, sign in zip(comparison.sides, comparison.sides[1:], comparison.signs, strict=False):
            if all(len(side.terms) == 1 and side.terms[0].is_reference for side in (left, right)):
                yield left.terms[0].leaf, sign, right.terms[0].leaf


def _evidence(condition):
    """The signs, functions and numbers of a condition, and what they say together: rises, falls, positive, negative."""
    found = {comparison.quantifier for comparison in condition}
    for term in claims.terms_of(condition):
        found |= {*term.functions, term.leaf}
    for comparison in condition:
        for sign, right in zip(comparison.signs, comparison.sides[1:], strict=True):
            found.add(sign)
            number = None if right.terms[0].is_reference else right.terms[0].leaf
            if sign in "<>≤≥":
                found.add("rises" if (sign in ">≥") == (number is not None) else "falls")
            if number == 0 and not right.joint and sign in "<>≤≥":
                found.add("positive" if sign in ">≥" else "negative")
    return found
