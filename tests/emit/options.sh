#!/usr/bin/env bash
# Emitted C with compiler options that loosen floats: the bytes of the interpreter, or a refusal by the compiler or by the
# call. Every fourth program with one option of each compiler by turns; FULL=1: all programs with all options, an hour.
# SHARE=K/N: the Kth of N shares of the programs. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
programs=(recurrences transforms elementary convolutions reductions short_recurrences rows_and_columns lines_together half
    half_state blocks fast levels types_float noise wide_functions short_sums fixed_points gather scalar truth lookups)
common=("-ffast-math -fno-finite-math-only" -funsafe-math-optimizations -ffinite-math-only -fno-signed-zeros
    -freciprocal-math "-fassociative-math -fno-signed-zeros -fno-trapping-math" -ffp-contract=fast -frounding-math
    -fno-math-errno -ffast-math -Ofast)
gcc=("${common[@]}" "-fno-fast-math -Ofast -fno-finite-math-only" -fexcess-precision=fast -fcx-limited-range
    -fno-trapping-math -fallow-store-data-races "-march=native -mno-fma" -fsingle-precision-constant -fsignaling-nans
    "-ffast-math -fno-finite-math-only -march=native" "-ffp-contract=fast -march=native" -funsigned-char)
clang=("${common[@]}" -fapprox-func -fdenormal-fp-math=positive-zero -ffp-model=fast -ffp-model=strict -fno-honor-nans
    -fno-honor-infinities "-mrecip=all -funsafe-math-optimizations" "-march=native -freciprocal-math")

# one SCRATCH NUMBER PROGRAM: "passed failed"
one() {
    local stem=$1/filter_$2 file=tests/emit/$3.flt passed=0 failed=0 commands= option compiler i
    export CPATH=$PWD/tests/emit
    "$BUILD/fltc" emit "$file" -o "$stem.c" 2> "$stem.log" || { echo 0 1; return; }
    for compiler in gcc clang; do
        local -n options=$compiler
        for ((i = 0; i < ${#options[@]}; i++)); do
            [ -n "${FULL:-}" ] || [ $((($2 * 7) % ${#options[@]})) -eq "$i" ] || continue
            option=${options[$i]}
            # shellcheck disable=SC2086
            if $compiler -O2 $option -w -fsyntax-only "$stem.c" 2> "$stem.log"; then
                commands+="$compiler -O2 $option"$'\n'
            elif grep -qE '#error|"compile this|flt_constants_are_double' "$stem.log"; then
                passed=$((passed + 1))
            else
                echo "FAIL $file $compiler $option: $(head -3 "$stem.log")" >&2
                failed=$((failed + 1))
            fi
        done
    done
    if [ -n "$commands" ]; then
        COMPILE_WITH=$commands "$BUILD/tests/emit/same_bytes" "$1/bytes_$2" "$file" > "$stem.bytes"
        set -- $(awk '{ print $(NF - 3), $(NF - 1) }' "$stem.bytes")
        passed=$((passed + ${1:-0})) failed=$((failed + ${2:-1}))
    fi
    echo "$passed $failed"
}
if [ "${1:-}" = one ]; then
    shift
    one "$@"
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
share=${SHARE:-1/1} every=4
[ -z "${FULL:-}" ] || every=1
printf '%s\n' "${programs[@]}" | nl -w 1 -s ' ' | awk -v number="${share%/*}" -v count=$((every * ${share#*/})) \
    'NR % count == number % count' > "$scratch/share"
< "$scratch/share" xargs -r -P "$(nproc)" -L 1 bash tests/emit/options.sh one "$scratch" \
    > "$scratch/results"
passed=$(awk '{ n += $1 } END { print n + 0 }' "$scratch/results")
failed=$(($(awk '{ n += $2 } END { print n + 0 }' "$scratch/results") + $(wc -l < "$scratch/share") - $(wc -l < "$scratch/results")))

# clang fuses in spite of pragmas where all of its code may, splits fma where there is nothing to fuse with, and takes calls for
# finite: the call refuses all three.
"$BUILD/fltc" emit tests/emit/recurrences.flt -o "$scratch/fused.c"
name=$(sed -n 's/^int \([a-zA-Z0-9_]*\)_run(.*/\1/p' "$scratch/fused.h")
printf '#include "fused.c"\nint main(void) { return LOOSE; }\n' > "$scratch/ask.c"
sed -i '/^#undef \(FLT_FUSED\|flt_is_fused\|flt_is_split\|FLT_LOOSE\|flt_is_finite\)/d' "$scratch/fused.c"
for way in "clang -O2 -mfma -ffp-contract=fast:1" "clang -O2 -mfma:0" "gcc -O2 -mfma -ffp-contract=fast:0" \
    "clang -O2 -mno-fma -ffast-math -fno-finite-math-only:1" "clang -O2 -ffinite-math-only:1" "clang -O1 -fno-honor-nans:1" \
    "clang -O2 -mno-fma:0" "clang -O2 -mno-fma -ffp-contract=fast:0"; do
    # shellcheck disable=SC2086
    ${way%:*} -w "-DLOOSE=FLT_LOOSE" "-Dflt_is_fused=${name}_flt_is_fused" "-Dflt_is_finite=${name}_flt_is_finite" "-Dflt_is_split=${name}_flt_is_split" \
        "$scratch/ask.c" -o "$scratch/ask" -lm 2> "$scratch/log"
    "$scratch/ask"
    if [ $? -eq "${way#*:}" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL emit: loose floats: $way" >&2
        failed=$((failed + 1))
    fi
done

# gcc makes vectors of choices whose cases compute: floats trap nothing.
printf 'filter ratio(a : image<f32>[x], b : image<f32>[x]) -> out : image<f32>[x]\n{\n%s\n}\n' \
    '    out[x] = select(b[x] > 0, a[x] / b[x], 0);' > "$scratch/ratio.flt"
"$BUILD/fltc" emit "$scratch/ratio.flt" -o "$scratch/ratio.c"
if gcc -O3 -w -c "$scratch/ratio.c" -o "$scratch/ratio.o" -fopt-info-vec 2>&1 | grep -q 'loop vectorized'; then
    passed=$((passed + 1))
else
    echo "FAIL emit: gcc makes no vectors of a choice" >&2
    failed=$((failed + 1))
fi
echo "options: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
