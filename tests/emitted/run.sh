#!/usr/bin/env bash
# That emitted text stays as it was accepted: of programs and targets, digests.txt has a digest each. A change of text is seen here in
# seconds, whatever it is; golden tests show some of it, and `make same-text BASE=HEAD` all of it. Programs that call C functions are
# left out: they run a C compiler.
# BUILD=folder of fltc. JOBS: so many at once. UPDATE=1 writes what is as what should be: see what `make same-text` says before.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
. tests/emit_text.sh
export BUILD

targets_of() { # FILE
    case $1 in
    tests/circuit/*) echo "c verilog hls" ;;
    tests/*) echo "c cuda" ;;
    *fpga* | examples/circuits/*) echo "c cuda opencl verilog hls" ;;
    *) echo "c cuda opencl" ;;
    esac
}
# FILE TARGET=DIGEST …; the first two lines of a file tell fltc's version and the hash of the source.
digests_of() { # FILE
    local file=$1 line=$1 target folder
    folder=$(mktemp -d)
    for target in $(targets_of "$file"); do
        if emit_text "$BUILD/fltc" "$folder/$target" "$target" "$file"; then
            line+=" $target=$(tail -qn +3 "$folder/$target"/* | sed '/^ *"hash": "/d' | sha256sum | cut -c 1-12)"
        else
            line+=" $target=refused"
        fi
    done
    rm -rf "$folder"
    echo "$line"
}
if [ "${1:-}" = digests_of ]; then
    "$@"
    exit
fi

expected=tests/emitted/digests.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
grep -L '^extern\|^ *extern ' examples/*/*.flt tests/golden/*.flt tests/emit/*.flt tests/circuit/*.flt |
    xargs -P "${JOBS:-$(nproc)}" -L 1 bash tests/emitted/run.sh digests_of | LC_ALL=C sort > "$scratch/digests"
if [ "${UPDATE:-}" ]; then
    cp "$scratch/digests" $expected
fi
awk '
    { for (i = 2; i <= NF; i++) { split($i, part, "="); is[FNR == NR, $1 " --target " part[1]] = part[2]; all[$1 " --target " part[1]] } }
    END {
        for (one in all) {
            if (is[1, one] == is[0, one]) { passed++; continue }
            failed++
            printf "FAIL %s: %s\n", one, !((1, one) in is) ? "is not among the accepted" : \
                !((0, one) in is) ? "is no longer there" : \
                is[0, one] == "refused" ? "is refused now" : \
                is[1, one] == "refused" ? "is no longer refused" : "other text; make same-text BASE=HEAD shows it"
        }
        printf "emitted: %d passed, %d failed\n", passed, failed
        exit failed > 0
    }' $expected "$scratch/digests"
