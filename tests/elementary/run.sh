#!/usr/bin/env bash
# The elementary functions against MPFR; their bits from several compilers; whether loops over those of
# f32 become vectors. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}

if "$BUILD/tests/elementary/accuracy" > "$scratch/accuracy"; then pass; else fail "$(cat "$scratch/accuracy")"; fi

gcc_exact="-ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize"
clang_exact="-ffp-contract=off -fno-math-errno"
while read -r compiler; do
    # shellcheck disable=SC2086
    if $compiler -w -Icompiler tests/elementary/bits.c -o "$scratch/bits" -lm 2> "$scratch/log"; then
        "$scratch/bits" > "$scratch/bits.now"
        [ -f "$scratch/bits.first" ] || cp "$scratch/bits.now" "$scratch/bits.first"
        if cmp -s "$scratch/bits.first" "$scratch/bits.now"; then
            pass
        else
            fail "other bits from $compiler: $(diff "$scratch/bits.first" "$scratch/bits.now")"
        fi
    else
        fail "$compiler: $(head -3 "$scratch/log")"
    fi
done << END
gcc -O0 $gcc_exact
gcc -O2 -std=c99 $gcc_exact
gcc -O3 -march=native $gcc_exact
gcc -O3 -march=native -mno-fma $gcc_exact
gcc -O1 -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all $gcc_exact
g++ -x c++ -O3 -march=native $gcc_exact
clang -O2 -std=c99 $clang_exact
clang -O3 -march=native $clang_exact
clang++ -x c++ -O3 $clang_exact
END

# Line numbers are those of elementary.def, one a function.
functions=$(grep -c '^ELEMENTARY(' compiler/elementary/elementary.def)
vectors() { # COUNT MESSAGE COMPILER…
    local wanted=$1 message=$2 count
    shift 2
    count=$("$@" -w -Icompiler -DONLY_F32 -c tests/elementary/speed.c -o "$scratch/speed.o" 2>&1 |
        grep "elementary.def:.*$message" | cut -d: -f2 | sort -u | wc -l)
    if [ "$count" -eq "$wanted" ]; then
        pass
    else
        fail "$count functions become vectors, not $wanted: $*"
    fi
}
# exp is made of fused operations, which are calls where there are none: emitted code has functions for AVX2 and FMA.
# shellcheck disable=SC2086
{
    vectors $((functions - 1)) 'optimized: loop vectorized' gcc -O3 -fopenmp-simd $gcc_exact -fopt-info-vec
    vectors "$functions" 'optimized: loop vectorized' gcc -O3 -mavx2 -mfma -fopenmp-simd $gcc_exact -fopt-info-vec
    vectors "$functions" 'vectorized loop' clang -O3 -fopenmp-simd $clang_exact -Rpass=loop-vectorize
    vectors "$functions" 'vectorized loop' clang -O3 -mavx2 -mfma -fopenmp-simd $clang_exact -Rpass=loop-vectorize
}
echo "elementary: $passed passed, $failed failed"
[ $failed -eq 0 ]
