"""Training a model, in reading order.

config       TrainingConfig: all hyperparameters of a run
optimizer    AdamW with parameter groups
loop         `train` and `evaluate`; its docstring defines the interface of a task
batches      split an array of indices into batches
device       CPU, CUDA or MPS, and mixed precision
distributed  data parallelism over several processes (torchrun)
identity     a fingerprint of a run, which a checkpoint has to match
checkpoint   save and restore the state of a run
jobs         lists of runs that can be interrupted and resumed
progress     the progress bar
"""
