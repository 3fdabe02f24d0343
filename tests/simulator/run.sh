#!/usr/bin/env bash
# Kernels of blocks of threads, run on the CPU. BUILD: the build folder.
set -eu
cd "$(dirname "$0")/../.."
work="$BUILD/tests/simulator/work"
mkdir -p "$work"
exec "$BUILD/tests/simulator/run_kernels" tests/simulator "$work"
