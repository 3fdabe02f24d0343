#!/usr/bin/env bash
# count.sh COMMAND...: runs it, and adds up the lines with which parts end (part.sh) into one last line, after what make says of parts
# that failed. Fails where the command does, where a part has failed, and where nothing has passed. Within another count.sh it adds
# nothing.
set -uo pipefail
[ -z "${COUNTED:-}" ] || exec "$@"
export COUNTED=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
SECONDS=0
"$@" 2>&1 | tee "$log"
status=$?
grep '^make.*\*\*\*' "$log"
awk -v status=$status -v seconds=$SECONDS '
    /^\[.* passed, [0-9]+ failed, [0-9]+ s$/ { passed += $(NF - 5); failed += $(NF - 3) }
    END {
        if (status && !failed) failed = 1 # what could not be built
        printf "%d passed, %d failed, %d min %d s\n", passed, failed, seconds / 60, seconds % 60
        exit status || failed || !passed
    }' "$log"
