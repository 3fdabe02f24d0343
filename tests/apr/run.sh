#!/usr/bin/env bash
# Files of adaptive images between this library and HDF5's own, by h5py. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
python=/usr/bin/python3
if ! "$python" -c 'import sys, h5py, numpy; sys.exit(not h5py.h5z.filter_avail(32001))' 2> /dev/null; then
    echo "SKIPPED: tests/apr needs python3-h5py and hdf5-filter-plugin-blosc-serial" >&2
    echo "apr: 0 passed, 0 failed"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$BUILD/tests/apr/convert" save "$scratch" || exit 1
# The same bytes, always.
mkdir "$scratch/again"
"$BUILD/tests/apr/convert" save "$scratch/again" || exit 1
for file in "$scratch"/*.apr; do
    cmp "$file" "$scratch/again/$(basename "$file")" || exit 1
done
"$python" check.py "$scratch" "$BUILD/tests/apr/convert"
