#!/usr/bin/env bash
# count.sh COMMAND...: runs it, and adds up its lines that end with `N passed, N failed` into one last line, after what make
# says of parts that failed. Fails where the command does, where a line tells of a failure, and where nothing has passed.
# Within another count.sh it adds nothing.
set -uo pipefail
[ -z "${COUNTED:-}" ] || exec "$@"
export COUNTED=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log"
status=$?
grep '^make.*\*\*\*' "$log"
awk -v status=$status '
    / ?[0-9]+ passed, [0-9]+ failed$/ { passed += $(NF - 3); failed += $(NF - 1) }
    END {
        if (status && !failed) failed = 1 # a part that stopped before it counted
        printf "%d passed, %d failed\n", passed, failed
        exit status || failed || !passed
    }' "$log"
