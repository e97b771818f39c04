"""What readers look for, and where it is: terms of the field, words of the book, questions, and the pages themselves."""

import pytest
from searching import searched

HEADWORDS = """
GPU, graphics card, tokenizer, tokeniser, tokenization, subword, WordPiece, BPE, vocabulary, one-hot, TF-IDF, bag of words, Zipf's law, embedding,
GloVe, fastText, cosine similarity, dot product, vector, matrix, matrix multiplication, SVD, PMI, probability, logarithm, exponential, variance,
RNN, LSTM, GRU, hidden state, forget gate, vanishing gradient, Jacobian, bottleneck, attention, self-attention, multi-head attention,
cross-attention, attention head, query, key, value, W_O, W_Q, output projection, softmax, stable softmax, temperature, head, heat map, pooling,
sigmoid, transformer, residual stream, residual connection, skip connection, layernorm, layer normalization, RMSNorm, d_model, feed-forward, FFN,
MLP, neuron, ReLU, GELU, SwiGLU, activation function, Pre-LN, dropout, positional encoding, RoPE, ALiBi, equivariant, invariant, causal mask,
padding mask, encoder, decoder, BERT, GPT, logits, patch, vision transformer, ViT, CLS token, CNN, convolution, n-gram, perplexity, greedy decoding,
sampling, top-k, top-p, nucleus sampling, beam search, context length, context window, prompt, weight tying, scaling law, KV cache, prefill, sliding
window, GQA, MQA, linear attention, delta rule, FlashAttention, online softmax, mixture of experts, MoE, router, load balancing loss, quantization,
outlier, LoRA, QLoRA,
speculative decoding, draft model, induction head, logit lens, ablation, unembedding, instruction tuning, fine-tuning, chat template, RLHF, reward
model, DPO, GRPO, reward hacking, hallucination, chatbot, ChatGPT, gradient, derivative, chain rule, backpropagation, autograd, gradient descent,
SGD, momentum, learning rate, AdamW, weight decay, gradient clipping, initialization, Xavier, label smoothing, teacher forcing, epoch, seed,
overfitting, accuracy, test set, validation, hyperparameter, belt, nudge, stick, portion
""".replace("\n", " ").strip().split(", ")  # fmt: skip
ENTRIES = {  # what is asked, also by its beginning or in British spelling, and the headword of the entry that answers
    "byte pair encoding": "byte-pair encoding",
    "idf": "TF-IDF",
    "exploding gradients": "exploding gradient",
    "softmax temperature": "temperature",
    "softmax overflow": "stable softmax",
    "numerically stable softmax": "stable softmax",
    "what is a transformer": "transformer",
    "encoder decoder": "encoder–decoder",
    "KL divergence": "KL term",
    "bias term": "bias",
    "loss function": "loss",
    "cross entropy": "cross-entropy",
    "learning rate schedule": "learning-rate schedule",
    "Adam optimizer": "Adam",
    "parameter count": "parameter",
    "how many parameters": "parameter",
    "what is a stick": "stick",
    "what is a token": "token",
    "how does attention work": "attention",
    "cross entropy loss": "cross-entropy",
    "crossentropy": "cross-entropy",
    "multihead": "multi-head attention",
    "backprop": "backpropagation",
    "embed": "embedding",
    "unembed": "unembedding",
    "softm": "softmax",
    "transf": "transformer",
    "convol": "convolution",
    "derivat": "derivative",
    "optimis": "direct preference optimization",
    "normalised": "layer normalization",
    "initialisation": "initialization",
    "quantisation": "quantization",
}
PAGES = {
    "how do I install": "How to use this book: How do you install it?",
    "licence": "How to use this book: What is the licence, and how do you cite it?",
    "license": "How to use this book: What is the licence, and how do you cite it?",
    "cite": "How to use this book: What is the licence, and how do you cite it?",
    "prerequisites": "How to use this book: Read it",
    "dark mode": "How to use this book: Read it",
    "Jupyter": "How to use this book: Run it",
    "Colab": "How to use this book: Run it",
    "slides": "Slides",
    "errata": "Errata of the sources",
    "notation": "Names and symbols",
    "pencil rules": "Pencil rules",
    "worksheet": "9 · The kata: Can you do it with other numbers?",
    "teachers": "For teachers",
    "the kata": "9 · The kata",
    "many heads": "7 · Many heads",
    "attention is all you need": "5 · The soft lookup: What is attention for?",
    "king man woman queen": "2 · Embeddings: Is king − man + woman a queen?",
    "bf16": "5 · The soft lookup: Are three places enough?",
    "IMDB": "1 · Words into numbers: Can a word be one number?",
    "Shakespeare": "14 · A tiny GPT: What does it make of Shakespeare?",
    "MNIST": "15 · Pictures: How many patches has a real picture?",
    "regularisation": "13b · Downhill: Sources",
    "RAG": "The last page: Words you will meet next",
    "Chinchilla": "14c · How far does size go?",
    "system prompt": "14b · From writer to chatbot",
    "distillation": "The last page: Words you will meet next",
    "few-shot": "The last page: Words you will meet next",
    "chain of thought": "14b · From writer to chatbot: What happens when a model thinks?",
    "FSDP": "The last page: Words you will meet next",
    "mixed precision": "The last page: Words you will meet next",
    "PCA": "The last page: Words you will meet next",
    "F1": "The last page: Words you will meet next",
    "Llama": "16 · The modern block",
}


@pytest.fixture(scope="module")
def found(built):
    """What comes first, its sentence, and what is said above the hits, for every term."""
    hits = {one["query"]: one for one in searched(built, [*HEADWORDS, *ENTRIES, *PAGES])}
    return {query: ([(title, sentence.strip()) for _, title, sentence in one["hits"][:3]], one["said"]) for query, one in hits.items()}


def test_a_term_leads_to_its_entry(found):
    wanted = {word: word for word in HEADWORDS} | ENTRIES
    assert len(wanted) == len(HEADWORDS) + len(ENTRIES) > 150
    assert {query: found[query][0] for query, word in wanted.items() if not is_entry(word, found[query][0])} == {}


def is_entry(word, hits):  # -> bool
    """Whether the first hit is the glossary's entry of a headword."""
    place, _, names = hits[0][0].partition(": ") if hits else ("", "", "")
    return place == "Glossary" and word.replace("'", "’").casefold() in names.casefold().split(", ")


def test_a_question_and_a_page_lead_there(found):
    assert {query: found[query][0] for query, wanted in PAGES.items() if found[query][0][0][0] != wanted} == {}


def test_each_of_the_first_three_shows_a_sentence_and_nothing_else_is_proposed(found):
    assert {query: hits for query, (hits, _) in found.items() if not all(sentence for _, sentence in hits)} == {}
    assert {query: said for query, (_, said) in found.items() if said} == {}
