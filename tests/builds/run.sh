#!/usr/bin/env bash
# The compiler, built as users may: with flags of a distribution and without Blosc, which makes a program that runs; by clang, of which
# only the sources are checked. JOBS: so many compilations at once.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
check() { # WHAT COMMAND...: it succeeds
    if "${@:2}" > "$scratch/log" 2>&1; then passed=$((passed + 1)); else
        echo "FAIL $1" >&2
        tail -20 "$scratch/log" >&2
        failed=$((failed + 1))
    fi
}
build() { make -j"${JOBS:-$(nproc)}" "$@"; }
# Without Blosc a file of an adaptive image is refused, and the message says why.
refuses_apr() {
    printf '%s\n' 'filter make(in : image<u8>[y, x]) -> out : apr<f32>[y, x] {' \
        '    out = to_apr(f32(in), error = 1, sigma_min = 2, gradient_min = 2);' '}' > "$scratch/make.flt"
    printf 'P5\n2 2\n255\nabcd' > "$scratch/in.pgm"
    ! "$scratch/flags/fltc" interpret "$scratch/make.flt" "$scratch/in.pgm" -o "$scratch/out.apr" 2> "$scratch/said" &&
        grep -q Blosc "$scratch/said"
}
flags='-O0 -Werror=format-security -Wformat=2'
check "flags of a distribution, without Blosc" build BUILD="$scratch/flags" CFLAGS="$flags" HAS_BLOSC= all
check "its version" grep -qx "fltc $(cat VERSION)" <("$scratch/flags/fltc" --version)
check "a refused file" refuses_apr
# Some distributions optimize when they link: libraries of fltc take no part.
check "a library with -flto" build BUILD="$scratch/lto" CFLAGS='-O0 -flto' "$scratch/lto/libfltimage.a"
check "nothing of it is compiled later" bash -c "! readelf -SW '$scratch/lto/libfltimage.a' | grep -F .gnu.lto"
if command -v clang > /dev/null; then
    check "clang" build BUILD="$scratch/clang" CC=clang CFLAGS=-fsyntax-only objects
else
    echo "SKIPPED: there is no clang"
fi
echo "builds: $passed passed, $failed failed"
[ $failed -eq 0 ]
