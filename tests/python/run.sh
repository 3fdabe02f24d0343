#!/usr/bin/env bash
# The Python package from its sources, with Debian's NumPy: python/tests. BUILD: the build folder, whose fltc it calls.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/cache"
# Bits do not depend on how the C compiler optimises, and its time does.
printf '#!/bin/sh\nexec %s "$@" -O0\n' "${CC:-cc}" > "$scratch/cc"
chmod +x "$scratch/cc"
export CC=$scratch/cc FLTC=$BUILD/fltc PYTHONPATH=$PWD/python/src XDG_CACHE_HOME=$scratch/cache PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 -m unittest discover -s python/tests > "$scratch/log" 2>&1
ran=$(sed -n 's/^Ran \([0-9]*\) tests.*/\1/p' "$scratch/log")
failed=$(sed -n 's/^FAILED (\(.*\))/\1/p' "$scratch/log" | grep -oE '(failures|errors)=[0-9]+' | awk -F= '{ n += $2 } END { print n + 0 }')
if [ "${ran:-0}" -eq 0 ] || [ "${failed:-0}" -gt 0 ]; then
    cat "$scratch/log" >&2
    [ "${failed:-0}" -gt 0 ] || failed=1
fi
echo "python: $((${ran:-0} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
