"""ChatLab in the page: what both writers answer is NumPy's, and it reports errors."""

import pytest
from labs import answered, carried

from pencil.widgets import ChatLab
from pencil.widgets.chat_lab import SCRIPT


@pytest.fixture(scope="module")
def lab():
    return ChatLab()


@pytest.fixture
def bare(tabs, tmp_path, lab):
    """A function that opens a page with the lab."""
    return lambda script=SCRIPT, **options: carried(tabs, tmp_path, lab, script, **options)


def typed(box, question):
    box.locator("input").fill(question)
    box.get_by_role("button", name="Ask").click()


def test_a_typed_question_is_answered_as_numpy_does(bare, lab):
    with bare() as (box, _):
        assert answered(box, lab.question) == lab.replies()
        typed(box, "  Who plays OTTO?")
        assert answered(box, "  Who plays OTTO?") == lab.replies("who plays otto?")


@pytest.mark.parametrize(
    "question, said", [("", "Type a question."), ("wer saß?", "ß is none of its letters"), ("o" * 60, "letters fit here, and this is 60")]
)
def test_it_says_what_is_wrong_and_answers_when_it_is_mended(bare, lab, question, said):
    with bare() as (box, _):
        answered(box, lab.question)
        typed(box, question)
        box.locator(".wrong", has_text=said).wait_for()
        typed(box, "who is mira?")
        assert answered(box, "who is mira?") == lab.replies("who is mira?") and box.locator(".wrong").inner_text() == ""


def test_without_scripts_every_recorded_answer_is_there(bare, lab):
    with bare(java_script_enabled=False) as (box, _):
        text = box.locator("table").inner_text()
        assert all(said in text for said in (*lab.record["questions"], *lab.record["answers"]["after"]))
