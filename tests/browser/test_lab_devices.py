"""Labs on a phone, by touch, in print, without scripts, and with reduced motion."""

import pytest
from labs import LABS, cell, expected, put, shown


@pytest.mark.slow
@pytest.mark.parametrize("name", LABS)
def test_on_a_phone_it_is_no_wider_than_the_page(bare, name):
    with bare(name, way="narrow") as (_, box, tab):
        for theme in ("dark", "light"):
            tab.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), theme
        assert box.locator("select, button, .pencil-cell").first.is_visible()


def test_a_finger_drags_sideways(bare):
    with bare("attention", way="narrow") as (lab, box, tab):
        at = cell(box, "embedding", 0).bounding_box()
        x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
        touch = tab.context.new_cdp_session(tab)
        for kind, dx in (("touchStart", 0), ("touchMove", 15), ("touchMove", 26), ("touchEnd", None)):
            points = [] if dx is None else [{"x": x + dx, "y": y}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        put(lab, "embedding", 0, 4)
        assert shown(box) == expected(lab)


OUT = "3.1453.8631.208−0.654"


def test_without_script_and_in_print_the_pencil_numbers_stand(bare):
    with bare("block", java_script_enabled=False) as (_, box, _):
        assert OUT in text_of(box) and "norm last" in text_of(box)
    with bare("block") as (_, box, tab):
        cell(box, "x", 0).fill("9")
        tab.emulate_media(media="print")
        assert OUT in text_of(box) and "norm last" in text_of(box)
        assert not box.locator(".pencil-lab-live").is_visible()


def text_of(box):
    return " ".join(box.inner_text().split())


def test_reduced_motion_is_honoured(bare):
    """Nothing in a lab moves by itself, whatever the reader prefers."""
    moving = """lab => [...lab.querySelectorAll('*')].map(one => getComputedStyle(one))
      .filter(style => style.animationName !== 'none' || /[1-9]/.test(style.transitionDuration)).length"""
    with bare("attention", reduced_motion="reduce") as (_, box, _):
        assert box.evaluate(moving) == 0
