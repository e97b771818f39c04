"""Loading pretrained GPT-2, BERT, Llama, Qwen, Mistral, SmolLM3 and Gemma 3 checkpoints into the book's models. In reading order:

weights      the tensors of a safetensors checkpoint, read lazily
settings     what a config.json says, checked
sources      what a layout consists of: a tensor, and the arrays that are taken from it
rope         the rotary positions that a config.json says
llamas       the layouts of Llama, Qwen, Mistral, SmolLM3 and Gemma 3
layouts      those of GPT-2 and BERT, and which of all is a config.json's
checkpoint   a checkpoint folder as a torch model, or as parameters for the reference
tokenizer    tokenizer.json as ByteBPE or WordPiece, or vocab.json and merges.txt as ByteBPE
minilm       the sentence encoder all-MiniLM-L6-v2, from an installed package (chapter 22)
recording    the record of what its heads do (chapter 22)
reviews      film reviews judged from its vectors (chapter 14c)
opened       interpretability of a decoder on a text: logit lens, attention patterns, head ablation (chapter 22)
"""
