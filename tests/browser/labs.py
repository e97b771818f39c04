"""Helpers for the tests of labs: a page with one lab, what it shows, and what Python computes."""

import re
from contextlib import contextmanager
from functools import cache

import numpy as np
import yaml

from pencil import web
from pencil.paths import ROOT
from pencil.rounding import show
from pencil.widgets import (
    AttentionLab,
    BitsLab,
    BlockLab,
    CacheLab,
    ChatLab,
    DiceLab,
    DigitsLab,
    HeadsLab,
    KeepLab,
    LSTMLab,
    MaskLab,
    ModernLab,
    OpenWriterLab,
    PagesLab,
    PatchLab,
    PoolingLab,
    PositionLab,
    PreferenceLab,
    RingLab,
    RNNLab,
    RotaryLab,
    RowLab,
    SamplingLab,
    SoftmaxLab,
    SparseLab,
    StateLab,
    Stepper,
    ValleyLab,
    WriterLab,
)
from pencil.worked import grouped

SHEETS = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]["html_css_files"]
STYLES = [*web.PAGE_STYLES, *(ROOT / "book/_static" / name for name in SHEETS)]
PAGE = """<!doctype html><html lang="en" data-theme="{theme}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A lab</title><style>{style}</style><main><article class="bd-article"><h1>A lab</h1><p>Before the lab.</p>{lab}</article></main>
<script type="application/json" id="pencil-runs">[]</script><script>{script}</script></html>"""

PARTS = """lab => [...lab.querySelectorAll(".pencil-lab-live .pencil-part")].map(part => part.querySelector(".pencil-worked")
  ? [...part.querySelectorAll(".pencil-worked p")].map(line => line.textContent)
  : part.matches(".says") ? [part.textContent]
  : part.matches(".drawing") ? [...part.querySelectorAll(".pencil-number")].map(number => number.textContent)
  : [...part.querySelectorAll("tbody td:not(.bar)")].map(cell => cell.querySelector("input, select")?.value ?? cell.textContent))"""


def stepper():
    """A lab of any run: the head of the film review."""
    from pencil.examples import REVIEW_HEAD
    from pencil.reference import mlp_head
    from pencil.trace import Trace

    trace = Trace()
    mlp_head(trace.given("pooled", [0.166, 2.751, 0.917, 0.083]), trace.given_each("head", REVIEW_HEAD), note=trace)
    return Stepper(trace)


LABS = {
    "attention": AttentionLab,
    "row": RowLab,
    "softmax": SoftmaxLab,
    "block": BlockLab,
    "heads": HeadsLab,
    "rnn": RNNLab,
    "lstm": LSTMLab,
    "keep": KeepLab,
    "mask": MaskLab,
    "position": PositionLab,
    "pooling": PoolingLab,
    "patch": PatchLab,
    "sampling": SamplingLab,
    "dice": DiceLab,
    "modern": ModernLab,
    "cache": CacheLab,
    "pages": PagesLab,
    "ring": RingLab,
    "sparse": SparseLab,
    "state": StateLab,
    "bits": BitsLab,
    "rotary": RotaryLab,
    "valley": ValleyLab,
    "preference": PreferenceLab,
    "stepper": stepper,
}


def write_page(folder, lab, theme="light", html=None):  # -> address
    """A page with this lab and nothing else; `html` is what it shows, where that is known."""
    style = "\n".join(path.read_text(encoding="utf-8") for path in STYLES)
    path = folder / "lab.html"
    script = "\n".join(part.read_text(encoding="utf-8") for part in (web.PAGE, web.PIECES, web.TRAINED))
    path.write_text(PAGE.format(theme=theme, style=style, lab=html or lab._repr_html_(), script=script), encoding="utf-8")
    return path.as_uri()


@cache
def made(lab):  # -> html, script: NumPy writes a text for the first, and all numbers are packed for the second
    """What a lab that fetches its numbers puts into a page and beside it."""
    return lab._repr_html_(), lab.script()


@contextmanager
def carried(tabs, folder, lab, script, way="wide", **options):
    """A page, from a file, with a lab that fetches its numbers from beside it: its box and the tab.

    `script` is the name of the file with the numbers; where it is None they are not there.
    `way` is the shared tab to open it in, `options` those of a fresh one instead.
    """
    for name in ("notebooks", "_static"):
        (folder / name).mkdir(exist_ok=True)
    html, numbers = made(lab)
    if script:
        (folder / "_static" / script).write_text(numbers, encoding="utf-8")
    with opened(tabs, write_page(folder / "notebooks", lab, html=html), way, **options) as (tab, log):
        yield tab.locator(".pencil-lab"), tab
    assert log.wrong == [] or not script


def on_bare_pages(tabs, folder):
    """A function that opens a lab on a bare page: it yields the lab in Python, its box, the tab."""

    @contextmanager
    def open_lab(name, fragment="", **options):
        lab = LABS[name]()
        with opened(tabs, write_page(folder, lab) + fragment, **options) as (tab, log):
            yield lab, tab.locator(".pencil-lab"), tab
            assert log.wrong == []

    return open_lab


@contextmanager
def opened(tabs, address, way="wide", **options):  # -> tab, log
    """An address in the shared tab of a way, or in a fresh one with these options."""
    if not options:
        yield tabs.visit(way, address)
        return
    with tabs.tab(**options) as (tab, log):
        tab.goto(address)
        yield tab, log


def text(said):
    """Blanks of every kind alike."""
    return re.sub(r"\s+", " ", said).strip()


def shown(box):
    """What stands in each part of a lab, on the page."""
    return [[text(one) for one in part] for part in box.evaluate(PARTS)]


def expected(lab):
    """The same by Python, with the numbers that the lab has."""
    worked = lab.worked
    return [[text(one) for one in _texts(part, worked, lab.drawings)] for part in lab.variants[lab.variant].steps[lab.step].parts]


def _texts(part, worked, drawings):
    if part.kind == "drawing":
        return [worked.number(reference) for reference in re.findall('data-value="(.*?)"', drawings[part.show].svg())]
    if part.kind == "says":
        return [part.said(worked)]
    if part.kind == "lines":
        return [grouped(line) for reference in part.show.split() for line in worked.lines(reference, part.by)]
    return [number.text for number in worked.numbers(part.show)]


def put(lab, name, place, value):
    """The same edit in Python."""
    changed = np.array(lab.givens[name], float)
    changed.flat[place] = value
    lab.givens = lab.givens | {name: changed}


def cell(box, name, place):
    """A given number's cell."""
    return box.locator(f":is(.pencil-cell, .pencil-ink)[data-name='{name}'][data-place='{place}']")


MOUNTED = {  # page: its labs, each with a given of more than one number, or two givens; and what is typed where a half is refused
    "notebooks/03_rnn.html": [("rnn", "table")],
    "notebooks/04_lstm.html": [("lstm", "table"), ("keep", "words", "3")],
    "notebooks/05_soft_lookup.html": [("softmax", "scores")],
    "notebooks/06_look_across.html": [("attention", "params.query")],
    "notebooks/07_heads.html": [("heads", "embedding")],
    "notebooks/10_block.html": [("block", "x")],
    "notebooks/11_order.html": [("rotary", "query"), ("position", "embedding")],
    "notebooks/12_masks.html": [("mask", "scaled"), ("pooling", "embedding")],
    "notebooks/13b_descent.html": [("valley", "start")],
    "notebooks/14_tiny_gpt.html": [("sampling", "scores")],
    "notebooks/14b_chatbot.html": [("preference", "logits")],
    "notebooks/15_vit.html": [("patch", "class_token")],
    "notebooks/16_modern_block.html": [("modern", "x")],
    "notebooks/17_cache.html": [("cache", "words width", "3"), ("pages", "table words", "1"), ("ring", "positions window", "2")],
    "notebooks/17b_linear_attention.html": [("state", "values")],
    "notebooks/17c_sparse_attention.html": [("sparse", "scores")],
    "notebooks/20_fewer_bits.html": [("bits", "fraction", "0")],
    "notebooks/21_speculative.html": [("dice", "target_parts")],
}
HTML = "document.querySelector('article').innerHTML"


def box_of(tab, lab):
    """A lab of a chapter."""
    return tab.locator(f".pencil-lab[aria-label='{label(lab)}']")


def label(lab):
    """What a lab is called aloud."""
    return f"{lab.name.removesuffix('Lab')} lab"


def lab_follows(tab, name, given, typed="0.5"):  # -> its label
    """Drive a lab where it stands in its chapter: its numbers, its width, and back."""
    lab = LABS[name]()
    first, *others = given.split()
    second, place = (*others, 0) if others else (first, 1)
    box, before = box_of(tab, lab), tab.evaluate(HTML)
    assert shown(box) == expected(lab)
    cell(box, first, 0).fill(typed)
    put(lab, first, 0, float(typed))
    assert shown(box) == expected(lab)
    is_painted = cell(box, second, place).evaluate("cell => cell.matches('.pencil-ink')")  # arrows walk from cell to cell there
    cell(box, second, place).press("Space" if is_painted else "ArrowUp")
    put(lab, second, place, np.ravel(lab.givens[second])[place] + 1)
    assert shown(box) == expected(lab)
    assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert not tab.locator(".pencil-changed").is_visible()  # the chapter's own numbers stand
    box.get_by_role("button", name="Reset this lab").click()
    assert tab.evaluate(HTML) == before
    return label(lab)


def writer_writes(tab):
    """The writer, in its chapter, writes a letter."""
    box, lab = tab.locator(".pencil-writer"), WriterLab()
    box.get_by_role("button", name="Write a letter").click()
    box.locator(".pencil-said[role=status]:not(:empty)").wait_for(state="attached")
    assert box.locator("textarea").input_value() == lab.write(count=1)


def film_is_talked_about(tab):
    """Both writers, in their chapter, are asked the question that stands there, and one that is chosen."""
    box, lab = tab.locator(".pencil-chat"), ChatLab()
    assert answered(box, lab.question) == lab.replies()
    chosen = lab.record["questions"][-1]
    box.locator("select").select_option(chosen)
    assert answered(box, chosen) == lab.replies(chosen)


def answered(box, question):  # -> {"before": str, "after": str}, once both answers to the question are there
    """What the chat shows."""
    status = box.locator(".pencil-said[role=status]", has_text="After: ")
    status.wait_for(state="attached")
    assert box.locator("input").input_value() == question
    before, after = box.locator("dd").evaluate_all("cells => cells.map(cell => cell.textContent)")
    return {"before": before, "after": after.partition(" (probability ")[0]}


def writer_is_opened(tab):
    """The opened writer, in its chapter: a head is switched off, and on again."""
    box, lab = tab.locator(".pencil-open"), OpenWriterLab()
    losses = [show(lab.losses(taken).mean()) for taken in ((), [(1, 4)])]
    whole = box.locator(".pencil-loss", has_text=f"over your text: {losses[0]}.")
    box.scroll_into_view_if_needed()
    whole.wait_for()  # its first answer moves the page, under a mouse too
    box.get_by_role("checkbox", name="head 1.4").check()
    box.locator(".pencil-loss", has_text=f"{losses[0]} with all heads, {losses[1]} without head 1.4.").wait_for()
    box.get_by_role("button", name="Reset this lab").click()
    whole.wait_for()


def digits_are_read(tab):
    """The reader of digits, in its chapter, reads two of those that it begins with."""
    box, lab = tab.locator(".pencil-digits"), DigitsLab()
    for number in (0, 4):
        probs = lab.probabilities(lab.begin[number][0])
        box.locator("[data-pixels]").nth(number).click()
        box.locator("[role=status]", has_text=f"The machine says {probs.argmax()}.").wait_for()
        assert box.locator(".pencil-lab-live .pencil-bars td:not(.bar)").all_inner_texts() == [f"{prob:.3f}" for prob in probs]
