"""Contenders for one task, timed in one interleaved run."""

import argparse
import os
import random
import statistics
import time


def interleaved(contenders, rounds):
    """contenders: name → function. Median seconds of each: in every round each of them runs once, in another order, as
    what ran before leaves its images in the cache."""
    for run in contenders.values():
        run()
    return {name: statistics.median(wall for wall, _ in t) for name, t in sampled(contenders, rounds).items()}


def timed(run):
    """Seconds of the wall clock, and of all processors together."""
    began, used = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - began, time.process_time() - used


def sampled(contenders, rounds, measure=lambda run: [timed(run)]):
    """contenders: name → function. All that `measure` gives of each, which is a list, round for round in another order."""
    order = random.Random(1)
    found = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in order.sample(list(contenders.items()), len(contenders)):
            found[name] += measure(run)
    return found


def arguments(workloads, folder):
    """The rounds and the workloads, all where none is named, that the command line asks for. folder: where work is done."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("workloads", nargs="*", default=list(workloads))
    os.makedirs(folder, exist_ok=True)
    return parser.parse_args()
