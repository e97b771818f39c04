"""Training runs and measurements, and their results; a page reads the results and measures nothing.

training/     the loop, its settings, checkpoints, several processes, lists of jobs
contest/      sentiment of film reviews: recurrent networks, Transformers and linear baselines (chapter 08)
writer/       a tiny GPT that continues a text (chapter 14)
alignment/    a tiny GPT that is taught a wish, in four ways (chapter 14b)
pretrained/   checkpoints of others, GPT-2 and Llama, opened by the same code (chapter 22)
vision/       a vision transformer that reads digits (chapter 15)
facts/        what is counted in data sets and word vectors (chapters 01, 02, 07 and 09)
quantization  weights in a byte each, for the models that a page carries
exported      such a model read back into its dataclasses
records       recorded/NAME.json: a result with its command, commit, device and date
"""
