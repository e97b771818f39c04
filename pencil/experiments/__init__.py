"""Training runs, measurements, and their recorded results. The pages of the book only read the records.

training/     the training loop, its config, checkpoints, data parallelism, resumable lists of jobs
contest/      sentiment of film reviews: recurrent networks, Transformers and linear baselines (chapter 08)
writer/       a tiny GPT that continues a text (chapter 14)
alignment/    fine-tuning a tiny GPT on a preference: SFT, DPO, REINFORCE, GRPO (chapter 14b)
pretrained/   loading GPT-2, BERT, Llama and Qwen checkpoints into the book's models (chapter 22)
vision/       a vision transformer that classifies digits (chapter 15)
facts/        statistics of data sets and word vectors, and timings of single operations
quantization  int8 weights, for the models that a page carries
exported      the stored arrays of such a model as parameter dataclasses
records       recorded/NAME.json: a result with the command, commit, device and date that produced it
"""
