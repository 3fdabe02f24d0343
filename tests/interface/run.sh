#!/usr/bin/env bash
# Interfaces, of examples and the library: each is one of the schema, the object file has the same, a caller that knows nothing else gets
# the interpreter's samples, and boxes read what the interface has of them (caller.py). A caller in C++ is written from the JSON alone
# (make_caller.py). SHARE=K/N: the Kth of N shares. BUILD: the build folder. run.sh FILE...: these alone.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD

# one SCRATCH NUMBER FILE [FILTER]: "passed failed"
one() {
    local folder=$1/$2 flags=() stem
    mkdir "$folder"
    [ -z "${4:-}" ] || flags=(--filter "$4")
    # A program may begin with the options that it needs.
    # shellcheck disable=SC2207
    flags+=($(sed -n '1s,^// \(--type .*\),\1,p' "$3"))
    if ! "$BUILD/fltc" emit --interface "${flags[@]}" "$3" -o "$folder/" 2> "$folder/log"; then
        echo "FAIL $3 ${4:-}: $(head -2 "$folder/log" | tr '\n' ' ')" >&2
        echo 0 1
        return
    fi
    stem=$(basename "$(ls "$folder"/*.json)" .json)
    # What the interface names is linked, nothing else.
    local needs
    mapfile -t needs < <(/usr/bin/python3 -c '
import json, sys
facts = json.load(open(sys.argv[1]))
for name in facts["libraries"]:
    print("-l" + name)
' "$folder/$stem.json")
    if ! gcc -std=gnu11 -O1 -w -shared -fPIC "-I$(dirname "$3")" "$folder/$stem.c" "-L$BUILD" "${needs[@]}" -fopenmp -lm \
        -o "$folder/filter.so" 2> "$folder/log"; then
        echo "FAIL $3 ${4:-}: $(head -2 "$folder/log" | tr '\n' ' ')" >&2
        echo 0 1
        return
    fi
    /usr/bin/python3 tests/interface/caller.py doc/interface.schema.json "$BUILD/fltc" "$3" "$folder/filter.so" "$folder/$stem.json" \
        "$folder" > "$folder/counts" || echo 0 1 > "$folder/counts"
    # Parts of adaptive images are not kept.
    if [ -f "$folder/words" ]; then
        if /usr/bin/python3 tests/interface/make_caller.py "$folder/$stem.json" > "$folder/caller.cpp" &&
            g++ -std=c++17 -O0 -Wall -Wextra -Werror -Iruntime/include "$folder/caller.cpp" "$folder/filter.so" "-Wl,-rpath,$folder" \
                -o "$folder/caller" 2> "$folder/log" && (cd "$folder" && xargs ./caller < words); then
            echo 1 0 >> "$folder/counts"
        else
            echo "FAIL $3 ${4:-}: the caller in C++: $? $(head -2 "$folder/log" | tr '\n' ' ')" >&2
            echo 0 1 >> "$folder/counts"
        fi
    fi
    awk '{ p += $1; f += $2 } END { print p, f }' "$folder/counts"
    rm -rf "$folder"
}
if [ "${1:-}" = one ]; then
    "$@"
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# FILE FILTER, a line each; of a library file every filter that can be compiled alone.
list() {
    local file name
    [ $# -eq 0 ] || { printf '%s\n' "$@"; return; }
    printf '%s\n' examples/*/*.flt tests/interface/*.flt
    for file in stdlib/*.flt; do
        sed -n 's/^filter \([A-Za-z_0-9]*\).*/\1/p' "$file" | while read -r name; do
            "$BUILD/fltc" emit --filter "$name" "$file" -o "$scratch/" 2> /dev/null && echo "$file $name"
        done
    done
}
list "$@" > "$scratch/list"
share=${SHARE:-1/1}
awk -v number="${share%/*}" -v count="${share#*/}" 'NR % count == number % count { print NR, $0 }' "$scratch/list" \
    > "$scratch/share"
< "$scratch/share" xargs -r -P "${JOBS:-$(nproc)}" -L 1 bash tests/interface/run.sh one "$scratch" > "$scratch/results"
passed=$(awk '{ n += $1 } END { print n + 0 }' "$scratch/results")
failed=$(($(awk '{ n += $2 } END { print n + 0 }' "$scratch/results") + $(wc -l < "$scratch/share") - $(wc -l < "$scratch/results")))
echo "interface: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
