"""What book/slides.yml says of each slide; here, not with the slides' own tests, so that `make test` sees a caption that was reworded."""

from pencil.paths import ROOT, chapter_sources
from pencil.publish.slides import slides, told


def test_what_is_told_is_of_a_slide_that_there_is():
    captions = {
        slide.drawing.figcaption.get_text() for source in chapter_sources(ROOT / "notebooks") for slide in slides(source.with_suffix(".ipynb"), {})
    }
    assert set(told(ROOT)) <= captions
    assert all(sentence.endswith(".") and question.endswith("?") for sentence, question in told(ROOT).values())
