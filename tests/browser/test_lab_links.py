"""Links that carry the state of a lab; hostile ones break nothing."""

import pytest
from conftest import ADDRESS
from labs import shown


def test_a_link_carries_numbers_variant_and_step(bare):
    ways = {
        "block": (lambda box: box.locator("select").first.select_option(label="last (Post-LN)"), "BlockLab/variant:0=2,BlockLab/x:0=0.75"),
        "stepper": (lambda box: box.locator("[data-do=step]").last.click(), "Stepper/step:0=1,Stepper/pooled:0=0.75"),
    }
    for name, (go, wanted) in ways.items():
        with bare(name) as (_, box, tab):
            box.locator(".pencil-cell").first.fill("0.75")
            go(box)
            tab.wait_for_function(
                "length => decodeURIComponent(location.hash).length == length", arg=len(f"#pencil:{wanted}")
            )  # it is written a little later
            link, there = tab.evaluate(ADDRESS), shown(box)
        assert link.split("#")[1] == f"pencil:{wanted}"
        with bare(name, fragment="#" + link.split("#")[1]) as (_, box, tab):
            assert shown(box) == there
            assert tab.evaluate("window.scrollY") >= 0


def test_a_link_is_taken_whole_where_a_lab_has_its_numbers(bare):
    entries = ("BlockLab/variant:0=0", "BlockLab/x:0=1", "BlockLab/x:0=0.75", "BlockLab/nothing:0=1", "BlockLab/x:99=1")
    for count, taken in ((3, None), (5, "3 of 5")):
        with bare("block", fragment="#pencil:" + ",".join(entries[:count])) as (_, _, tab):
            said = tab.locator(".pencil-changed").text_content()
            assert (f"{taken} numbers of the link can be read" in said) if taken else "of the link" not in said


HOSTILE = [
    "BlockLab/variant:0=99", "BlockLab/variant:0=-1", "BlockLab/step:0=1e-3", "BlockLab/step:0=9999", "BlockLab/variant:0=0.5",
    "Stepper/step:0=1e-3", "Stepper/step:0=9999", "Stepper/step:0=-1", "BlockLab/__proto__:0=1",
    "BlockLab/x:99=1", "BlockLab/x:0=1e999", "BlockLab/variant:3=1", "BlockLab/x:0=99999999,BlockLab/x:1=0.0000001",
]  # fmt: skip


@pytest.mark.slow
def test_a_hostile_link_breaks_nothing(bare):
    for fragment in HOSTILE:
        name = "block" if fragment.startswith("Block") else "stepper"
        with bare(name, fragment=f"#pencil:{fragment}") as (lab, box, _tab):
            steps = len(lab.variants[0].steps)
            assert steps == 1 or int(box.locator(".pencil-moves strong").inner_text().split()[0]) in range(1, steps + 1), fragment
            if box.locator(".pencil-cell").count():
                box.locator(".pencil-cell").first.fill("1")
            assert shown(box), fragment
