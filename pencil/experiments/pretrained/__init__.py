"""Loading pretrained GPT-2 and Llama checkpoints into the book's models. In reading order:

weights      the tensors of a safetensors checkpoint, read lazily
layouts      which of their tensors holds which of our arrays, and its transposition
checkpoint   a checkpoint folder as a torch model, or as parameters for the reference
tokenizer    tokenizer.json, or vocab.json and merges.txt, as ByteBPE
opened       interpretability of a decoder on a text: logit lens, attention patterns, head ablation (chapter 22)
"""
