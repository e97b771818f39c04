"""The look of each model's curve in the pictures of the contest, and its name at the curve's end."""

LOOK = {  # a colour and a dash of matplotlib
    "SimpleRNN": "C3:",
    "LSTM": "C1--",
    "BiLSTM": "C2-.",
    "Transformer": "C0-",
    "Averages": "C4-",
    "Transformer with positions": "C0--",
    "Rotary": "C2-",
}
TEXT = {"va": "center", "fontsize": 10, "annotation_clip": False}


def name_ends(ax, curves, gap=0.09):  # axes, {name: (x, y)}
    """Write each name beside the end of its curve, at least `gap` of the height above the one below."""
    low = -1
    for name, (x, y) in sorted(curves.items(), key=lambda curve: curve[1][1][-1]):
        end = ax.transAxes.inverted().transform(ax.transData.transform((x[-1], y[-1])))
        low, colour = max(end[1], low + gap), LOOK[name][:2]
        line = {"arrowstyle": "-", "color": colour, "lw": 0.8}
        ax.annotate(name, end, (1.05, low), "axes fraction", "axes fraction", arrowprops=line, color=colour, **TEXT)
