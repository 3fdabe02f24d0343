"""Calls alone and beside busy processes, by one thread, by all, by the plainest pool of a caller (struct flt_tasks), and
Halide's: ms, median and worst of the rounds. Each round times every contender once alone and once beside, in another order.
People's machines are never idle.

Usage: busy.py [--rounds N] [--threads N] [--busy PROCESSES] [WORKLOAD...]"""

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import time
import warnings

sys.dont_write_bytecode = True
import run  # noqa: E402

WORKLOADS = ["local_laplacian8", "bilateral_grid", "harris", "interpolate"]


def contenders(name, threads):
    """name → function."""
    image, _ = run.WORKLOADS[name]
    path = f"{run.HERE}/workloads/{name}.flt"
    found = {f"{n} thread{'s' * (n > 1)}": run.ours.compiled(path, [image], n)[0] for n in sorted({1, threads})}
    found["callback"] = run.ours.compiled(path, [image], threads, suffix="_by", tasks=run.ours.tasks_of_a_caller())[0]
    if run.peers_halide and hasattr(run.peers_halide, name):
        found["halide"] = run.peers_halide.compiled(getattr(run.peers_halide, name), [image], "hand", threads)[0]
    return found


class Busy:
    """Processes that compute without end while the block runs."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(self.count)]
        time.sleep(0.1)

    def __exit__(self, *_):
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
        time.sleep(0.02)


def timed(call):
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1e3


def measure(found, rounds, busy=1):
    """name → (ms alone, ms beside), of every round."""
    order = random.Random(1)
    times = {name: ([], []) for name in found}
    for _ in range(rounds):
        for name in order.sample(list(found), len(found)):
            found[name]()
            times[name][0].append(timed(found[name]))
        with Busy(busy):
            for name in order.sample(list(found), len(found)):
                found[name]()
                times[name][1].append(timed(found[name]))
    return times


def show(name, times):
    for contender, (alone, beside) in times.items():
        base = statistics.median(alone)
        print(f"{name:<18}{contender:<10}  alone {base:7.2f} (worst {max(alone):7.2f})   beside {statistics.median(beside):7.2f}"
              f" (worst {max(beside):7.2f})   times {statistics.median(beside) / base:5.2f} {max(beside) / base:5.2f}", flush=True)


def main():
    warnings.simplefilter("ignore")
    run.keep_memory()
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--busy", type=int, default=1)
    options.add_argument("workloads", nargs="*", default=WORKLOADS)
    options = options.parse_args()
    os.makedirs(run.ours.WORK, exist_ok=True)
    for name in options.workloads:
        show(name, measure(contenders(name, options.threads), options.rounds, options.busy))


if __name__ == "__main__":
    main()
