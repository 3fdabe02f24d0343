#!/usr/bin/env bash
# Runs CMocka programs, some at once: processes.sh COMMAND...; each is a program and, where it has one, the filter of its tests. The
# output of those that fail is shown. JOBS: so many at once.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export scratch
# shellcheck disable=SC2016
printf '%s\n' "$@" | nl -w 1 -s ' ' | xargs -P "${JOBS:-$(nproc)}" -L 1 \
    sh -c '"$@" > "$scratch/$0" 2>&1 || { cat "$scratch/$0"; exit 1; }'
status=$?
cat "$scratch"/* | awk '/PASSED  \] [0-9]/ { p += $4 } /FAILED  \] [0-9]/ { f += $4 }
    END { printf "unit tests: %d passed, %d failed\n", p, f }'
exit $status
