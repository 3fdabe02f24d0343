#!/usr/bin/env bash
# Programs dumped after a pass and taken up with the next one give the file that the whole run gives, byte for byte but for
# the lines of the program that it names, which a text does not have. FULL=1: all examples, goldens, regressions and
# programs of tests/emit, of which SHARE=K/N takes one in N; otherwise a few. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 programs=0

# "/* smooth: blur.flt:12 */" becomes "/* smooth */". Where a long literal is cut into several depends on its length.
without_places() {
    sed -E 's,: [^ :"]+:[0-9]+ \*/, */,; s/",$/"/'
}

# emit ARGUMENT …: the source file, without its first line, which has a hash of the program or text
emit() {
    rm -rf "$scratch/files"
    "$BUILD/fltc" emit "$@" -o "$scratch/files/" 2> "$scratch/log" && tail -n +2 "$scratch"/files/*.c*
}

# Every two passes that follow each other.
take_up() { # TARGET FILE
    local texts text pass i
    rm -rf "$scratch/dump" && mkdir "$scratch/dump"
    # Of all programs, some have a fault or no filter of their own: those are for other tests.
    if ! emit "$2" --target "$1" --verify-each --dump=all --dump-dir="$scratch/dump" > "$scratch/whole"; then
        if [ -z "${FULL:-}" ] || grep -q 'internal error' "$scratch/log"; then
            echo "FAIL $2: --target $1: $(head -1 "$scratch/log")" >&2
            failed=$((failed + 1))
        fi
        return
    fi
    without_places < "$scratch/whole" > "$scratch/expected"
    programs=$((programs + 1))
    texts=("$scratch/dump"/*)
    for ((i = 0; i + 1 < ${#texts[@]}; i++)); do
        text=${texts[i]} pass=$(basename "${texts[i + 1]}")
        pass=${pass#*_}
        pass=${pass%.*}
        if emit "$text" --target "$1" --from="$pass" > "$scratch/part" &&
            without_places < "$scratch/part" | cmp -s "$scratch/expected" - && [ ! -s "$scratch/log" ]; then
            passed=$((passed + 1))
        else
            echo "FAIL $2: --target $1 --from=$pass: $(head -1 "$scratch/log")" >&2
            without_places < "$scratch/part" | diff "$scratch/expected" - | head -5 >&2
            failed=$((failed + 1))
        fi
    done
}

if [ "${FULL:-}" ]; then
    share=${SHARE:-1/1}
    for file in examples/*/*.flt tests/golden/*.flt tests/fuzz/regressions/*.flt tests/emit/*.flt tests/texts/*.flt; do
        for target in c simulator cuda opencl; do
            printf '%s %s\n' "$target" "$file"
        done
    done | awk -v k="${share%/*}" -v n="${share#*/}" 'NR % n == k % n' > "$scratch/list"
else
    printf '%s\n' 'c examples/harris/harris.flt' 'c examples/registration/registration.flt' \
        'c tests/golden/chains_behind_others.flt' 'c examples/volume/volume.flt' \
        'c tests/texts/words.flt' 'cuda tests/texts/words.flt' \
        'simulator tests/golden/recurrences_in_tiles_of_blocks.flt' 'cuda examples/blur/blur.flt' \
        'opencl examples/otsu/otsu.flt' > "$scratch/list"
fi
while read -r target file; do
    take_up "$target" "$file"
done < "$scratch/list"
[ "$programs" -gt 0 ] || { echo "FAIL no program is emitted" >&2; failed=$((failed + 1)); }
echo "texts: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
