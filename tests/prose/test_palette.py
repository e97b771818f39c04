"""Figures with a palette: lighter, and no eye sees the difference."""

from base64 import b64decode, b64encode
from io import BytesIO

import matplotlib
import numpy as np
import pytest
from PIL import Image

from pencil.prose.palette import lighten


def encoded(image):
    out = BytesIO()
    image.save(out, "PNG")
    return b64encode(out.getvalue()).decode() + "\n"


def decoded(png):
    return Image.open(BytesIO(b64decode(png)))


@pytest.fixture(scope="module")
def figure():
    """Curves of five inks that cross and shine through one another, as the book draws them."""
    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    plt.style.use("pencil.book")
    fig, ax = plt.subplots()
    for k, curve in enumerate(np.random.default_rng(0).normal(size=(45, 25)).cumsum(1)):
        ax.plot(curve, color=f"C{k % 5}", lw=0.5, alpha=0.5)
    out = BytesIO()
    fig.savefig(out, format="png")
    plt.close(fig)
    return b64encode(out.getvalue()).decode() + "\n"


def test_a_figure_is_lighter_and_looks_the_same(figure):
    light = lighten(figure)
    assert len(light) < 0.5 * len(figure) and lighten(figure) == light
    before, after = (np.asarray(decoded(png).convert("RGB"), float) for png in (figure, light))
    assert np.abs(before - after).mean() < 1 and np.percentile(np.abs(before - after), 99.9) < 16
    assert decoded(light).size == decoded(figure).size
    assert decoded(light).info["dpi"] == pytest.approx(decoded(figure).info["dpi"], rel=1e-3)


@pytest.mark.parametrize("image", [Image.new("RGBA", (40, 40), (9, 9, 9, 100)), Image.new("L", (40, 40), 7), Image.new("RGB", (1, 1), (1, 2, 3))])
def test_what_gains_nothing_stays_as_it_is(image):
    assert lighten(encoded(image)) == encoded(image)


def test_what_is_light_already_gets_no_lighter(figure):
    assert lighten(lighten(figure)) == lighten(figure)
