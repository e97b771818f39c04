"""The order in which the book's extension does its work, in one list."""

import ast
import sys
from inspect import signature

from pencil.paths import ROOT

sys.path.insert(0, str(ROOT / "book/_ext"))

import pencil_book


class App:
    """What Sphinx would be told, noted down."""

    def __init__(self):
        self.connected = []

    def connect(self, event, step, priority=500):
        self.connected.append((event, priority, f"{step.__module__.rpartition('.')[2]}.{step.__name__}"))
        assert signature(step).parameters

    def __getattr__(self, name):  # add_role, add_node and their like
        return lambda *args, **options: None


def test_what_the_extension_does_stands_in_one_list_in_the_order_in_which_it_runs():
    app = App()
    pencil_book.setup(app)
    assert app.connected == [(event, priority, step) for event, steps in pencil_book.ORDER.items() for priority, step in steps]
    for event, steps in pencil_book.ORDER.items():
        assert [priority for priority, _ in steps] == sorted(priority for priority, _ in steps), event


def test_the_runs_are_on_a_page_before_its_questions_and_the_pages_are_whole_before_unused_styles_go():
    steps = [step for steps in pencil_book.ORDER.values() for _, step in steps]
    for first, second in (("live.carry", "kata.carry"), ("finish.finish_all", "purge.purge_all"), ("path.into_the_chapter", "code.fold")):
        assert steps.index(first) < steps.index(second)


def test_no_part_connects_itself_and_each_part_that_registers_something_is_set_up():
    registers = set()
    for path in (ROOT / "book/_ext/pencil_book").glob("*.py"):
        if path.stem != "__init__":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert not [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "connect"], path.name
            registers |= {path.stem for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "setup"}
    assert registers == set(pencil_book.PARTS)
