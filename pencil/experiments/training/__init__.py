"""Training a model, in reading order.

config       every choice of a run: TrainingConfig
optimizer    AdamW, and what its weight decay leaves alone
loop         the training loop, and `evaluate`; what a task has to offer stands there
batches      an array of indices cut into batches
device       CPU, CUDA or MPS, and mixed precision
distributed  several processes that train one model (torchrun)
identity     what makes two runs the same run
checkpoint   the state of a run on disk
jobs         a list of runs that can be interrupted and resumed
progress     the progress bar
"""
