#!/usr/bin/env bash
# Interfaces, of examples and the library: each is one of the schema, the object file has the same, a caller that knows nothing else gets
# the interpreter's samples, and boxes read what the interface has of them (caller.py). A caller in C++ is written from the JSON alone
# (make_caller.py). Of every third filter with parameters the same with all of them fixed, at their defaults: --param.
# Of every fifth the same of CUDA, in the simulator.
# SHARE=K/N: the Kth of N shares. BUILD: the build folder. run.sh FILE...: these alone.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD

# on_device FOLDER FILE FLAG...: the same of CUDA, in the simulator
on_device() {
    local folder=$1 file=$2 stem
    shift 2
    mkdir -p "$folder"
    "$BUILD/fltc" emit --target cuda --interface --boxes "$@" "$file" -o "$folder/" 2> /dev/null || return 0 # not for devices
    stem=$(basename "$(ls "$folder"/*.json)" .json)
    if ! g++ -std=c++17 -w -O1 -shared -fPIC -Itests/simulator -x c++ "$folder/$stem.cu" "$folder/${stem}_box.cu" -x c \
        tests/simulator/simulator.c -o "$folder/filter.so" -lm 2> "$folder/log"; then
        echo "FAIL $file for CUDA: $(grep -m 2 error "$folder/log" | tr '\n' ' ')" >&2
        echo 0 1
        return
    fi
    /usr/bin/python3 tests/interface/caller.py doc/interface.schema.json "$BUILD/fltc" "$file" "$folder/filter.so" "$folder/$stem.json" \
        "$folder" || echo 0 1
}
# try FOLDER FILE FLAG...: "passed failed", a line for each caller
try() {
    local folder=$1 file=$2 stem needs boxes
    shift 2
    mkdir -p "$folder"
    if ! "$BUILD/fltc" emit --interface --boxes "$@" "$file" -o "$folder/" 2> "$folder/log" &&
        ! { grep -q "cannot be emitted for boxes" "$folder/log" && "$BUILD/fltc" emit --interface "$@" "$file" -o "$folder/" 2> "$folder/log"; }; then
        echo "FAIL $file $*: $(head -2 "$folder/log" | tr '\n' ' ')" >&2
        echo 0 1
        return
    fi
    stem=$(basename "$(ls "$folder"/*.json)" .json)
    boxes=()
    [ ! -f "$folder/${stem}_box.c" ] || boxes=("$folder/${stem}_box.c")
    # What the interface names is linked, nothing else.
    mapfile -t needs < <(/usr/bin/python3 -c '
import json, sys
for name in json.load(open(sys.argv[1]))["libraries"]:
    print("-l" + name)
' "$folder/$stem.json")
    if ! gcc -std=gnu11 -O1 -w -shared -fPIC -Wl,-Bsymbolic "-I$(dirname "$file")" "$folder/$stem.c" "${boxes[@]}" "-L$BUILD" "${needs[@]}" -fopenmp -lm \
        -o "$folder/filter.so" 2> "$folder/log"; then
        echo "FAIL $file $*: $(head -2 "$folder/log" | tr '\n' ' ')" >&2
        echo 0 1
        return
    fi
    cp "$folder/$stem.json" "$folder/interface"
    /usr/bin/python3 tests/interface/caller.py doc/interface.schema.json "$BUILD/fltc" "$file" "$folder/filter.so" "$folder/$stem.json" \
        "$folder" || echo 0 1
    [ -f "$folder/words" ] || return 0 # parts of adaptive images are not kept
    if /usr/bin/python3 tests/interface/make_caller.py "$folder/$stem.json" > "$folder/caller.cpp" &&
        g++ -std=c++17 -O0 -Wall -Wextra -Werror -Iruntime/include "$folder/caller.cpp" "$folder/filter.so" "-Wl,-rpath,$folder" \
            -o "$folder/caller" 2> "$folder/log" && (cd "$folder" && xargs ./caller < words); then
        echo 1 0
    else
        echo "FAIL $file $*: the caller in C++: $? $(head -2 "$folder/log" | tr '\n' ' ')" >&2
        echo 0 1
    fi
}
# one SCRATCH NUMBER FILE [FILTER]: "passed failed"
one() {
    local folder=$1/$2 flags=() fixed=()
    [ -z "${4:-}" ] || flags=(--filter "$4")
    # A program may begin with the options that it needs.
    # shellcheck disable=SC2207
    flags+=($(sed -n '1s,^// \(--type .*\),\1,p' "$3"))
    try "$folder" "$3" "${flags[@]}" > "$1/$2.counts"
    if [ $(($2 % 3)) -eq 0 ] && [ -f "$folder/interface" ]; then
        mapfile -t fixed < <(/usr/bin/python3 tests/interface/defaults.py "$folder/interface")
        [ "${#fixed[@]}" -eq 0 ] || try "$folder/fixed" "$3" "${flags[@]}" "${fixed[@]}" >> "$1/$2.counts"
    fi
    [ $(($2 % 5)) -ne 0 ] || on_device "$folder/device" "$3" "${flags[@]}" >> "$1/$2.counts"
    awk '{ p += $1; f += $2 } END { print p, f }' "$1/$2.counts"
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
