"""Training loops and experiments. `recorded/` holds what they and the benchmarks measured, each with its command, commit, device and date."""
