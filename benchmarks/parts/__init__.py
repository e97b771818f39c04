"""What `bench_model.py` is made of; a folder, so that `make bench` does not run its files by themselves."""
