"""Timers, and the interleaved timing of several functions."""

from statistics import median
from time import perf_counter, process_time

import torch

SECONDS = 0.05  # minimum duration of a turn


def in_turns(runs, device, rounds):
    """The median time of each function in seconds; the order alternates between rounds."""
    for run in runs:
        run(), run()  # warm-up
    timer = between_events if device == "cuda" else cpu_timer()
    times = [[] for _ in runs]
    for number in range(rounds):
        for i in range(len(runs)):
            one = (number + i) % len(runs)
            times[one].append(timer(runs[one]))
    return [median(each) for each in times]


def cpu_timer():
    """A timer for the CPU: process time on one thread, which excludes other load on the machine; else wall-clock time."""
    now = process_time if torch.get_num_threads() == 1 else perf_counter
    return lambda run: by_the_clock(run, now)


def by_the_clock(run, now=perf_counter):
    """The time of one call, averaged over as many calls as fit in a turn."""
    calls, start = 0, now()
    while (spent := now() - start) < SECONDS or not calls:
        run()
        calls += 1
    return spent / calls


def between_events(run, cuda=torch.cuda):
    """The same on a GPU, between two CUDA events, since calls are asynchronous."""
    start = perf_counter()
    run()
    cuda.synchronize()
    calls = 1 + int(SECONDS / (perf_counter() - start))
    first, last = (cuda.Event(enable_timing=True) for _ in range(2))
    first.record()
    for _ in range(calls):
        run()
    last.record()
    last.synchronize()
    return first.elapsed_time(last) / 1000 / calls


def cannot_compile(device):
    """Why torch.compile does not work here (it needs a C++ compiler, or Triton on a GPU), or None."""
    try:
        torch.compile(lambda x: x * 2 + 1)(torch.ones(3, device=device))
    except Exception as wrong:  # backends raise various exceptions
        return f"{type(wrong).__name__}: {wrong}".strip().splitlines()[0]
    return None
