"""The labs in Jupyter: without a kernel, with a widget, and linked to other controls."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from pencil import examples
from pencil.widgets import (
    AttentionLab,
    BlockLab,
)


def test_importing_the_labs_and_showing_their_page_brings_in_nothing_of_jupyter():
    code = "import sys, json; from pencil.widgets import BlockLab; BlockLab()._repr_html_()"
    code += "; print(json.dumps(sorted({m.split('.')[0] for m in sys.modules})))"
    loaded = set(json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout))
    assert not loaded & {"anywidget", "ipywidgets", "traitlets", "IPython", "torch", "matplotlib"}


def test_without_a_kernel_only_text_and_the_static_page_are_shown():
    shown = BlockLab()._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    assert re.findall(r">([^<]*)</tspan>", shown["text/html"])[:4] == ["2", "1", "1", "0"]


def test_the_widget_and_the_lab_follow_one_another():
    lab = AttentionLab()
    widget = lab.widget
    assert lab.widget is widget and widget.givens == lab.givens
    changed = lab.givens | {"embedding": [[3, 1, 1, 0], [0, 1, 2, 1]]}
    widget.givens = changed  # as a reader's page does
    assert lab.givens["embedding"][0][0] == 3 and lab.trace.find("embedding").exact[0, 0] == 3
    widget.variant = 2
    assert lab.chosen() == {"Words": "3"} and widget.givens == lab.givens and lab.givens["embedding"][0][0] == 3
    lab.variant = 0
    assert widget.variant == 0 and widget.givens["embedding"] == [[3, 1, 1, 0]]
    with pytest.raises(ValueError):
        widget.givens = widget.givens | {"embedding": [[np.nan] * 4]}
    assert widget.givens == lab.givens


def test_what_comes_together_from_a_page_is_taken_together():
    lab = AttentionLab()
    six = lab.givens | {"embedding": (examples.LAB_ROWS + 1).tolist()}
    lab.widget.set_state({"variant": 5, "step": 0, "givens": six})
    assert lab.variant == 5 and lab.givens["embedding"] == (examples.LAB_ROWS + 1).tolist() == lab.widget.givens["embedding"]


def test_controls_of_ipywidgets_can_drive_a_lab():
    import ipywidgets

    lab, slider = BlockLab(), ipywidgets.IntSlider(max=3)
    ipywidgets.link((slider, "value"), (lab.widget, "variant"))
    slider.value = 2
    assert lab.variant == 2 and lab.chosen()["Norm"] == "last (Post-LN)"


def test_a_widget_brings_the_drawings_of_its_lab():
    lab = BlockLab()
    assert lab.widget.drawn == lab.drawn() and set(lab.drawings) == {"first (Pre-LN)", "last (Post-LN)", "out"}
    assert all(f'data-drawing="{name}"' in lab.drawn() for name in lab.drawings)
