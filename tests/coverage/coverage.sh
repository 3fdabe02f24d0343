#!/usr/bin/env bash
# Branches of the compiler that the tests reach, and that random programs reach alone; `make coverage` builds and calls it.
# coverage.sh [tests] [random] [report]: what is named, all in this order without a word. What the two reach is kept in
# $BUILD/reached. BUILD: a build folder with counters (--coverage). PARTS: parts of the tests that run the compiler.
# SEED, N: so many random programs, from a seed on; of each other kind (transforms, fixed point, particles) a third.
# LINES_OF=FOLDER: the report ends with the branches of compiler/FOLDER or runtime/FOLDER that neither reaches, a line each.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build/coverage}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD
# shellcheck source=tests/emit_text.sh
. tests/emit_text.sh
slashes=${BUILD//[^\/]/}
export GCOV_PREFIX_STRIP=${#slashes}

if [ "${1:-}" = emit ]; then # NUMBER TARGET FILE [FILTER]
    emit_text "$BUILD/fltc" "$scratch/$2" "${@:3}"
    rm -rf "${scratch:?}/$2"
    exit 0
fi

tests() {
    local module
    # shellcheck disable=SC2086
    ${MAKE:-make} --no-print-directory -k $PARTS
    "$BUILD/tests/fuzz/generate_program" --regressions tests/fuzz/regressions --compiler none
    "$BUILD/tests/fuzz/generate_circuit" --regressions tests/fuzz/circuits --compiler none
    for module in stdlib/*.flt; do
        "$BUILD/fltc" test "std.$(basename "$module" .flt)"
    done
    # What run-emit, run-circuit, run-hls, run-cuda and run-opencl compile and run is emitted.
    list | nl -w 1 -s ' ' | xargs -P "${JOBS:-$(nproc)}" -L 1 bash tests/coverage/coverage.sh emit
}
random() {
    local seed=${SEED:-1} count=${N:-300}
    {
        echo "generate_program --count $count"
        echo "generate_circuit --count $count"
        printf "generate_program --count $((count / 3)) --%s\n" transforms fixed-point particles
    } | xargs -P "${JOBS:-$(nproc)}" -I '{}' sh -c \
        "'$BUILD'/tests/fuzz/{} --seed $seed --compiler none --keep-going --no-shrink"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export scratch
[ $# -gt 0 ] || set -- tests random report
for what in "$@"; do
    if [ "$what" = report ]; then
        python3 -B tests/coverage/branches.py "$BUILD" ${LINES_OF:+"$LINES_OF"} || exit 1
    else
        rm -rf "$BUILD/reached/$what"
        GCOV_PREFIX=$BUILD/reached/$what "$what" > "$BUILD/$what.log" 2>&1
        echo "$what: $(grep -E '[0-9]+ passed, [0-9]+ failed' "$BUILD/$what.log" |
            awk '{ p += $(NF - 3); f += $(NF - 1) } END { printf "%d passed, %d failed", p, f }'), $BUILD/$what.log"
    fi
done
