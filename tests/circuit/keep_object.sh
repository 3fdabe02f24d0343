#!/usr/bin/env bash
# keep_object.sh COMPILER ARGUMENT...: stands before the compiler in Verilator's makefiles (OBJCACHE). Sources that come with Verilator
# are the same for all circuits: what the first compilation makes of one goes into the folder $KEPT, too, and is copied from then on.
set -eu
[[ "${*: -1}" == */include/verilated*.cpp ]] || exec "$@"
object=$(sed 's/.* -o \([^ ]*\) .*/\1/' <<< "$*")
mkdir -p "$KEPT"
kept=$KEPT/$(cksum <<< "$*" | tr ' ' _).o
exec 9> "$kept.lock"
flock 9
if [ -f "$kept" ]; then
    cp "$kept" "$object"
else
    "$@"
    cp "$object" "$kept.part"
    mv "$kept.part" "$kept"
fi
