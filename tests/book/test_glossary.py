"""The glossary: each entry occurs in the chapter that it names, and the first bold occurrence in a chapter links to it."""

import re
import sys
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from docutils import nodes

from pencil.paths import ROOT, chapter_sources
from pencil.rules.place import CHAPTER, entries

sys.path.insert(0, str(ROOT / "book/_ext"))

from pencil_book.glossary import PAGE, find, spellings
from pencil_book.index import add_entries, most

FIELD = (
    """
activation function, Adam, AdamW, ALiBi, attention, attention weight, backpropagation, bag of words, batch, BERT, bias, bidirectional,
bigram, BiLSTM, BPE, byte-pair encoding, causal mask, cell state, chain rule, clipping, CLS token, concatenation, context window,
convolution, cosine similarity, cross-attention, cross-entropy, decoder, dot product, dropout, embedding, encoder, encoder–decoder, epoch,
equivariant, exploding gradient, feed-forward, forget gate, gate, GELU, GloVe, GPT, gradient, gradient clipping, gradient descent, greedy,
hidden state, hyperparameter, Jacobian, key, KV cache, layer norm, learning rate, logistic regression, logit, loss, LSTM, mask, masked
language model, mean, MLP, multi-head attention, naive Bayes, negative sampling, nonlinearity, nucleus sampling, one-hot, output projection,
overfitting, padding, parameter, patch, perplexity, pooling, position, positional encoding, Post-LN, PMI, PPMI, Pre-LN, query, ReLU,
relative position, residual, residual stream, RMSNorm, RNN, RoPE, rotary, saturated, score, self-attention, sequence to sequence, sigmoid, singular
value, sinusoidal positional encoding, skip connection, skip-gram, softmax, standard deviation, SVD, tanh, teacher forcing, temperature,
TF-IDF, token, top-k, top-p, transformer, trigram, validation, value, vanishing gradient, vector, vision transformer, vocabulary, warm-up,
weight decay, weight matrix, word embedding
""".replace("\n", " ")
    .strip()
    .split(", ")
)  # what a reader of the field would look up, and some chapter uses
SOURCES = (
    """
ASK, belt, bend, dial, GIVE, glue, grid, HANDOVER, HAVE, match, miss, nudge, OFFER, portion, seat, stamp, stick, stream,
tag, tamed, taming, tick, vote, walker, WANT, worker
""".replace("\n", " ")
    .strip()
    .split(", ")
)  # what the sources say, each of which leads to the field's word


ENTRIES = [(terms, says) for _, terms, says in entries(ROOT)]
OF_THE_FIELD = [entry for entry in ENTRIES if CHAPTER.search(entry[1])]
LEADING_ON = [entry for entry in ENTRIES if not CHAPTER.search(entry[1])]  # a source's word, and the book's word for it
LEADS = re.compile(r"\{term}`(?:[^`<]*<)?([^`<>]+)>?`")


@pytest.mark.parametrize(("terms", "says"), LEADING_ON, ids=[terms[0] for terms, _ in LEADING_ON])
def test_a_word_of_a_source_leads_to_the_field_s(terms, says):
    assert LEADS.findall(says) and {*LEADS.findall(says)} <= {term for words, _ in OF_THE_FIELD for term in words}


def test_an_entry_names_a_chapter():
    chapters = {path.stem for path in chapter_sources(ROOT / "notebooks")}
    assert {CHAPTER.search(says)[1] for _, says in OF_THE_FIELD} <= chapters


@pytest.mark.parametrize("words", [FIELD, SOURCES], ids=["the field", "the sources"])
def test_both_vocabularies_are_there(words):
    have = {term.casefold() for terms, _ in ENTRIES for term in terms}
    assert [word for word in words if word.casefold() not in have] == []


def test_no_word_has_two_entries():
    words = [term.casefold() for terms, _ in ENTRIES for term in terms]
    assert len(words) > 60 and len(words) == len(set(words))


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        ("token", "token"), ("Tokens", "token"), ("token's", "token"), ("token’s", "token"),
        ("convolutions", "convolution"), ("vocabularies", "vocabulary"),
        ("losses", "loss"), ("bias", "bias"), ("biases", "bias"), ("A causal mask", "causal mask"), ("Heads.", "heads"), ("heads", "heads"),
        ("head", None), ("tokenise", None), ("los", None), ("the", None),
    ],
)  # fmt: skip
def test_a_word_is_found_in_its_plural_and_never_in_another_word(said, entry):
    words = ("token", "convolution", "vocabulary", "loss", "bias", "causal mask", "heads")
    assert find(said, {word: word for word in words}) == entry


def test_the_index_counts_what_the_glossary_links():
    words = ("dictionary", "loss", "head", "heads")
    for word in words:
        spelled = spellings(word, words)
        assert word in spelled and all(find(said, {each: each for each in words}) == word for said in spelled)
    assert "dictionaries" in spellings("dictionary", words) and "heads" not in spellings("head", words)
    sections = [("one", "A dictionary."), ("two", "Dictionaries, and the dictionary’s words; a dictionaryless text.")]
    assert most("dictionary", spellings("dictionary", words), sections) == "two"
    assert most("dictionary", {"dictionary"}, sections) is None, "without its plural it is said too seldom"


def test_a_second_build_forgets_what_went():
    said = nodes.section("", nodes.title("", "One"), nodes.paragraph("", "Loss. A loss and a loss; a token, a token, a token."), ids=["one"])
    domain = SimpleNamespace(get_objects=lambda: [(word, word, "term", PAGE, "", 1) for word in ("loss", "token")], entries={})
    env = SimpleNamespace(
        found_docs={"notebooks/01"}, titles={"notebooks/01": said[0]}, get_domain=lambda name: domain, get_doctree=lambda page: said
    )
    kept = domain.entries["notebooks/01"] = [("single", "an entry of the page's own", "one", "", None)]
    for text, words in (("", ["loss", "token"]), ("A token, a token, a token.", ["token"])):
        if text:
            said[1] = nodes.paragraph("", text)
        assert add_entries(None, env) == {"notebooks/01"}
        assert domain.entries["notebooks/01"] == kept + [("single", f"{word}; One", "one", "", None) for word in words]


def test_a_first_bold_word_leads_to_its_entry(built):
    page = BeautifulSoup((built / "notebooks/06_look_across.html").read_text(encoding="utf-8"), "html.parser")
    glossary = BeautifulSoup((built / "book/glossary.html").read_text(encoding="utf-8"), "html.parser")
    links = page.select("a.pencil-term")
    assert {"attention", "transformer", "dot product", "sigmoid"} <= {link.text.casefold() for link in links}
    for link in links:
        entry = glossary.find(id=link["href"].partition("#")[2])
        word = entry.text.rstrip("#").strip().casefold()
        assert find(link.text, {word: word}) == word
    assert len({link["href"] for link in links}) == len(links), "one link a word and page"


def test_a_bold_link_is_left_alone(built):
    """HTML has no link inside a link."""
    nested = re.compile(r"<a [^>]*>(?:(?!</a>).)*<a [^>]*>", re.S)
    pages = sorted((built / "notebooks").glob("*.html"))
    assert len(pages) > 20
    assert [(page.name, found[:200]) for page in pages for found in nested.findall(page.read_text(encoding="utf-8"))] == []
