"""Old anchors of renamed sections still work."""

import re

import pytest
import yaml
from docutils.nodes import make_id

from pencil.paths import ROOT, chapter_sources

SPAN = re.compile(r'<span id="([\w-]+)"></span>')
LINK = re.compile(r"\((\w+)\.ipynb(?:#([\w-]+))?\)")
TO_DOWNHILL = "which-way-to-turn-and-how-far what-is-a-good-rate what-does-adam-do-otherwise what-do-large-machines-do-besides"
TO_DOWNHILL += " what-has-the-machine-learned is-the-block-less-wrong-after-a-step what-vanishes-and-what-does-not and-through-many-blocks"
TO_SECOND = "is-there-a-setting-that-gets-nine-in-ten-right why-does-a-new-lstm-fade-at-all and-a-contest-in-writing who-is-faster"
TO_REAL = "how-wide-is-a-real-feed-forward-layer what-does-the-width-buy what-does-a-word-cost-in-a-block what-happens-when-blocks-are-stacked"
TO_REAL += " what-do-two-heads-change what-does-the-mask-change what-if-the-norm-comes-after-the-addition and-in-newer-machines"
TO_REAL += " what-does-a-real-gpt-block-have-that-this-one-leaves-out"
TO_TRAINING = "can-a-small-machine-learn-to-translate where-does-it-look what-if-the-mask-is-left-off-in-training"
# chapter: old address: the chapter and the section that have it now
MOVED = {
    "04_lstm": {"is-it-what-a-library-walks": ("04_lstm", "what-does-it-look-like-in-pytorch")},
    "06_look_across": {
        "must-every-new-stick-be-worked-out": ("08_contest", "must-every-new-vector-be-worked-out"),
        "how-large-is-the-real-head": ("08_contest", "how-many-parameters-has-the-transformer"),
        "how-much-can-emptiness-weigh": ("12_masks", "how-much-do-empty-slots-matter"),
        "how-do-the-four-machines-compare": ("08_contest", "what-does-the-table-of-the-four-say-now"),
    },
    "08_contest": {address: ("14c_rematch", address) for address in TO_SECOND.split()}
    | {"what-does-practice-on-blanks-do": ("14c_rematch", "what-does-pre-training-do")},
    "10_block": {address: ("10b_real_block", address) for address in TO_REAL.split()}
    | {
        "how-wide-is-a-real-worker": ("10b_real_block", "how-wide-is-a-real-feed-forward-layer"),
        "what-if-the-row-is-tamed-after-the-addition": ("10b_real_block", "what-if-the-norm-comes-after-the-addition"),
    },
    "14_tiny_gpt": {
        "what-differs-from-nanogpt": ("14c_rematch", "how-does-it-compare-with-nanogpt"),
        "what-if-it-is-larger-and-trained-longer": ("14c_rematch", "what-if-a-machine-is-larger-and-trained-longer"),
        "can-small-machines-tell-what-a-larger-one-will-do": ("14c_rematch", "can-small-machines-tell-what-a-larger-one-will-do"),
    },
    "12_masks": {address: ("13b_descent", address) for address in TO_TRAINING.split()},
    "13_backward": {address: ("13b_descent", address) for address in TO_DOWNHILL.split()},
}
RENAMED = yaml.safe_load((ROOT / "book/moved.yml").read_text(encoding="utf-8"))  # page: old address: the new one on the same page
CHAPTERS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]*_*.md"))


def text_of(chapter):
    return (ROOT / f"notebooks/{chapter}.md").read_text(encoding="utf-8")


def addresses(chapter):
    return {make_id(heading) for heading in re.findall(r"^###? (.+)$", text_of(chapter), re.M)}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_addresses_of_sections_that_moved_lead_on(chapter):
    moved = MOVED.get(chapter, {})
    assert sorted(SPAN.findall(text_of(chapter))) == sorted(moved), "every old address, once"
    assert not addresses(chapter) & set(moved), "an address that is a section's again is not old"
    under = None
    for paragraph in text_of(chapter).split("\n\n"):
        under = make_id(heading[1]) if (heading := re.match(r"###? (.+)", paragraph)) else under
        leads = {(name, section or address) for name, section in LINK.findall(paragraph) for address in SPAN.findall(paragraph)}
        for address in SPAN.findall(paragraph):
            home = moved[address]
            assert RENAMED.get(f"notebooks/{home[0]}", {}).get(home[1], home[1]) in addresses(home[0])
            assert home in leads | {(chapter, under)}, f"{address} does not lead to its new home"


@pytest.mark.parametrize("page", sorted([*(ROOT / "book").glob("*.md"), *chapter_sources(ROOT / "notebooks")]), ids=lambda page: page.stem)
def test_the_book_itself_links_to_no_old_address(page):
    old = {(page.rpartition("/")[2], address) for page, renamed in RENAMED.items() for address in renamed}
    old |= {(chapter, address) for chapter, moved in MOVED.items() for address in moved}
    links = re.findall(r"\]\((?:[\w./]*?(\w+)\.(?:ipynb|md))?#([\w-]+)\)", page.read_text(encoding="utf-8"))
    assert [address for name, address in links if (name or page.stem, address) in old] == []
