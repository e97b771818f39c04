"""Figures that chapters quote about data sets, word vectors, worksheets, norms, caches and attention.

imdb_facts        words, lengths and unknown words of the film reviews (chapter 01)
glove_facts       neighbours, opposites and analogies of GloVe's vectors (chapter 02)
width_sweep       accuracy against the width of word vectors (chapter 02)
slides_heads      one head of width 50 and ten of width 5 (chapter 07)
worksheets_dealt  how well worksheets tell mistakes apart (chapter 09)
norms_speed       the time of RMSNorm beside LayerNorm (chapter 16)
int8_speed        the time and size of a layer in int8 beside float32 (chapter 20)
cache_speed       the time of one more word with a cache and without (chapter 17)
flash_memory      the time and memory of attention without its square of scores (chapter 18)
"""
