"""A fifth list: what general rules have said since the later list was counted."""

# question, answer, verdict, what the message says
TYPED = [
    ("18:mixed-row", "1 1/2 and 3", "right", ""),
    ("18:mixed-row", "1 1/2, 3", "right", ""),
    ("11:six-places", "1-3-5-2-4-6", "right", ""),
    ("02:bad-stick", "0.897 0 -0.491", "right", ""),
    (
        "05:by-hand",
        "7.731 2.271",
        "wrong",
        "Close. Was a number rounded too soon? Round at the end of each line, and carry on with what you wrote.",
    ),
    ("05:by-hand", "7.74 2.28", "wrong", "Carry three decimals. Round at the end of each line, and carry on with what you wrote."),
    ("03:whole-second-step", "-0.941 0.642", "wrong", "at good.read: you added “nudge” twice"),
    ("03:tanh-of-two", "0.929", "wrong", "That is the square of the answer"),
    ("09:tick", "0.739", "wrong", "You divided the number by itself and one"),
    ("04:what-is-not-shown", "0.051", "wrong", "you went on from what the memory showed"),
    ("05:by-hand", "7.73 0.74", "wrong", "In number 2: perhaps you left the third word's part out"),
    ("05:by-hand", "11.13 3.273", "wrong", "at asked.total: you left out one of the parts"),
    ("09:raised-row", "1 16", "wrong", "You squared the number. Raise e to it."),
    ("13b:two-minds", "0.556", "wrong", "That is one minus the answer"),
    ("13b:two-minds", "0.667", "wrong", "That is the root of the answer"),
    ("15:corner-right", "3 -2 1 1", "wrong", "In number 4: perhaps you left out one part of the sum"),
]
