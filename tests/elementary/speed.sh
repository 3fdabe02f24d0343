#!/usr/bin/env bash
# Times the elementary functions, ns a value in a loop, f32 and f64: as emitted code is compiled by gcc, the
# same without vector units beyond SSE2, by clang; the C library's own, one by one and as vectors of 4 units
# in the last place (gcc -Ofast).
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
exact="-fopenmp-simd -ffp-contract=off -fno-math-errno"
gcc_exact="$exact -fno-trapping-math -fno-tree-slp-vectorize"
build() { # NAME COMPILER…
    local name=$1
    shift
    "$@" -w -Icompiler tests/elementary/speed.c -o "$scratch/$name" -lm
    "$scratch/$name" > "$scratch/$name.times"
}
# shellcheck disable=SC2086
{
    build gcc gcc -O3 -march=native $gcc_exact
    build sse2 gcc -O3 $gcc_exact
    build clang clang -O3 -march=native $exact
    build library gcc -O3 -march=native -DLIBRARY -fno-tree-vectorize -fno-math-errno
    build vectors gcc -Ofast -march=native -DLIBRARY -fopenmp-simd
}
echo "| function | gcc | gcc, SSE2 | clang | C library | its vectors |"
echo "|---|---|---|---|---|---|"
paste -d ' ' "$scratch"/{gcc,sse2,clang,library,vectors}.times |
    awk '{ printf "| %s | %s, %s | %s, %s | %s, %s | %s, %s | %s, %s |\n",
           $1, $2, $3, $5, $6, $8, $9, $11, $12, $14, $15 }'
