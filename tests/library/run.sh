#!/usr/bin/env bash
# The standard library: the examples beside its filters, then its filters against SciPy and OpenCV, and laws they obey.
# BUILD: the build folder. With words: only the cases whose names contain one. FULL=1: the filters alone, compiled with
# optimization; of them SHARE=K/N, the Kth of N shares.
set -eu
cd "$(dirname "$0")"
BUILD=$(realpath "${BUILD:-../../build}")
export BUILD
status=0
if [ $# -eq 0 ] && [ -z "${FULL:-}" ]; then
    for file in ../../stdlib/*.flt; do
        if "$BUILD/fltc" check "$file" 2>&1 | grep -q 'warning\['; then # it is shown to all who use the filter
            echo "FAIL $file has warnings" >&2
            status=1
        fi
        "$BUILD/fltc" test "std.$(basename "$file" .flt)" || status=1
    done
fi
# Debian's own interpreter: the packages are installed for it.
/usr/bin/python3 -B run.py "$@" || status=1
exit $status
