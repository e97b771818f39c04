"""A small GPT, in reading order.

text_task     the task: predict the next token
tiny_gpt      tokenizer, model, training, sampling and checkpoints
writer_file   what the safetensors file of a writer holds, whoever made it
samples       what it writes before, during and after training
ladder        writers of growing size, whose losses predict the last one's
recording     its loss beside that of n-grams, as chapter 14 quotes it
modern_blocks GELU beside a gate, and heads that share keys and values (chapter 16)
experts       eight experts, two at work, beside a network of equal work (chapter 19)
fewer_bits    whole numbers of fewer bits, NF4, and adapters for another text (chapter 20)
drafts        a count and a small writer draft for a larger one (chapter 21)
longer_texts  texts longer than those of training, for each way to encode positions
page_writer   the model that the page carries, in int8, run by NumPy
heads         what each of its heads attends to where it chooses between "his" and "her"
"""
