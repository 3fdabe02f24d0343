#!/usr/bin/env bash
# The Python package: python/tests from its sources with Debian's NumPy, then from the wheel, with the newest NumPy, xarray, Dask and
# Zarr, which pip installs into a virtual environment of the build folder. BUILD: that folder, whose fltc is called.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/cache"
environment=$BUILD/python/environment
if [ ! -f "$environment/complete" ]; then
    { /usr/bin/python3 -m venv --clear "$environment" &&
        "$environment/bin/pip" install --quiet --retries 1 hatchling ipython mypy numpy 'dask[array]' distributed zarr xarray && touch "$environment/complete"; } \
        > "$scratch/log" 2>&1 || { cat "$scratch/log" && echo "SKIP python: xarray, Dask and Zarr cannot be installed"; }
fi
# Bits do not depend on how the C compiler optimises, and its time does.
export FLTC_LEVELS=-O0 FLTC=$BUILD/fltc XDG_CACHE_HOME=$scratch/cache PYTHONDONTWRITEBYTECODE=1
passed=0 failed=0
tests() { # a Python
    local ran bad skipped
    "$1" -m unittest discover -s python/tests > "$scratch/log" 2>&1
    ran=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$scratch/log")
    bad=$(sed -n 's/^FAILED (\(.*\))/\1/p' "$scratch/log" | grep -oE '(failures|errors)=[0-9]+' | awk -F= '{ n += $2 } END { print n + 0 }')
    skipped=$(sed -nE 's/^(OK|FAILED) \(.*skipped=([0-9]+).*/\2/p' "$scratch/log")
    if [ "${ran:-0}" -eq 0 ] || [ "${bad:-0}" -gt 0 ]; then
        cat "$scratch/log" >&2
        [ "${bad:-0}" -gt 0 ] || bad=1
    fi
    passed=$((passed + ${ran:-0} - bad - ${skipped:-0})) failed=$((failed + bad))
}
export PYTHONPATH=$PWD/python/src
tests /usr/bin/python3
if [ -f "$environment/complete" ]; then
    # The wheel has the fast path of calls.
    "$environment/bin/pip" wheel --quiet --no-deps --no-build-isolation --no-index -w "$scratch/wheel" ./python > "$scratch/log" 2>&1 || cat "$scratch/log" >&2
    export PYTHONPATH=$scratch/package
    "$environment/bin/python" -m zipfile -e "$scratch"/wheel/fltc-*-cp311-abi3-*.whl "$PYTHONPATH"
    tests "$environment/bin/python"
    if "$environment/bin/mypy" --cache-dir "$BUILD/python/mypy" python/src/fltc > "$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        cat "$scratch/log" >&2
        failed=$((failed + 1))
    fi
fi
echo "python: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
