"""Printed worksheets: paper size, all questions, and the solutions on separate pages."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from pypdf import PdfReader

from pencil.cli.printing import print_to_pdf
from pencil.exercises import Worksheet
from pencil.exercises.printed import document
from pencil.exercises.topics import TOPICS

pytestmark = pytest.mark.slow

SIZES = {"a4": (595, 842), "letter": (612, 792)}


@pytest.fixture(scope="module")
def printed(tmp_path_factory, chromium):
    """The sheets of one seed: {(topic, paper): (Sheet, the texts of its pages, their sizes)}."""
    folder, sheets = tmp_path_factory.mktemp("sheets"), {topic: Worksheet(topic, 7) for topic in TOPICS}
    pages = {(topic, paper): folder / f"{topic}-{paper}.html" for topic in TOPICS for paper in SIZES}
    for (topic, paper), page in pages.items():
        page.write_text(document(sheets[topic], paper), encoding="utf-8")
    with ThreadPoolExecutor(1) as beside:  # Playwright allows one driver a thread, and the other tests have theirs
        beside.submit(print_to_pdf, {page: page.with_suffix(".pdf") for page in pages.values()}).result()
    return {key: (sheets[key[0]], PdfReader(page.with_suffix(".pdf")).pages) for key, page in pages.items()}


@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("topic", TOPICS)
def test_the_questions_then_the_key_on_pages_of_its_own(printed, topic, paper):
    sheet, pages = printed[topic, paper]
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in pages} == {SIZES[paper]}
    texts = [plain(page.extract_text()) for page in pages]
    heads = [k for k, text in enumerate(texts) if text.startswith(plain(f"{sheet.topic.title}: the key"))]
    assert len(heads) == 1 and heads[0] >= 1
    task, key = "".join(texts[: heads[0]]), "".join(texts[heads[0] :])
    for asked in sheet.asks:
        assert plain(f"{sheet.label(asked)} =") in task
        assert plain(sheet.key(asked)[-1]) in key and plain(sheet.key(asked)[-1]) not in task


def plain(text):
    """Without blanks and ligatures: lines are broken where the paper ends."""
    return "".join(text.split()).replace("ﬁ", "fi")
