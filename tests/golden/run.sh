#!/usr/bin/env bash
# NAME.flt with `// RUN: fltc ... %s ...` on its first line: what that writes is NAME.graph, NAME.loop, NAME.c or
# NAME.text, whichever is there. The same of NAME.in.graph and NAME.in.loop, which a pass takes up (--from). With -o %d/ it is
# the files in that folder, without the lines that tell fltc's version and the hash of the source. BUILD=folder of fltc.
# UPDATE=1 writes what is as what should be: read the difference.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
for file in *.flt *.in.graph *.in.loop; do
    name=${file%.flt}
    name=${name%.in.*}
    read -r comment run tool words < "$file"
    if [ "$comment $run $tool" != "// RUN: fltc" ]; then
        echo "FAIL $file: the first line is no // RUN: fltc" >&2
        failed=$((failed + 1))
        continue
    fi
    expected=$(ls "$name".graph "$name".loop "$name".c "$name".text 2> /dev/null)
    words=${words//%d/$scratch/made}
    rm -rf "$scratch/made"
    # shellcheck disable=SC2086
    if ! "$BUILD/fltc" ${words//%s/$file} > "$scratch/out" 2> "$scratch/log" || [ -s "$scratch/log" ]; then
        echo "FAIL $file: $(cat "$scratch/log")" >&2
        failed=$((failed + 1))
        continue
    fi
    for made in "$scratch"/made/*; do
        [ ! -f "$made" ] || tail -n +3 "$made" >> "$scratch/out"
    done
    if [ -n "$expected" ] && cmp -s "$expected" "$scratch/out"; then
        passed=$((passed + 1))
    elif [ -n "$expected" ] && [ -n "${UPDATE:-}" ]; then
        cp "$scratch/out" "$expected"
        passed=$((passed + 1))
    else
        echo "FAIL $file" >&2
        diff -u "${expected:-/dev/null}" "$scratch/out" >&2
        failed=$((failed + 1))
    fi
done
echo "golden: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
