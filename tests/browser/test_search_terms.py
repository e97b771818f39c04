"""What readers look for, and where it is: terms of the field, words of the book, questions, and the pages themselves."""

import pytest

GLOSSARY = """
GPU, graphics card, tokenizer, tokeniser, tokenization, subword, WordPiece, BPE, byte pair encoding, vocabulary, one-hot, TF-IDF, idf, bag of words,
Zipf's law, embedding, GloVe, fastText, cosine similarity, dot product, vector, matrix, matrix multiplication, SVD, PMI, probability,
logarithm, exponential, variance, RNN, LSTM, GRU, hidden state, forget gate, vanishing gradient, exploding gradients, Jacobian, bottleneck,
attention, self-attention, multi-head attention, cross-attention, attention head, query, key, value, W_O, W_Q, output projection, softmax,
softmax temperature, stable softmax, softmax overflow, numerically stable softmax, temperature, head, heat map, pooling, sigmoid,
transformer, what is a transformer, residual stream, residual connection, skip connection, layernorm, layer normalization, RMSNorm, d_model,
feed-forward, FFN, MLP, neuron, ReLU, GELU, SwiGLU, activation function, Pre-LN, dropout, positional encoding, RoPE, ALiBi, equivariant,
invariant, causal mask, padding mask, encoder, decoder, encoder decoder, BERT, GPT, logits, patch, vision transformer, ViT, CLS token, CNN,
convolution, n-gram, perplexity, greedy decoding, sampling, top-k, top-p, nucleus sampling, beam search, context length, context window, prompt,
weight tying, scaling law, KV cache, paged attention, prefill, sliding window, GQA, MQA, FlashAttention, online softmax, mixture of experts, MoE,
router, load balancing loss, quantization, outlier, LoRA, QLoRA, speculative decoding, draft model, induction head, logit lens, ablation,
unembedding, instruction tuning, fine-tuning, chat template, RLHF, reward model, DPO, GRPO, reward hacking, KL divergence, bias term, loss function,
cross entropy, gradient, derivative, chain rule, backpropagation, autograd, gradient descent, SGD, momentum, learning rate, learning rate schedule,
Adam optimizer, AdamW, weight decay, gradient clipping, initialization, Xavier, label smoothing, teacher forcing, epoch, seed,
overfitting, accuracy, test set, validation, hyperparameter, parameter count, how many parameters, what is a stick, walker, belt, nudge, miss,
what is a token, how does attention work
""".replace("\n", " ").strip().split(", ")  # fmt: skip
PAGES = {
    "how do I install": "How to use this book: How do you install it?",
    "licence": "How to use this book: What is the licence, and how do you cite it?",
    "cite": "How to use this book: What is the licence, and how do you cite it?",
    "prerequisites": "How to use this book: Read it",
    "dark mode": "How to use this book: Read it",
    "Jupyter": "How to use this book: Run it",
    "Colab": "How to use this book: Run it",
    "slides": "Slides",
    "errata": "Errata of the sources",
    "notation": "Names and symbols",
    "pencil rules": "Pencil rules",
    "worksheet": "For teachers: Sheets to print",
    "teachers": "For teachers",
    "the kata": "9 · The kata",
    "many heads": "7 · Many heads",
    "attention is all you need": "5 · The soft lookup: What is attention for?",
    "king man woman queen": "2 · Sticks with meaning: Is king − man + woman a queen?",
    "bf16": "5 · The soft lookup: Are three places enough?",
    "IMDB": "1 · Words into numbers: Can a word be one number?",
    "Shakespeare": "14 · A tiny GPT: What does it make of Shakespeare?",
    "MNIST": "15 · Pictures: How many patches has a real picture?",
    "Llama": "10 · The whole block: What does a word cost in a block?",
}
FOUND = """async asked => {
  const found = [], told = item => [item.querySelector("a").textContent, item.querySelector(".context").textContent.trim()]
  for (const query of asked) {
    Search.output.replaceChildren()
    await Search.query(query)
    found.push([query, [...Search.output.children].slice(0, 3).map(told), Search.status.textContent])
  }
  return found
}"""


@pytest.fixture(scope="module")
def found(book):
    """What comes first, its sentence, and what is said above the hits, for every term."""
    tab, log = book.visit("search.html?q=softmax")
    tab.locator("#search-results li").first.wait_for()
    asked = tab.evaluate(FOUND, [*GLOSSARY, *PAGES])
    assert log.wrong == []
    return {query: (hits, said) for query, hits, said in asked}


def test_a_term_leads_to_its_entry(found):
    assert len(set(GLOSSARY)) == len(GLOSSARY) > 150
    elsewhere = {query: found[query][0] for query in GLOSSARY if not any(hit.startswith("Glossary: ") for hit, _ in found[query][0][:1])}
    assert elsewhere == {}


def test_a_question_and_a_page_lead_there(found):
    assert {query: found[query][0] for query, wanted in PAGES.items() if found[query][0][0][0] != wanted} == {}


def test_each_of_the_first_three_shows_a_sentence_and_nothing_else_is_proposed(found):
    assert {query: hits for query, (hits, _) in found.items() if not all(sentence for _, sentence in hits)} == {}
    assert {query: said for query, (_, said) in found.items() if said} == {}
