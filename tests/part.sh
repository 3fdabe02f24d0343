#!/usr/bin/env bash
# part.sh NAME COMMAND...: runs one of the $PARTS parts of a tier, with its log in the folder $LOGS. It prints a line when the part
# begins, and one when it ends: what passed and failed, and the seconds. Of a part that fails it shows the log, of another what
# was skipped. A part in which nothing passed and nothing was skipped fails.
set -u
name=$1 number=1 log=$LOGS/${1//\//_}.log
shift
# The next number: one process alone makes the folder of that name.
until mkdir "$LOGS/$number" 2> /dev/null; do number=$((number + 1)); done
title="[$number/$PARTS] $name"
[ "${SHARE:-1/1}" = 1/1 ] || title="$title, $SHARE"
echo "$title ..."
SECONDS=0
"$@" 2>&1 | cat > "$log" # a pipe: some programs open /dev/stderr anew, which cuts a file off
status=${PIPESTATUS[0]}
read -r passed failed < <(awk '/ ?[0-9]+ passed, [0-9]+ failed$/ { p += $(NF - 3); f += $(NF - 1) } END { print p + 0, f + 0 }' "$log")
if [ $status -ne 0 ] || [ "$failed" -ne 0 ]; then
    sed 's/^/    /' "$log"
    status=1
    [ "$failed" -ne 0 ] || failed=1 # it stopped before it counted
elif ! grep '^SKIP' "$log" && [ "$passed" -eq 0 ]; then
    echo "    nothing has passed"
    status=1 failed=1
fi
echo "$title: $passed passed, $failed failed, $SECONDS s"
exit $status
