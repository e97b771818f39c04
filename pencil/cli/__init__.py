"""The command line: `python -m pencil TASK`, which the Makefile wraps; it runs on Windows, macOS and Linux.

Each task is a module with a function `main(argv)`, imported only when the task runs.
"""
