#!/usr/bin/env bash
# Emitted C, CUDA and OpenCL compute, sample by sample, the terms that the filter means, for all values of samples (prove_text.c):
# the programs here, in tests/emit (C), in tests/simulator (CUDA, OpenCL) and the examples (C). uncovered.txt lists the filters of which
# this is not proved, with the reason. A filter fails that is refuted, that is not proved and not on the list, and that is proved
# and on the list. Faults planted in emitted text are found (faults.txt).
# FULL=1: CUDA and OpenCL of tests/emit, and filters of the library, too.
# SHARE=K/N: the Kth of N shares of the filters. BUILD: the build folder. run.sh FILE...: these alone. UPDATE=1 writes the list
# anew, of all filters. TARGET=cuda or opencl: with FILE, that text.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD
prove="$BUILD/tests/terms/prove_text"

# one SCRATCH NUMBER TARGET FILE [FILTER]: a line with what is found
one() {
    ulimit -v 8000000
    local folder=$1/$2 output
    output=$(TARGET=$3 timeout 300 "$prove" "$folder" "$4" ${5:+"$5"} 2> "$1/$2.log") || {
        [ -n "$output" ] || output="$3 $4${5:+ $5}: refuted: $(grep -E 'error|ssertion' "$1/$2.log" | head -1; echo stopped)"
        printf '%s\n' "$output" >&2
    }
    rm -rf "$folder"
    head -1 <<< "$output"
}
# fault SCRATCH NUMBER TARGET FILE NAME SCRIPT: whether the planted fault is found
fault() {
    local folder=$1/fault_$2 output text=$1/fault_$2/filter.c
    output=$(TARGET=$3 EDIT=$6 timeout 300 "$prove" "$folder" "$4" 2> "$folder.log")
    [ "$3" != cuda ] || text=$folder/filter.cu
    if cmp -s "$text" "$folder/edited.c"; then
        echo "FAIL $4: $5 plants nothing"
    elif grep -qE ': (refuted|not proved): ' <<< "$output"; then
        echo "found $4 $5"
    else
        echo "FAIL $4: $5 is not found: $output; $(grep -E 'error|rror:|illed' "$folder.log" | head -2 | tr '\n' ' ')"
    fi
}
case ${1:-} in
one | fault)
    "$@"
    exit
    ;;
esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bash tests/terms/compile.sh c # the headers, once
bash tests/terms/compile.sh cuda
bash tests/terms/compile.sh opencl

# TARGET FILE FILTER, a line each; of a library file every filter that can be compiled alone.
list() {
    local file name
    [ $# -eq 0 ] || { printf "${TARGET:-c} %s\n" "$@"; return; }
    for file in tests/terms/*.flt tests/emit/*.flt examples/*/*.flt; do
        echo "c $file"
    done
    for file in tests/simulator/*.flt; do
        printf '%s\n' "cuda $file" "opencl $file"
    done
    [ "${FULL:-}" ] || return 0
    for file in tests/emit/*.flt; do
        printf '%s\n' "cuda $file" "opencl $file"
    done
    for file in stdlib/*.flt; do
        sed -n 's/^filter \([A-Za-z_0-9]*\).*/\1/p' "$file" | while read -r name; do
            "$BUILD/fltc" emit --filter "$name" "$file" -o "$scratch/" 2> /dev/null && echo "c $file $name"
        done
    done
}
list "$@" > "$scratch/list"
share=${SHARE:-1/1}
awk -v number="${share%/*}" -v count="${share#*/}" 'NR % count == number % count { print NR, $0 }' "$scratch/list" \
    > "$scratch/share"
< "$scratch/share" xargs -P "${JOBS:-$(nproc)}" -L 1 bash tests/terms/run.sh one "$scratch" > "$scratch/results"

# What is not proved, as the list has it.
sed -nE 's/ \([0-9]+ samples\)$//; s/: (not covered|not proved): (\[[^]]*\] of [0-9]+ samples )?(.*)/: \1: \3/p' "$scratch/results" |
    LC_ALL=C sort > "$scratch/uncovered"
if [ "${UPDATE:-}" ] && [ $# -eq 0 ] && [ "$share" = 1/1 ]; then
    cp "$scratch/uncovered" tests/terms/uncovered.txt
fi
cut -d' ' -f2- "$scratch/share" | sed 's/$/: /' > "$scratch/tried"
grep -F -f "$scratch/tried" tests/terms/uncovered.txt > "$scratch/expected"
failed=$(grep -c ': refuted: ' "$scratch/results")
failed=$((failed + $(wc -l < "$scratch/share") - $(wc -l < "$scratch/results")))
diff "$scratch/expected" "$scratch/uncovered" > "$scratch/diff" || {
    echo "FAIL tests/terms/uncovered.txt says otherwise (< it, > what is found):" >&2
    grep '^[<>]' "$scratch/diff" >&2
    failed=$((failed + $(grep -c '^[<>]' "$scratch/diff")))
}
whole=$(grep -c ': proved (' "$scratch/results") one=$(grep -c ': proved for one value' "$scratch/results")
passed=$((whole + one))
echo "of $(wc -l < "$scratch/share") filters $whole are proved, $one for one value of each parameter; the others:"
sed -E 's/^[^:]*: //; s/(no size is accepted).*/\1/; s/(has another term).*/\1/; s/: in the text$//' "$scratch/uncovered" |
    sort | uniq -c | sort -rn

# Faults: in a small share every fourth.
if [ $# -eq 0 ]; then
    count=${share#*/}
    [ "$count" -lt 4 ] || count=4
    grep -v '^#' tests/terms/faults.txt | awk -v number="${share%/*}" -v count="$count" \
        'NR % count == number % count { print NR, $0 }' > "$scratch/faults"
    while read -r number target file name script; do
        fault "$scratch" "$number" "$target" "$file" "$name" "$script" < /dev/null
    done < "$scratch/faults" > "$scratch/found"
    ! grep '^FAIL' "$scratch/found" >&2 || failed=$((failed + $(grep -c '^FAIL' "$scratch/found")))
    passed=$((passed + $(grep -c '^found' "$scratch/found")))
fi
echo "terms: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
