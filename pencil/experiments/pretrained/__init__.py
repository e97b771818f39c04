"""Checkpoints of others, opened by the book's own code: GPT-2 and Llama. In reading order:

weights      the tensors of a folder, one file or several, each read when it is asked for
layouts      their names and their way round, and ours
checkpoint   a folder: its sizes, its model in torch, its parameters for the reference
tokenizer    its byte pairs
opened       what it says, block by block; what its heads look at; what changes without one (chapter 22)
"""
