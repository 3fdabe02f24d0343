"""Contenders for one task, timed in one interleaved run."""

import argparse
import os
import random
import statistics
import time


def interleaved(contenders, rounds):
    """contenders: name → function. Median seconds of each: in every round each of them runs once, in another order, as
    what ran before leaves its images in the cache."""
    order = random.Random(1)
    times = {name: [] for name in contenders}
    for run in contenders.values():
        run()
    for _ in range(rounds):
        for name, run in order.sample(list(contenders.items()), len(contenders)):
            began = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - began)
    return {name: statistics.median(t) for name, t in times.items()}


def arguments(workloads, folder):
    """The rounds and the workloads, all where none is named, that the command line asks for. folder: where work is done."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("workloads", nargs="*", default=list(workloads))
    os.makedirs(folder, exist_ok=True)
    return parser.parse_args()
