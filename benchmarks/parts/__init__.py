"""Modules of the benchmarks. They are in a folder because `make bench` runs every file of benchmarks/."""
