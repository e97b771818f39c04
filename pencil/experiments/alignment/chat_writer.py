"""The two writers of the record `chat`, run by NumPy: one that has read about the film, and the same one after it learned to answer."""

from pencil.experiments import records
from pencil.experiments.writer import page_writer

ANSWER, END, MAX_NEW_TOKENS = "→", "■", 24  # the token that opens an answer, the one that closes it; letters of an answer at most


def read(when, record=None):  # "before" or "after" -> PageWriter
    """One of the two writers of a record; of the record "chat" by default."""
    stored = record or records.read("chat")
    return page_writer.read({"vocabulary": stored["vocabulary"], **stored["writers"][when]})


def reply(writer, question, mark=ANSWER):  # PageWriter, str -> str
    """What is written after a question and `mark`, the likeliest letter each time, up to END or for MAX_NEW_TOKENS letters; "" is no mark.

    Raises ValueError for a question with a letter that the writer does not know.
    """
    text, start = question + mark, len(question + mark)
    while len(text) < start + MAX_NEW_TOKENS and not text.endswith(END):
        text = writer.write(text, count=1, top_k=1)
    return text[start:].removesuffix(END)
