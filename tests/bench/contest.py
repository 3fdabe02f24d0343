"""Contenders for one task, timed in one interleaved run."""

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
