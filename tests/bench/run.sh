#!/usr/bin/env bash
# Timings by hand: the compiler's own; then filters beside Halide (the newest that PyPI has, in a virtual environment
# of the build folder), OpenCV and NumPy (Debian's python3-opencv, python3-numpy), and a copy; then some of them
# beside a busy process, and beside the machine's limits, and recursive filters beside both; adaptive images, beside LibAPR where LIBAPR_PEER names a program
# (adaptive.py). BUILD: the folder. Words: the workloads.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export BUILD=${BUILD:-$here/../../build}
bash "$here/compile/run.sh"
environment=$BUILD/bench/environment
if [ ! -x "$environment/bin/python" ]; then
    mkdir -p "$BUILD/bench"
    /usr/bin/python3 -m venv --system-site-packages "$environment"
    for package in halide simpleitk; do
        "$environment/bin/pip" install --quiet --no-deps $package || echo "$package cannot be installed: it is left out"
    done
fi
"$environment/bin/python" -B "$here/run.py" "$@"
[ $# -gt 0 ] || "$environment/bin/python" -B "$here/busy.py"
[ $# -gt 0 ] || "$environment/bin/python" -B "$here/limits.py"
[ $# -gt 0 ] || "$environment/bin/python" -B "$here/recursive.py"
[ $# -gt 0 ] || "$environment/bin/python" -B "$here/reductions.py"
[ $# -gt 0 ] || "$environment/bin/python" -B "$here/transforms.py"
[ $# -gt 0 ] || "$environment/bin/python" -B "$here/adaptive.py"
