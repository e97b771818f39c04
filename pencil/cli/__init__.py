"""What `make` does, as plain Python: `python -m pencil TASK` runs the same on Windows, macOS and Linux.

One task a module; nothing heavy is imported until its task runs.
"""
