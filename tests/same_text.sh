#!/usr/bin/env bash
# The text that this compiler emits and that of an earlier one, byte for byte: examples, goldens, programs of tests/emit and
# tests/circuit, filters of the library, for every target. What one of them refuses, both must refuse.
# BASE=REV: the earlier one, built once, build/same-text/REV. SHARE=K/N: the Kth of N shares. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../build}")
cd "$(dirname "$0")/.." || exit 1
export BUILD
# shellcheck source=tests/emit_text.sh
. tests/emit_text.sh

# compare BASE_FLTC SCRATCH NUMBER TARGET FILE [FILTER]: "same", "refused" or what differs
compare() {
    local stem=$2/$3
    emit_text "$1" "$stem/base" "$4" "$5" "${6:-}"
    emit_text "$BUILD/fltc" "$stem/text" "$4" "$5" "${6:-}"
    if [ ! -d "$stem/base" ] && [ ! -d "$stem/text" ]; then
        echo refused
    elif diff -r "$stem/base" "$stem/text" > "$stem.diff" 2>&1; then
        echo same
    else
        echo "FAIL $5 ${6:-} --target $4: $(sed -n 2,5p "$stem.diff")"
    fi
    rm -rf "$stem" "$stem.diff"
}
if [ "${1:-}" = compare ]; then
    mkdir -p "$3/$4"
    "$@"
    exit
fi

base=$(git rev-parse --verify --quiet "${BASE:?a revision to compare with: make same-text BASE=REV}^{commit}") ||
    { echo "'$BASE' is no revision" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fltc=$BUILD/same-text/$base
if [ ! -x "$fltc" ]; then
    mkdir -p "$scratch/tree" "$BUILD/same-text"
    git archive "$base" | tar -x -C "$scratch/tree"
    make -C "$scratch/tree" -j"$(nproc)" --no-print-directory OPTIMIZE=-O1 BUILD=build all > "$scratch/log" 2>&1 ||
        { tail "$scratch/log" >&2; exit 1; }
    cp "$scratch/tree/build/fltc" "$fltc"
fi
list | awk -v share="${SHARE:-1/1}" 'BEGIN { split(share, s, "/") } NR % s[2] == s[1] % s[2] { print NR, $0 }' > "$scratch/list"
xargs -P "$(nproc)" -L 1 bash tests/same_text.sh compare "$fltc" "$scratch" < "$scratch/list" > "$scratch/results"
grep '^FAIL' -A 4 "$scratch/results"
same=$(grep -c '^same' "$scratch/results")
failed=$(($(wc -l < "$scratch/list") - same - $(grep -c '^refused' "$scratch/results")))
echo "same text as $BASE ($(grep -c '^refused' "$scratch/results") are refused by both): $same passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$same" -gt 0 ]
