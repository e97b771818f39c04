"""A small GPT, in reading order.

text_task     the task: next-token prediction, and the windows in which a text is evaluated
tiny_gpt      tokenizer, model, training, sampling and checkpoints
writer_file   validate and read a checkpoint file
samples       samples and losses before, during and after training
ladder        a scaling law: models of growing width
recording     the record of chapter 14: its loss and that of n-grams
modern_blocks ablations of SwiGLU and grouped-query attention (chapter 16)
experts       mixture of experts against dense networks (chapter 19)
fewer_bits    quantization to 8 … 2 bits and NF4, LoRA and QLoRA (chapter 20)
drafts        speculative decoding with n-grams and with a small model as drafters (chapter 21)
longer_texts  length extrapolation of each position encoding, and of rotary ones
page_writer   the int8 model that the page carries, run by NumPy
recall        which values of n keys a state, the delta rule, attention and a hybrid recall (chapter 17b)
needles       which of the letters that its heads look at most sparse attention would keep (chapter 17c)
heads         what its heads attend to where it chooses between "his" and "her"
"""
