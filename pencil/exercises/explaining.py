"""What a reader seems to have done: the known mistakes that come to an answer, those of its own step first."""

import re
from dataclasses import replace

from pencil.exercises.bends import BENT, HALFWAY, LEFT_OUT, SLIPS
from pencil.exercises.exercise import Mark
from pencil.exercises.nearby import HERE, STEP
from pencil.exercises.unrecognised import MIN_FIGURES, PARTS, in_numbers, is_nearly, is_rough
from pencil.exercises.upstream import FURTHER

OWN = "own-"  # the keys of the mistakes that a box names itself begin so
CLEAR = 3  # significant digits by which a number is known that some of a row have, and a mistake further up gives


def explained(exercise, typed):  # -> {key: message}: what is known of an answer, the mistakes of its own step first
    known = _known(exercise.wrong, typed, exercise.places)
    if any(not key.startswith(HERE) or key.startswith(STEP) for key in known):
        return known
    made = {} if is_rough(typed, exercise.right) else _made(_travelled(exercise), typed, exercise.places)
    return known | _each_once({key: message for key, message in made.items() if not _by_rounding(typed, exercise.upstream[key][0])})


def _travelled(exercise, bent=False):
    return {key: told for key, told in exercise.upstream.items() if key.startswith(BENT) == bent}


def nearly(exercise, typed):  # a mistake that was cut to fewer decimals, or rounded on the way; by one number alone only the nearest are told
    several = len({abs(x.value) for x in typed if x.value}) > 1
    further = [_travelled(exercise), *([_travelled(exercise, bent=True)] if several else [])] if len(typed) > 1 else []
    for known in (exercise.wrong, *further):
        for key, (numbers, message) in known.items():
            if key != PARTS and not key.startswith(HALFWAY) and is_nearly(typed, numbers):
                return Mark("wrong", message, key)
    return None


def partly(exercise, typed):  # a mistake that was made in some of the numbers, or a step that they still lack, the others being right
    if len(typed) != len(exercise.right.exact):
        return None
    off = exercise.right.off(typed, exercise.places)
    if len(off) == len(typed) or all(any(typed[k].means(number) for number in exercise.right.exact) for k in off):
        return None  # what stands elsewhere in the answer was put there, too
    told = all(typed[k].value % 1 and typed[k].figures >= MIN_FIGURES for k in off)  # a whole number agrees by chance
    step = all(abs(typed[k].value) > 1 for k in off)
    known = {}
    for key, (numbers, message) in exercise.wrong.items():
        is_clear = (told or step) if key.startswith(STEP) else told and not key.startswith(HERE)
        is_clear = is_clear or key.startswith(OWN) or (key.startswith(f"{HERE}given") and len(off) > 1)
        if is_clear and len(numbers.exact) == len(typed) and not set(off) & set(numbers.off(typed, exercise.places)):
            known[key] = message
    if known:
        return Mark("wrong", _in_some(off, " Or: ".join(each_told(known.values())[:2])), next(iter(known)))
    return _partly_further_up(exercise, typed, off) if told else None


def _partly_further_up(exercise, typed, off):  # in the answer's own line first, then before it
    is_clear = all(typed[k].figures >= CLEAR for k in off)
    all_of_them = (_travelled(exercise) | _travelled(exercise, bent=True)).items()
    for key, (numbers, message) in sorted(all_of_them, key=lambda told: told[1][1].startswith(FURTHER)):
        is_told = not key.startswith(HALFWAY) and (is_clear or not message.startswith(FURTHER))
        if is_told and not set(off) & set(numbers.off(typed, exercise.places)):
            return Mark("wrong", _in_some(off, message), key)
    return None


def _in_some(off, message):
    return f"{in_numbers(off)}: {message[0].lower()}{message[1:]}"


def slipped(exercise, typed):  # one step of a line was forgotten in some of the numbers, which may be whole ones
    off = exercise.right.off(typed, exercise.places) if len(typed) == len(exercise.right.exact) else typed
    for key, (numbers, message) in _travelled(exercise, bent=True).items():
        if (
            len(off) < len(typed)
            and key.startswith((*SLIPS, LEFT_OUT))
            and not message.startswith(FURTHER)
            and not set(off) & set(numbers.off(typed, exercise.places))
        ):
            return Mark("wrong", _in_some(off, message), key)
    return None


def also_slipped(exercise, typed, known):  # a product left out may come to the same as what the catalogue knows
    named = any(key.startswith((OWN, HERE)) for key in known)
    made = {} if named else _made(_travelled(exercise, bent=True), typed, exercise.places)
    return dict([(key, said) for key, said in made.items() if key.startswith(SLIPS) and not said.startswith(FURTHER)][:1])


def bent(exercise, typed):  # a step that no catalogue knows; by one number alone with two figures in its own line or for a whole one, else three
    is_guess = len(typed) > 1 and not any(x.value for x in typed)  # a row of zeros
    is_bare = len(typed) == 1 and typed[0].value in (0, 1, -1)
    enough = len(typed) > 1 or typed[0].figures >= MIN_FIGURES + bool(exercise.right.exact[0] % 1)
    for key, message in _made(_travelled(exercise, bent=True), typed, exercise.places).items():
        if is_guess or key.startswith(HALFWAY) or (is_bare and not (typed[0].value and key.startswith(SLIPS))):
            continue
        if enough or (typed[0].figures == MIN_FIGURES and not message.startswith(FURTHER)):
            return Mark("wrong", message, key)
    return None


def stopped(exercise, typed):  # inside a line, where no value has a name
    if len(typed) == 1 and typed[0].figures < MIN_FIGURES:
        return None
    made = _made(_travelled(exercise, bent=True), typed, exercise.places)
    return next((Mark("wrong", message, key) for key, message in made.items() if key.startswith(HALFWAY)), None)


def opposed(exercise, typed):  # a mistake, and the sign on top of it
    known = _known(exercise.wrong, [replace(x, value=-x.value) for x in typed], exercise.places)
    stepped = [(key, message) for key, message in known.items() if not key.startswith(HERE) or key.startswith(STEP)]
    is_clear = len(typed) > 1 or typed[0].figures >= MIN_FIGURES
    return Mark("wrong", f"{stepped[0][1]} Look at the sign, too.", stepped[0][0]) if stepped and is_clear else None


def _by_rounding(typed, numbers):  # a whole number that a mistake comes to by rounding alone: 1 for 0.9996
    return any(x.places == 0 and not x.means(exact) for x, exact in zip(typed, numbers.exact, strict=True))


def _known(wrong, typed, places):  # -> {key: message}: what the reader may have done
    known = _made(wrong, typed, places)
    if all(key.startswith(HERE) for key in known):
        return dict(list(known.items())[:1])  # the nearest
    kept = () if any(key.startswith(OWN) for key in known) else STEP  # what a box itself says is to the point
    return {key: message for key, message in known.items() if key.startswith(kept) or not key.startswith(HERE)}  # else it agrees by chance


def each_told(messages):  # a box and the catalogue may begin alike, You took tanh., or advise alike
    told = []
    for message in messages:
        if not any(_say_the_same(message, other) for other in told):
            told.append(message)
    return told


def _say_the_same(one, other):
    (first, _, then), (other_first, _, other_then) = (message.removesuffix(".").partition(". ") for message in (one, other))
    parts, others = ([part for part in re.split("[.:] ", text) if part] for text in (then, other_then))
    return first == other_first or any(a.startswith(b) or b.startswith(a) for a in parts for b in others)


def _made(wrong, typed, places):
    return {key: message for key, (numbers, message) in wrong.items() if numbers.is_meant(typed, places)}


def _each_once(made):  # a root that is forgotten in one line may be told in the next one too
    first = {}
    for key in made:
        first.setdefault(key.partition(".")[0], key)
    return {key: made[key] for key in first.values()}
