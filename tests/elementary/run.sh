#!/usr/bin/env bash
# The elementary functions against MPFR. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
"$BUILD/tests/elementary/accuracy" > "$BUILD/tests/elementary/accuracy.log"
status=$?
[ $status -eq 0 ] || cat "$BUILD/tests/elementary/accuracy.log"
tail -1 "$BUILD/tests/elementary/accuracy.log"
exit $status
