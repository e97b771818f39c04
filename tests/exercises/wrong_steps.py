"""Answers with a single slip: a lost minus, an omitted term, an input typed back. And right ones in usual spellings."""

# question, answer, verdict, what the message says
TYPED = [
    # a minus that was lost on the way
    ("03:whole-second-step", "-0.313 0.642", "wrong", "at not.memory: you lost a minus"),
    ("03:whole-second-step", "-0.243 0.642", "wrong", "at good.read: you took away “nudge”"),
    ("05:by-hand", "6.27 3.72", "wrong", "you lost a minus"),
    ("09:new-stick", "0.094 2.859 0.953 1.953", "wrong", "at GIVE grid: you lost a minus"),
    ("09:ended-new", "0.238 2.643 0.881 1.881", "wrong", "at GIVE grid: you lost a minus"),
    ("11:turn-offer", "-0.301 1.381 0.990 1.010", "wrong", "at sat.OFFER: you lost a minus"),
    ("02:bad-stick", "0.896 0 0.491", "wrong", "Look at the sign of number 3. Or: This belongs to good"),
    ("10:tame", "1 1 1 1", "wrong", "Look at the sign of numbers 2 and 3."),
    ("14:knows-nothing", "-4.043", "wrong", "Raise e to it. Look at the sign, too."),
    # a part that was left out, or taken for another
    ("03:whole-second-step", "-0.992 0.642", "wrong", "at good.sum: you left out “read”"),
    ("04:good-film", "0.71", "wrong", "You left out “candidate”. Multiply by it."),
    ("07:product", "14", "wrong", "You left out one of the products."),
    ("09:match-row", "2 6", "wrong", "You left out one of the products."),
    ("10:alone-stream", "2.078 0.754 1.168 0", "wrong", "You took away “attention”."),
    ("11:cat-on-seat-one", "0 0 1 0", "wrong", "You multiplied where the line adds."),
    ("06:scale", "10", "wrong", "You took away 2. Divide by it."),
    ("10:alone-tamed", "-0.673 1.660 -0.105 -0.883", "wrong", "at sat.stream: you laid the tamed row on top."),
    ("10:alone-out", "-0.300 3.647 1.387 -1.414", "wrong", "at sat.stream: you laid the tamed row on top."),
    ("12:second-asker", "0.538 1 1.731 0.731", "wrong", "You mixed the rows themselves."),
    ("12:gap-covered", "0 1 1 0", "wrong", "You gave every word the same share."),
    # another base than e
    ("05:softmax", "0.333 0.667", "wrong", "at raised: you raised two to the number."),
    ("05:by-hand", "7.09 2.91", "wrong", "at asked.raised: you raised two to the number."),
    ("09:raised-row", "2 16", "wrong", "You raised two to the number."),
    ("14:larger-p", "0.667 0.333 0", "wrong", "Did you divide each score by their sum, or raise two to each?"),
    # a mistake that was cut to two decimals, or rounded on the way
    ("02:rarer-than-chance", "-0.69", "wrong", "You took the logarithm of a ratio below one."),
    ("05:by-hand", "7.125 2.875", "wrong", "you divided by the width"),
    ("09:portions", "0.18 0.82", "wrong", "you divided by the width"),
    ("09:new-stick", "1.91 0.14 0.05 0.95", "wrong", "You gave each word the share of the other."),
    ("10:alone-mix", "1.078 0.168 -1.246 0", "wrong", "You gave each word the share of the other."),
    # some of the numbers, or all of them by one factor
    ("10:mixing", "0.424 -0.707", "wrong", "In number 1: you dropped the minus"),
    ("11:turn-offer", "-1.381 1.381 1.010 -1.010", "wrong", "In numbers 2 and 4: you turned the other way."),
    ("13:three-words", "0.75 0 -1.5 0.375", "wrong", "You divided by four, the numbers of a row."),
    ("10:no-middle", "0.817 0.408 0.408 0", "wrong", "You took the root of the sum."),
    ("13:three-words", "0.1 0 -0.2 0.05", "wrong", "look where the point stands"),
    ("13b:adam-first", "0.001 -0.001", "wrong", "You took the mean as it is."),
    ("02:table-size", "20,000", "wrong", "look where the point stands"),
    ("01:id-of-mat", "20 1 10002", "wrong", "In number 3: you are off by one."),
    ("05:softmax", "0 0.731", "wrong", "you took zero for e to the power of zero"),
    # what the question gives, typed back
    ("04:ninety-five", "0.95", "wrong", "This was given."),
    ("06:average-of-two", "0.0 2.8 0.9 0.0", "wrong", "This was given."),
    ("13b:adam-first", "0.002 -5", "wrong", "This was given."),
    ("07:count-dials", "8", "wrong", "That is how wide a head is, and how many heads there are."),
    # two digits that may be one number
    ("09:match-row", "10", "wrong", "That is the sum of all."),
    ("15:lay-flat", "0011", "right", ""),
    # as people spell what is right
    ("01:id-of-mat", "20 1 10 001", "right", ""),
    ("02:table-size", "20.000.000", "right", ""),
    ("02:cosine-by-hand", "24/25", "right", ""),
    ("05:softmax", "26.9% 73.1%", "right", ""),
    ("06:average-of-two", "0,1 1,9 0,7 0,2", "right", ""),
    ("13:three-thirds", "2/9 -1/9 -1/9", "right", ""),
    ("14:a-after-t", "1/24", "right", ""),
    # a choice, typed in short
    ("01:which-tells", "bigrams", "right", ""),
    ("01:twice-as-rare", "half as often", "right", ""),
    ("01:next-pair", "lo+w", "right", ""),
    ("07:predict-one-dial", "head one", "right", ""),
    ("09:bag-or-set", "Set", "wrong", "In a set nothing stands twice."),
    ("12:padding-at-the-end", "Yes.", "wrong", "The causal mask covers"),
    ("01:which-tells", "the row", "wrong", "Choose one of these"),
    # too short to tell
    ("07:cat-head-two", "0.6", "short", "Too short to tell"),
    ("11:twin-cats", "0.47 0.47 0.06", "short", "Too short to tell"),
    ("13:truth-one", "-0.06", "short", "Too short to tell"),
]
