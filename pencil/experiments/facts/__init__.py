"""Statistics and timings that chapters quote: data sets, word vectors, worksheets, configurations, norms, caches, attention.

imdb_facts        words, lengths and unknown words of the film reviews (chapter 01)
word_pieces       how the tokenizers of GPT-4 and GPT-4o split words (chapter 01)
glove_facts       neighbours, opposites and analogies of GloVe's vectors (chapter 02)
width_sweep       accuracy against the width of word vectors (chapter 02)
trained_rnn       an RNN of two numbers, trained on six texts (chapter 03)
slides_heads      one head of width 50 and ten of width 5 (chapter 07)
worksheets        how well worksheets tell mistakes apart (chapter 09)
who_uses_what     which mechanisms today's machines have, from transformers' configurations (chapter 16)
norms_speed       RMSNorm against LayerNorm (chapter 16)
int8_speed        a linear layer in int8 against float32: time and size (chapter 20)
cache_speed       the time per generated token with a KV cache and without (chapter 17)
flash_memory      the time and memory of attention that does not store the score matrix (chapter 18)
"""
